import { cardFrame, projectLink } from './parts/card-frame.ts';
import { type Html, html, isolatedName } from './parts/html.ts';
import type { Page } from './parts/page.ts';
import { type CodeFormInput, codeForm, emailForm } from './parts/sign-in-forms.ts';
import { formatCount, formatBytes, formatInstant, formatTimeLeft } from './parts/format.ts';
import type { ProjectType, Tier } from '../../contract/fields.ts';
import { icon, iconSprite, typeNames } from './parts/icons.ts';

/**
 * The lifetime of a project after a claim. The visitor is not signed in yet, so the page shows the
 * rules of all plans.
 */
export interface ClaimTerms {
  /** Days that a project kept on the free plan lives. */
  freeDays: number;
  defaultPlan: Tier;
  /** Days of trial that a new account gets; 0 for none. */
  trialDays: number;
  /** Whether anybody may have a new account. */
  signUpOpen: boolean;
}

/**
 * The first page of a claim link: what will be kept, until when it lives otherwise, and for whom.
 * Its form posts `email` to the same address, or `keep` for whoever is signed in.
 */
export function claimPage(claim: {
  brand: string;
  project: ClaimProject;
  keeping: ClaimTerms;
  now: Date;
  /** The account that is signed in in this browser, by its address: it needs no code. */
  signedInAs?: string | undefined;
  /** The earlier input. */
  email?: string | undefined;
  error?: string | undefined;
}): Page {
  const { brand, project, keeping, now, signedInAs, email, error } = claim;
  const content = html`<h1>Keep this project</h1>
${claimSummary(project, now, html`<dt>Once kept</dt><dd>${describeClaimTerms(keeping)}</dd>`)}
${
  signedInAs === undefined
    ? emailForm({ signUpOpen: keeping.signUpOpen, email, error })
    : keepForm(signedInAs)
}`;
  return cardFrame({ brand, title: 'Keep this project', hull: 'ready', content });
}

/** One button: the account is known. */
function keepForm(email: string): Html {
  return html`<form class="form" method="post">
<p>You are signed in as <strong>${isolatedName(email)}</strong>.</p>
<div class="choices"><button class="button" type="submit" name="keep" value="1">Keep it</button></div>
</form>`;
}

function describeClaimTerms({ freeDays, defaultPlan, trialDays, signUpOpen }: ClaimTerms): string {
  if (defaultPlan !== 'free') return 'It stays online until you delete it.';
  const free = `On the free plan it stays online for ${formatCount(freeDays, 'day')}. On a paid plan it stays online until you delete it.`;
  if (trialDays === 0 || !signUpOpen) return free;
  return `${free} A new account starts with a paid plan for ${formatCount(trialDays, 'day')}.`;
}

/** The temporary project that a claim link is for. */
export interface ClaimProject {
  title: string;
  /** Its public address. */
  url: string;
  files: number;
  bytes: number;
  type: ProjectType;
  /** When it ends unless it is kept; ISO 8601. */
  expiresAt: string;
}

/** Describes the project and its remaining time without a claim; `rows` follow in the same list. */
function claimSummary(project: ClaimProject, now: Date, rows?: Html): Html {
  const { title, url, files, bytes, type, expiresAt } = project;
  return html`${iconSprite([type])}
<div class="item">${icon(type)}<p><strong>${isolatedName(title)}</strong>${projectLink(url)}</p></div>
<dl class="facts"><dt>Contains</dt><dd>${typeNames[type]}, ${formatCount(files, 'file')}, ${formatBytes(bytes)}</dd>
<dt>Expires</dt><dd>in <strong>${formatTimeLeft(expiresAt, now)}</strong>, <time datetime="${expiresAt}">${formatInstant(expiresAt)}</time></dd>
${rows}</dl>`;
}

/** The second page of a claim link: the code from the e-mail. */
export function claimCodePage(
  claim: { brand: string; project: ClaimProject; now: Date } & CodeFormInput,
): Page {
  const { brand, project, now, ...form } = claim;
  const content = html`<h1>Enter the code</h1>
${codeForm('Keep it', form)}
<div class="form">
${claimSummary(project, now)}
</div>`;
  return cardFrame({ brand, title: 'Enter the code', hull: 'ready', content });
}

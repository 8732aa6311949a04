import { cardFrame } from '../parts/card-frame.ts';
import { type ClaimProject, claimSummary } from './claim-summary.ts';
import { html } from '../parts/html.ts';
import type { Page } from '../parts/page.ts';
import { emailForm } from '../parts/sign-in-forms.ts';
import { count } from '../parts/sizes.ts';

/** What keeping means. Nobody is signed in yet, so each plan's rule is told. */
export interface Keeping {
  /** Days that a project kept on the free plan lives. */
  freeDays: number;
  /** Days of trial that a new account gets; 0 for none. */
  trialDays: number;
  /** Whether anybody may have a new account. */
  signUpOpen: boolean;
}

/**
 * The first page of a claim link: what will be kept, until when it lives otherwise, and for whom.
 * Its form posts `email` to the same address.
 */
export function claimPage(claim: {
  brand: string;
  project: ClaimProject;
  keeping: Keeping;
  now: Date;
  /** What was entered before. */
  email?: string | undefined;
  error?: string | undefined;
}): Page {
  const { brand, project, keeping, now, email, error } = claim;
  const content = html`<h1>Keep this project</h1>
${claimSummary(project, now, html`<dt>Once kept</dt><dd>${spellKeeping(keeping)}</dd>`)}
${emailForm({ signUpOpen: keeping.signUpOpen, email, error })}`;
  return cardFrame({ brand, title: 'Keep this project', hull: 'ready', content });
}

function spellKeeping({ freeDays, trialDays, signUpOpen }: Keeping): string {
  const free = `On the free plan it stays ${count(freeDays, 'day')} more, on a paid plan until you delete it.`;
  if (trialDays === 0 || !signUpOpen) return free;
  return `${free} A new account counts as paid for its first ${count(trialDays, 'day')}.`;
}

import { cardFrame } from '../parts/card-frame.ts';
import { type Html, html } from '../parts/html.ts';
import type { Page } from '../parts/page.ts';

/** Why a claim link did not lead to a kept project. */
export type ClaimProblem =
  | 'unknown'
  | 'already-claimed'
  | 'project-limit'
  | 'storage-limit'
  | 'suspended'
  | 'rate-limited';

const again = html`<div class="choices"><a class="button" href="">Try again</a></div>`;
const home = html`<div class="choices"><a class="button" href="/">Publish something</a></div>`;
const makeRoom = html`<p>Delete or archive a project, or change to a larger plan. Then open this link again, before its time is up.</p>${again}`;

const texts: Record<ClaimProblem, { status: number; title: string; next: Html }> = {
  unknown: {
    status: 404,
    title: 'This claim link does not work',
    next: html`<p>Check that you have all of it. A project that nobody keeps in time is deleted with everything in it; publish it again for a new link.</p>${home}`,
  },
  'already-claimed': {
    status: 409,
    title: 'This project is kept already',
    next: html`<p>A claim link works once, and this one was used. If it was you, there is nothing left to do: the project is in your account.</p>`,
  },
  'project-limit': { status: 403, title: 'Your plan holds no more projects', next: makeRoom },
  'storage-limit': { status: 403, title: 'Your plan has no room for this project', next: makeRoom },
  suspended: {
    status: 403,
    title: 'This account is suspended',
    next: html`<p>Write to whoever runs this service. Nothing of the account is deleted meanwhile.</p>`,
  },
  'rate-limited': {
    status: 429,
    title: 'Too many tries',
    next: html`<p>Wait a moment, then go on where you were.</p>${again}`,
  },
};

/** Says why nothing was kept, and what to do now; `detail` has the figures. */
export function claimProblemPage(problem: {
  brand: string;
  kind: ClaimProblem;
  detail?: string | undefined;
}): Page {
  const { brand, kind, detail } = problem;
  const { status, title, next } = texts[kind];
  const content = html`<p class="status">${status}</p>
<h1>${title}</h1>
${detail !== undefined && html`<p>${detail}</p>`}
${next}`;
  return cardFrame({ brand, title, hull: 'none', content });
}

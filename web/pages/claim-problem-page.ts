import { problemCard, tooManyAttempts, tryAgain } from './parts/card-frame.ts';
import { type Html, html } from './parts/html.ts';
import type { Page } from './parts/page.ts';

/** Why a claim failed. */
export type ClaimProblem =
  | 'unknown'
  | 'already-claimed'
  | 'project-limit'
  | 'storage-limit'
  | 'suspended'
  | 'rate-limited'
  | 'unavailable';

const home = html`<div class="choices"><a class="button" href="/">Publish something</a></div>`;
const makeRoom = html`<p>Delete or archive a project, or change to a larger plan. Then open this link again before it expires.</p><div class="choices"><a class="button" href="/dashboard">Open your projects</a><a class="button quiet" href="">Try again</a></div>`;

const texts: Record<ClaimProblem, { status: number; title: string; next: Html }> = {
  unknown: {
    status: 404,
    title: 'This link does not work',
    next: html`<p>Check that you copied the whole link. A project that nobody keeps in time is deleted with all its files. Publish it again to get a new link.</p>${home}`,
  },
  'already-claimed': {
    status: 409,
    title: 'This project is in an account already',
    next: html`<p>This link works once, and it has been used. If you used it, you are done: the project is in your account.</p><div class="choices"><a class="button" href="/dashboard">Open your projects</a></div>`,
  },
  'project-limit': { status: 403, title: 'Your plan’s project limit is reached', next: makeRoom },
  'storage-limit': {
    status: 403,
    title: 'Your plan has too little storage for this project',
    next: makeRoom,
  },
  suspended: {
    status: 403,
    title: 'This account is suspended',
    next: html`<p>Write to the operator of this service. Nothing in the account is deleted in the meantime.</p>`,
  },
  'rate-limited': tooManyAttempts,
  unavailable: { status: 503, title: 'Sign-in is not available at the moment', next: tryAgain },
};

/** Says why the claim failed and what to do next; `detail` has the figures. */
export function claimProblemPage(problem: {
  brand: string;
  kind: ClaimProblem;
  detail?: string | undefined;
}): Page {
  const { brand, kind, detail } = problem;
  return problemCard({ brand, detail, ...texts[kind] });
}

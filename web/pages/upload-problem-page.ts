import { problemCard, tooManyAttempts, tryAgain } from './parts/card-frame.ts';
import { type Html, html } from './parts/html.ts';
import type { Page } from './parts/page.ts';

/** Why an upload link cannot be used. */
export type UploadProblem = 'unusable' | 'not-in-plan' | 'rate-limited';

const texts: Record<UploadProblem, { status: number; title: string; next: Html }> = {
  unusable: {
    status: 404,
    title: 'This upload link does not work',
    next: html`<p>Check that you copied the whole link, or ask the person who sent it for a new one.</p>`,
  },
  'not-in-plan': {
    status: 403,
    title: 'This upload link cannot be used now',
    next: html`<p>Tell the person who sent it to you.</p>${tryAgain}`,
  },
  'rate-limited': tooManyAttempts,
};

/** Says why nothing can be uploaded and what to do next; `detail` is the exact error. */
export function uploadProblemPage(problem: {
  brand: string;
  kind: UploadProblem;
  detail: string;
}): Page {
  const { brand, kind, detail } = problem;
  return problemCard({ brand, detail, ...texts[kind] });
}

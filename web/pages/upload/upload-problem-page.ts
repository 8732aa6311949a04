import { cardFrame } from '../parts/card-frame.ts';
import { type Html, html } from '../parts/html.ts';
import type { Page } from '../parts/page.ts';

/** Why an upload link leads to no upload. */
export type UploadProblem = 'unusable' | 'not-in-plan' | 'rate-limited';

const again = html`<div class="choices"><a class="button" href="">Try again</a></div>`;

const texts: Record<UploadProblem, { status: number; title: string; next: Html }> = {
  unusable: {
    status: 404,
    title: 'This upload link does not work',
    next: html`<p>Ask whoever gave it to you for a new one. If you copied the address, check that you have all of it.</p>`,
  },
  'not-in-plan': {
    status: 403,
    title: 'This upload link cannot be used now',
    next: html`<p>Tell whoever gave it to you.</p>${again}`,
  },
  'rate-limited': {
    status: 429,
    title: 'Too many tries',
    next: html`<p>Wait a minute, then go on where you were.</p>${again}`,
  },
};

/** Says why nothing can be uploaded, and what to do now; `detail` says it exactly. */
export function uploadProblemPage(problem: {
  brand: string;
  kind: UploadProblem;
  detail: string;
}): Page {
  const { brand, kind, detail } = problem;
  const { status, title, next } = texts[kind];
  const content = html`<p class="status">${status}</p>
<h1>${title}</h1>
<p>${detail}</p>
${next}`;
  return cardFrame({ brand, title, hull: 'none', content });
}

import { cardFrame } from '../parts/card-frame.ts';
import { type Html, html } from '../parts/html.ts';
import type { Page } from '../parts/page.ts';

/** Why a person cannot go on with an app's request, or with the apps that they connected. */
export type AuthorizationTrouble =
  | 'unknown-client'
  | 'unknown-redirect'
  | 'refused-redirect'
  | 'unreadable'
  | 'begin-again'
  | 'suspended'
  | 'rate-limited'
  | 'unavailable';

const retry = (words: string) =>
  html`<div class="choices"><a class="button" href="">${words}</a></div>`;

const texts: Record<AuthorizationTrouble, { status: number; title: string; next: Html }> = {
  'unknown-client': {
    status: 400,
    title: 'This app is not known here',
    next: html`<p>Nothing was sent to it, and you can close this page. If connecting anew in the app leads here again, tell whoever makes it.</p>`,
  },
  'unknown-redirect': {
    status: 400,
    title: 'This app’s return address is not registered',
    next: html`<p>Nothing was sent there, and you can close this page. If connecting anew in the app leads here again, tell whoever makes it.</p>`,
  },
  'refused-redirect': {
    status: 400,
    title: 'This app’s return address is not accepted',
    next: html`<p>Nothing was sent there, and you can close this page. If connecting anew in the app leads here again, tell whoever makes it.</p>`,
  },
  unreadable: {
    status: 400,
    title: 'This link is not complete',
    next: html`<p>You can close this page. If connecting anew in the app leads here again, tell whoever makes it.</p>`,
  },
  'begin-again': {
    status: 403,
    title: 'Please begin again',
    next: html`<p>Nothing was allowed or changed. What you sent belongs to another sign-in or to another page, or it is more than an hour old.</p>${retry('Begin again')}`,
  },
  suspended: {
    status: 403,
    title: 'This account is suspended',
    next: html`<p>Write to whoever runs this service. Nothing of the account is deleted meanwhile.</p>`,
  },
  'rate-limited': {
    status: 429,
    title: 'Too many tries',
    next: html`<p>Wait a moment, then go on where you were.</p>${retry('Try again')}`,
  },
  unavailable: {
    status: 503,
    title: 'Nobody can sign in at the moment',
    next: retry('Try again'),
  },
};

/** Says why the app gets no answer, and what to do now; `detail` has what exactly was wrong. */
export function authorizationProblemPage(problem: {
  brand: string;
  kind: AuthorizationTrouble;
  detail?: string | undefined;
}): Page {
  const { brand, kind, detail } = problem;
  const { status, title, next } = texts[kind];
  const content = html`<p class="status">${status}</p>
<h1>${title}</h1>
${detail !== undefined && html`<p>${detail}</p>`}
${next}`;
  return cardFrame({ brand, title, hull: 'none', content, leadsElsewhere: true });
}

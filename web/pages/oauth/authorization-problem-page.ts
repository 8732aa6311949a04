import { problemCard, tooManyAttempts, tryAgain } from '../parts/card-frame.ts';
import { type Html, html } from '../parts/html.ts';
import type { Page } from '../parts/page.ts';

/** Why a person cannot continue with an app's request, or with their connected apps. */
export type AuthorizationProblem =
  | 'unknown-client'
  | 'unknown-redirect'
  | 'refused-redirect'
  | 'unreadable'
  | 'begin-again'
  | 'suspended'
  | 'rate-limited'
  | 'unavailable';

const texts: Record<AuthorizationProblem, { status: number; title: string; next: Html }> = {
  'unknown-client': {
    status: 400,
    title: 'This app is not known here',
    next: html`<p>Nothing was sent to the app, and you can close this page. If you connect again in the app and see this page again, tell the app’s developer.</p>`,
  },
  'unknown-redirect': {
    status: 400,
    title: 'This app’s return address is not registered',
    next: html`<p>Nothing was sent to that address, and you can close this page. If you connect again in the app and see this page again, tell the app’s developer.</p>`,
  },
  'refused-redirect': {
    status: 400,
    title: 'This app’s return address is not accepted',
    next: html`<p>Nothing was sent to that address, and you can close this page. If you connect again in the app and see this page again, tell the app’s developer.</p>`,
  },
  unreadable: {
    status: 400,
    title: 'This link is incomplete',
    next: html`<p>You can close this page. If you connect again in the app and see this page again, tell the app’s developer.</p>`,
  },
  'begin-again': {
    status: 403,
    title: 'Please start again',
    next: html`<p>Nothing was allowed or changed. The form belongs to another sign-in or to another page, or it is more than one hour old.</p><div class="choices"><a class="button" href="">Start again</a></div>`,
  },
  suspended: {
    status: 403,
    title: 'This account is suspended',
    next: html`<p>Write to the operator of this service. Nothing in the account is deleted in the meantime.</p>`,
  },
  'rate-limited': tooManyAttempts,
  unavailable: { status: 503, title: 'Sign-in is not available at the moment', next: tryAgain },
};

/** Says why the app gets no answer and what to do next; `detail` says what exactly was wrong. */
export function authorizationProblemPage(problem: {
  brand: string;
  kind: AuthorizationProblem;
  detail?: string | undefined;
}): Page {
  const { brand, kind, detail } = problem;
  return problemCard({ brand, detail, ...texts[kind], leadsElsewhere: true });
}

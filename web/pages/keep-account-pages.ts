import { cardFrame, problemCard, tooManyAttempts } from './parts/card-frame.ts';
import { formatInstant } from './parts/format.ts';
import { html } from './parts/html.ts';
import type { Page } from './parts/page.ts';

/** The page of a link that stops a deletion. Only its button does, because mail scanners open links. */
export function keepAccountPage({ brand, until }: { brand: string; until: string }): Page {
  const title = 'Keep your account?';
  const content = html`<h1>${title}</h1>
<p>Somebody who was signed in asked to delete this ${brand} account. The button stops that: keys and apps work again at once, and its projects are online again within minutes.</p>
<form class="form" method="post"><div class="choices"><button class="button" type="submit">Keep my account</button></div></form>
<p class="muted">If you do nothing, the account and everything in it is deleted for good on <time datetime="${until}">${formatInstant(until)}</time>.</p>`;
  return cardFrame({ brand, title, hull: 'ready', content });
}

/** The answer to the button: the deletion was stopped. */
export function accountKeptPage({ brand }: { brand: string }): Page {
  const title = 'Your account is kept';
  const content = html`<h1>${title}</h1>
<p>Nothing is deleted. Its projects are online again within minutes.</p>
<p>If it was not you who asked for the deletion, sign in and sign out all other browsers.</p>
<div class="choices"><a class="button" href="/dashboard/account">Open the account</a></div>`;
  return cardFrame({ brand, title, hull: 'afloat', content });
}

/** A link that stops nothing. It does not say why: whoever guesses a link learns nothing of accounts. */
export function keepNothingPage({ brand }: { brand: string }): Page {
  return problemCard({
    brand,
    status: 404,
    title: 'There is no deletion to stop',
    detail:
      'The deletion of the account was stopped already, or another one began later, or the account is gone. Or the link is not complete.',
    next: html`<p>Sign in to see your account. If it is being deleted, its latest e-mail has the link that works.</p>
<div class="choices"><a class="button" href="/dashboard">Sign in</a></div>`,
  });
}

/** Too many links were opened from one network. */
export function keepTooOftenPage({ brand, detail }: { brand: string; detail: string }): Page {
  return problemCard({ brand, detail, ...tooManyAttempts });
}

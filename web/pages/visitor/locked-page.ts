import { slipway } from '../parts/drawings.ts';
import { fault } from '../parts/fault.ts';
import { type Html, html } from '../parts/html.ts';
import { type Page, renderPage } from '../parts/page.ts';
import { visitorFrame } from './visitor-frame.ts';

/** What a visitor meets who may not see a site; it says nothing of what is behind. */
export interface Locked {
  brand: string;
  /** Who can come in: whoever knows the password, or the owner alone. */
  ask: 'password' | 'owner';
  /** Percent-encoded path to go to afterwards. */
  returnTo: string;
  /** What was wrong with the last try. */
  error?: string | undefined;
  /** Others have used up the tries of everybody who was never let in. */
  usedUp?: boolean | undefined;
}

/** 401: asks for the password, or says how the owner comes in. */
export function lockedPage({ brand, ask, returnTo, error, usedUp }: Locked): Page {
  const title = ask === 'password' ? 'Enter the password' : 'This page is private';
  const body = visitorFrame(
    brand,
    html`<div class="message">
${slipway('none')}
<h1>${title}</h1>
${ask === 'password' ? passwordForm(returnTo, error) : ownersWay()}
${usedUp === true && otherWays()}
</div>`,
  );
  return renderPage({ brand, title, body, noIndex: true, forms: true });
}

function passwordForm(returnTo: string, error: string | undefined): Html {
  const isWrong = error !== undefined;
  return html`<p>The owner has protected this page. You need the password that they gave you.</p>
<form class="form" method="post" action="/_slipway/unlock">
<input type="hidden" name="to" value="${returnTo}">
<div class="field">
<label for="password">Password</label>
<input id="password" name="password" type="password" maxlength="255" required autofocus autocomplete="current-password" spellcheck="false" autocapitalize="none"${isWrong && html` aria-invalid="true" aria-describedby="password-error"`}>
</div>
${fault('password-error', error)}
<div class="choices"><button class="button" type="submit">Open the page</button></div>
</form>`;
}

/** Who does not have to wait for the tries of strangers. */
function otherWays(): Html {
  return html`<p class="note">Have you opened this page before? Use the same browser as then: there you do not have to wait.</p>
${viewLinkNote()}`;
}

function ownersWay(): Html {
  return html`<p>Only its owner can view it.</p>
${viewLinkNote()}`;
}

function viewLinkNote(): Html {
  return html`<p class="note">Is it yours? Get a view link for this project with your key, and open that.</p>`;
}

import { slipwayDrawing } from '../parts/drawings.ts';
import { formError, html, type Html, isolatedName } from '../parts/html.ts';
import { type Page, renderPage } from '../parts/page.ts';
import { visitorFrame } from './visitor-frame.ts';

/** A site that the visitor may not see. The page says nothing about its content. */
export interface LockedSite {
  brand: string;
  /** The people who can open it: everybody with the password, who proves an e-mail address, or only the owner. */
  ask: 'password' | 'address' | 'owner';
  /** The percent-encoded path, with its query, to open after that. */
  returnTo: string;
  /** The error of the last try. */
  error?: string | undefined;
  /** New visitors together have used up the wrong attempts of the day. */
  usedUp?: boolean | undefined;
}

const lockedTitles = {
  password: 'Enter the password',
  address: 'Confirm your e-mail address',
  owner: 'This page is private',
};

/** 401: asks for the password or an e-mail address, or explains to the owner how to open the page. */
export function lockedPage({ brand, ask, returnTo, error, usedUp }: LockedSite): Page {
  const title = lockedTitles[ask];
  const body = visitorFrame(
    brand,
    html`<div class="message">
${slipwayDrawing('none')}
<h1>${title}</h1>
${ask === 'password' && passwordForm(returnTo, error)}
${ask === 'address' && addressForm(returnTo, error)}
${ask === 'owner' && ownersWay()}
${usedUp === true && otherWays()}
</div>`,
  );
  const script = ask === 'owner' ? undefined : keepFragmentAndSource;
  return renderPage({ brand, title, body, noIndex: true, forms: true, ...(script && { script }) });
}

/**
 * Browsers never send a fragment, but keep that of a form's address through redirects (Fetch,
 * "HTTP-redirect fetch"). The page after this one has this one as its referrer: `web/viewers/open.ts`
 * reports the page that led here instead. Without the script only these two are lost.
 */
const keepFragmentAndSource = `document.forms[0].action += location.hash;
try {
  const { referrer } = document;
  if (referrer && new URL(referrer).origin !== location.origin) sessionStorage.setItem('slipway', referrer);
} catch {}`;

function passwordForm(returnTo: string, error: string | undefined): Html {
  return html`<p>The owner has protected this page. Enter the password that they gave you.</p>
<form class="form" method="post" action="/_slipway/unlock">
<input type="hidden" name="to" value="${returnTo}">
${passwordField(error)}
<div class="choices"><button class="button" type="submit">Open the page</button></div>
</form>`;
}

/** The same for every address and every list: who may open the page, only mails say. */
function addressForm(returnTo: string, error: string | undefined): Html {
  const isWrong = error !== undefined;
  return html`<p>The owner wants to know who opens this page. Enter your e-mail address. If it may open the page, you get a code of six digits.</p>
<form class="form" method="post" action="/_slipway/address">
<input type="hidden" name="to" value="${returnTo}">
<div class="field">
<label for="email">E-mail address</label>
<input id="email" name="email" type="email" maxlength="254" required autofocus autocomplete="email" spellcheck="false" autocapitalize="none"${isWrong && html` aria-invalid="true" aria-describedby="email-error"`}>
</div>
${formError('email-error', error)}
<div class="choices"><button class="button" type="submit">Send me a code</button></div>
</form>
<p class="note">The owner sees your address, and when you open the page. You get no account and no other e-mails.</p>`;
}

/** The form that asks for the code of a mail. */
export interface VisitorCodeForm {
  brand: string;
  email: string;
  /** Names the code; empty where only a long code is of use. */
  token: string;
  returnTo: string;
  error?: string | undefined;
  /** What the visitor must know before they wait for a mail. */
  notice?: string | undefined;
  /** Whether a limit stops six digits. */
  needsLongCode?: boolean | undefined;
}

const digitsInput = html`class="digits" inputmode="numeric" autocomplete="one-time-code" pattern="\\s*([0-9]\\s*){6}|[A-Za-z\\s\\-]{24,60}" title="Six digits, or the long code"`;
const longCodeInput = html`autocomplete="off" autocapitalize="none" spellcheck="false"`;

/** The page that asks for the code of the mail. */
export function visitorCodePage(form: VisitorCodeForm): Page {
  const { brand, email, token, returnTo, error, notice, needsLongCode = false } = form;
  const title = needsLongCode ? 'Enter the long code' : 'Enter the code';
  const isWrong = error !== undefined;
  const body = visitorFrame(
    brand,
    html`<div class="message">
${slipwayDrawing('none')}
<h1>${title}</h1>
${needsLongCode ? longCodeText(email) : notice === undefined ? digitsText(email) : html`<p>${notice}</p>`}
<form class="form" method="post" action="/_slipway/code">
<input type="hidden" name="token" value="${token}">
<input type="hidden" name="email" value="${email}">
<input type="hidden" name="to" value="${returnTo}">
<div class="field">
<label for="code">${needsLongCode ? 'Long code from the e-mail' : 'Code from the e-mail'}</label>
<input id="code" name="code" type="text" ${needsLongCode ? longCodeInput : digitsInput} maxlength="60" required autofocus${isWrong && html` aria-invalid="true" aria-describedby="code-error"`}>
</div>
${formError('code-error', error)}
<div class="choices"><button class="button" type="submit">Open the page</button></div>
</form>
<p class="note">No e-mail? Look into your spam folder, or <a href="${returnTo}">use another address or ask for another code</a>.</p>
</div>`,
  );
  const script = keepFragmentAndSource;
  return renderPage({ brand, title, body, noIndex: true, forms: true, script });
}

const digitsText = (email: string) =>
  html`<p>We have sent an e-mail to <strong>${isolatedName(email)}</strong>. If this address may open the page, the e-mail has six digits. They work for ten minutes.</p>`;

const longCodeText = (email: string) =>
  html`<p>Each e-mail with a code for <strong>${isolatedName(email)}</strong> also has a long code of letters. It works once, for a day.</p>`;

function passwordField(error: string | undefined): Html {
  const isWrong = error !== undefined;
  return html`<div class="field">
<label for="password">Password</label>
<input id="password" name="password" type="password" maxlength="255" required autofocus autocomplete="current-password" spellcheck="false" autocapitalize="none"${isWrong && html` aria-invalid="true" aria-describedby="password-error"`}>
</div>
${formError('password-error', error)}`;
}

/** Visitors who have opened the page before have attempts of their own. */
function otherWays(): Html {
  return html`<p class="note">Have you opened this page before? Use the same browser as then. You do not have to wait there.</p>
${ownerLinkNote()}`;
}

function ownersWay(): Html {
  return html`<p>Only its owner can open it, and readers with a link from the owner. If your link has ended, ask the person who sent it for a new one.</p>
${ownerLinkNote()}`;
}

function ownerLinkNote(): Html {
  return html`<p class="note">Is it yours? Sign in to your account, choose this project and press “Open as owner”.</p>`;
}

/**
 * The page of an owner link. A button redeems the link, so that link previews and scanners do not use it up.
 * @param page `to` is the path that is opened then
 */
export function ownerLinkPage({ brand, token, to }: OwnerLinkContent): Page {
  const title = 'View as the owner';
  const body = visitorFrame(
    brand,
    html`<div class="message">
${slipwayDrawing('none')}
<h1>${title}</h1>
<p>This link opens the page in this browser, even if it is private or has a password. Your visits are counted as the owner’s.</p>
<form class="form" method="post" action="/_slipway/owner">
<input type="hidden" name="token" value="${token}">
<input type="hidden" name="to" value="${to}">
<div class="choices"><button class="button" type="submit" autofocus>Open the page</button></div>
</form>
<p class="note">The link works once. This browser can then open the page for one day, or until its access or its password changes.</p>
</div>`,
  );
  return renderPage({ brand, title, body, noIndex: true, forms: true });
}

interface OwnerLinkContent {
  brand: string;
  token: string;
  to: string;
}

/** The page of a share link: a button for people, so that link previews and scanners open nothing, and a field for its password. */
export function shareLinkPage({
  brand,
  token,
  page,
  returnTo,
  needsPassword,
  error,
}: {
  brand: string;
  /** A secret of this page alone: pressing its button twice is one open. */
  page: string;
  /** Undefined where the browser's cookie names the link. */
  token: string | undefined;
  returnTo: string;
  needsPassword: boolean;
  error?: string | undefined;
}): Page {
  const title = needsPassword ? 'Enter the password' : 'Open this page';
  const body = visitorFrame(
    brand,
    html`<div class="message">
${slipwayDrawing('none')}
<h1>${title}</h1>
<p>Somebody has shared a page with you${needsPassword && ', and protected it. Enter the password that they gave you'}.</p>
<form class="form" method="post" action="/_slipway/share">
${token !== undefined && html`<input type="hidden" name="token" value="${token}">`}
<input type="hidden" name="page" value="${page}">
<input type="hidden" name="to" value="${returnTo}">
${needsPassword && passwordField(error)}
<div class="choices"><button class="button" type="submit"${!needsPassword && html` autofocus`}>Open the page</button></div>
</form>
<p class="note">The person who sent you this link can see when it is opened.</p>
</div>`,
  );
  return renderPage({ brand, title, body, noIndex: true, forms: true });
}

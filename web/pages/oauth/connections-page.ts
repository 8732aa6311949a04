import type { OAuthScope } from '../../../contract/oauth/oauth.ts';
import { connectionsStyle } from '../../styles/oauth-style.ts';
import { cardFrame } from '../parts/card-frame.ts';
import { type Html, html, isolatedName } from '../parts/html.ts';
import { formatInstant } from '../parts/format.ts';
import type { Page } from '../parts/page.ts';
import { type CodeFormInput, codeForm, emailForm } from '../parts/sign-in-forms.ts';
import { scopeTexts } from './scope-texts.ts';
import { spellHost } from './target-text.ts';

/** An app that a person allowed. */
interface ConnectedApp {
  id: string;
  clientName: string;
  redirectHost: string;
  scopes: readonly OAuthScope[];
  /** ISO 8601. */
  createdAt: string;
  lastUsedAt: string | null;
}

/** A browser that is signed in. */
interface SignedInBrowser {
  id: string;
  /** ISO 8601. */
  createdAt: string;
  lastUsedAt: string | null;
  browser: string | null;
  os: string | null;
  country: string | null;
  current: boolean;
}

/**
 * The apps that may act for a person and the browsers that are signed in, each with a button that ends
 * this. Disconnecting an app asks once more.
 *
 * The forms post `disconnect=<id>`, `sign-out=<id>`, `sign-out=others` or `account=other` to the page's own
 * address.
 */
export function connectionsPage(input: {
  brand: string;
  email: string;
  connections: readonly ConnectedApp[];
  sessions: readonly SignedInBrowser[];
}): Page {
  const { brand, email, connections, sessions } = input;
  const content = html`<h1>Access to your account</h1>
<dl class="facts"><dt>Account</dt><dd>${isolatedName(email)}</dd></dl>
<h2 class="part">Connected apps</h2>
<p>${connections.length === 0 ? html`No app can use ${brand} on your behalf.` : html`These apps can use ${brand} on your behalf until you disconnect them.`}</p>
${connections.length > 0 && html`<ul class="apps">${connections.map(app)}</ul>`}
<h2 class="part">Signed-in browsers</h2>
<p>Each browser is signed out automatically 30 days after it signed in.</p>
<ul class="apps">${sessions.map(browser)}</ul>
${sessions.length > 1 && html`<form class="form" method="post"><button class="button quiet" type="submit" name="sign-out" value="others">Sign out all others</button></form>`}
<form class="form" method="post"><p class="quiet-line hint">Not you? <button class="linked" type="submit" name="account" value="other">Use another account</button></p></form>`;
  const title = 'Access to your account';
  return cardFrame({ brand, title, hull: 'ready', content, style: connectionsStyle });
}

/** Asks who the person is, before their apps are shown. */
export function connectionsSignInPage(input: {
  brand: string;
  email?: string | undefined;
  error?: string | undefined;
}): Page {
  const { brand, ...form } = input;
  const content = html`<h1>Sign in to see who has access</h1>
<p>You see which apps can use ${brand} on your behalf and which browsers are signed in, and you can remove their access.</p>
${emailForm({ signUpOpen: false, ...form })}`;
  return cardFrame({ brand, title: 'Sign in', hull: 'ready', content });
}

/** Asks for the code from the e-mail. */
export function connectionsCodePage({ brand, ...form }: { brand: string } & CodeFormInput): Page {
  const content = html`<h1>Enter the code</h1>
${codeForm('Sign in', form)}`;
  return cardFrame({ brand, title: 'Enter the code', hull: 'ready', content });
}

function browser(session: SignedInBrowser): Html {
  const { id, createdAt, lastUsedAt, country, current } = session;
  const where = country === null ? '' : ` from ${country}`;
  const lastUse = lastUsedAt === null ? 'not used yet' : `last used ${formatInstant(lastUsedAt)}`;
  return html`<li>
<h3 id="browser-${id}">${isolatedName(session.browser ?? 'Unknown browser')}${session.os !== null && html` on ${isolatedName(session.os)}`}</h3>
<p class="hint">${current && 'This browser. '}Signed in ${formatInstant(createdAt)}${where}, ${lastUse}.</p>
${!current && html`<form method="post"><button class="button quiet" type="submit" name="sign-out" value="${id}" aria-describedby="browser-${id}">Sign out</button></form>`}
</li>`;
}

function app({ id, clientName, redirectHost, scopes, createdAt, lastUsedAt }: ConnectedApp): Html {
  const uses = scopes.map((scope) => scopeTexts[scope].title.toLowerCase()).join('; ');
  const lastUse = lastUsedAt === null ? 'not used yet' : `last used ${formatInstant(lastUsedAt)}`;
  return html`<li>
<h3 id="app-${id}">${isolatedName(clientName)}</h3>
<p class="hint">It can ${uses}.</p>
<p class="hint">Return address: ${spellHost(redirectHost)}. Connected ${formatInstant(createdAt)}, ${lastUse}.</p>
<details><summary class="button quiet" aria-describedby="app-${id}">Disconnect…</summary>
<p class="hint">It can act for you no longer, and upload links that it made end. What it published stays.</p>
<form method="post"><button class="button" type="submit" name="disconnect" value="${id}" aria-describedby="app-${id}">Disconnect now</button></form></details>
</li>`;
}

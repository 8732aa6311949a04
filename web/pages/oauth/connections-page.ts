import type { OAuthScope } from '../../../contract/oauth/oauth.ts';
import { connectionsStyle } from '../../styles/connections-style.ts';
import { cardFrame } from '../parts/card-frame.ts';
import { type Html, html, named } from '../parts/html.ts';
import { spellMoment } from '../parts/moments.ts';
import type { Page } from '../parts/page.ts';
import { type CodeAsked, codeForm, emailForm } from '../parts/sign-in-forms.ts';
import { scopeTexts } from './scope-texts.ts';

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
 * The apps that may act for a person and the browsers that are signed in, each with a button that
 * takes that back.
 *
 * The forms post `disconnect=<id>`, `sign-out=<id>`, `sign-out=others` or `account=other` to the
 * page's own address.
 */
export function connectionsPage(shown: {
  brand: string;
  email: string;
  connections: readonly ConnectedApp[];
  sessions: readonly SignedInBrowser[];
}): Page {
  const { brand, email, connections, sessions } = shown;
  const content = html`<h1>Access to your account</h1>
<dl class="facts"><dt>Account</dt><dd>${named(email)}</dd></dl>
<h2 class="part">Connected apps</h2>
<p>${connections.length === 0 ? html`No app can use ${brand} in your name.` : html`These apps can use ${brand} in your name until you disconnect them.`}</p>
${connections.length > 0 && html`<ul class="apps">${connections.map(app)}</ul>`}
<h2 class="part">Signed-in browsers</h2>
<p>Each is signed out by itself 30 days after its sign-in.</p>
<ul class="apps">${sessions.map(browser)}</ul>
${sessions.length > 1 && html`<form class="form" method="post"><button class="button quiet" type="submit" name="sign-out" value="others">Sign out all others</button></form>`}
<form class="form" method="post"><p class="quiet-line hint">Not you? <button class="linked" type="submit" name="account" value="other">Use another account</button></p></form>`;
  const title = 'Access to your account';
  return cardFrame({ brand, title, hull: 'ready', content, style: connectionsStyle });
}

/** Asks who the person is, before their apps are shown. */
export function connectionsSignInPage(asked: {
  brand: string;
  email?: string | undefined;
  error?: string | undefined;
}): Page {
  const { brand, ...form } = asked;
  const content = html`<h1>Sign in to see who has access</h1>
<p>The apps that you let use ${brand} in your name, the browsers that are signed in, and how to take that back.</p>
${emailForm({ signUpOpen: false, ...form })}`;
  return cardFrame({ brand, title: 'Sign in', hull: 'ready', content });
}

/** Asks for the code from the e-mail. */
export function connectionsCodePage({ brand, ...form }: { brand: string } & CodeAsked): Page {
  const content = html`<h1>Enter the code</h1>
${codeForm('Sign in', form)}`;
  return cardFrame({ brand, title: 'Enter the code', hull: 'ready', content });
}

function browser(session: SignedInBrowser): Html {
  const { id, createdAt, lastUsedAt, country, current } = session;
  const where = country === null ? '' : ` from ${country}`;
  const lastUse = lastUsedAt === null ? 'not used yet' : `last used ${spellMoment(lastUsedAt)}`;
  return html`<li>
<h3 id="browser-${id}">${named(session.browser ?? 'Unknown browser')}${session.os !== null && html` on ${named(session.os)}`}</h3>
<p class="hint">${current && 'This browser. '}Signed in ${spellMoment(createdAt)}${where}, ${lastUse}.</p>
${!current && html`<form method="post"><button class="button quiet" type="submit" name="sign-out" value="${id}" aria-describedby="browser-${id}">Sign out</button></form>`}
</li>`;
}

function app({ id, clientName, redirectHost, scopes, createdAt, lastUsedAt }: ConnectedApp): Html {
  const uses = scopes.map((scope) => scopeTexts[scope].title.toLowerCase()).join('; ');
  const lastUse = lastUsedAt === null ? 'not used yet' : `last used ${spellMoment(lastUsedAt)}`;
  return html`<li>
<h3 id="app-${id}">${named(clientName)}</h3>
<p class="hint">It can ${uses}.</p>
<p class="hint">Answers go to ${named(redirectHost)}. Connected ${spellMoment(createdAt)}, ${lastUse}.</p>
<form method="post"><button class="button quiet" type="submit" name="disconnect" value="${id}" aria-describedby="app-${id}">Disconnect</button></form>
</li>`;
}

import type { OAuthScope } from '../../../contract/oauth.ts';
import { connectionsStyle } from '../../styles/connections-style.ts';
import { cardFrame } from '../card-frame.ts';
import { type Html, html, named } from '../html.ts';
import { spellMoment } from '../moments.ts';
import type { Page } from '../page.ts';
import { type CodeAsked, codeForm, emailForm } from '../sign-in-forms.ts';
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

/**
 * The apps that may act for a person, each with a button that takes that back.
 *
 * The forms post `disconnect=<id>` or `account=other` to the page's own address.
 */
export function connectionsPage(shown: {
  brand: string;
  email: string;
  connections: readonly ConnectedApp[];
}): Page {
  const { brand, email, connections } = shown;
  const content = html`<h1>Connected apps</h1>
<p>${connections.length === 0 ? html`No app can use ${brand} in your name.` : html`These apps can use ${brand} in your name until you disconnect them.`}</p>
<dl class="facts"><dt>Account</dt><dd>${named(email)}</dd></dl>
${connections.length > 0 && html`<ul class="apps">${connections.map(app)}</ul>`}
<form class="form" method="post"><p class="quiet-line hint">Not you? <button class="linked" type="submit" name="account" value="other">Use another account</button></p></form>`;
  const title = 'Connected apps';
  return cardFrame({ brand, title, hull: 'ready', content, style: connectionsStyle });
}

/** Asks who the person is, before their apps are shown. */
export function connectionsSignInPage(asked: {
  brand: string;
  email?: string | undefined;
  error?: string | undefined;
}): Page {
  const { brand, ...form } = asked;
  const content = html`<h1>Sign in to see your connected apps</h1>
<p>The apps that you let use ${brand} in your name, and how to take that back.</p>
${emailForm({ signUpOpen: false, ...form })}`;
  return cardFrame({ brand, title: 'Sign in', hull: 'ready', content });
}

/** Asks for the code from the e-mail. */
export function connectionsCodePage({ brand, ...form }: { brand: string } & CodeAsked): Page {
  const content = html`<h1>Enter the code</h1>
${codeForm('Sign in', form)}`;
  return cardFrame({ brand, title: 'Enter the code', hull: 'ready', content });
}

function app({ id, clientName, redirectHost, scopes, createdAt, lastUsedAt }: ConnectedApp): Html {
  const uses = scopes.map((scope) => scopeTexts[scope].title.toLowerCase()).join('; ');
  const lastUse = lastUsedAt === null ? 'not used yet' : `last used ${spellMoment(lastUsedAt)}`;
  return html`<li>
<h2 id="app-${id}">${named(clientName)}</h2>
<p class="hint">It can ${uses}.</p>
<p class="hint">Answers go to ${named(redirectHost)}. Connected ${spellMoment(createdAt)}, ${lastUse}.</p>
<form method="post"><button class="button quiet" type="submit" name="disconnect" value="${id}" aria-describedby="app-${id}">Disconnect</button></form>
</li>`;
}

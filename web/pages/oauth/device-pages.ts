import type { OAuthScope } from '../../../contract/oauth/oauth.ts';
import { consentStyle } from '../../styles/oauth-style.ts';
import { cardFrame } from '../parts/card-frame.ts';
import { formatInstant } from '../parts/format.ts';
import { formError, type Html, html, isolatedName } from '../parts/html.ts';
import type { Page } from '../parts/page.ts';
import { type CodeFormInput, codeForm, emailForm } from '../parts/sign-in-forms.ts';
import { scopeLists } from './scope-texts.ts';

/** Said wherever a person could act for somebody else: such codes are phished (RFC 8628 §5.4). */
const warning = html`<p><strong>Did somebody send you this link or code? Then stop.</strong> Whoever began the sign-in gets access to your account, and nobody needs your help for that.</p>`;

/** Asks who the person is, before they decide about a program. */
export function deviceSignInPage(input: {
  brand: string;
  signUpOpen: boolean;
  email?: string | undefined;
  error?: string | undefined;
}): Page {
  const { brand, ...form } = input;
  const content = html`<h1>Sign in to connect a command line</h1>
<p>A program in a terminal asks for access to your ${brand} account. Sign in first. Then you see what it wants to do, and you decide.</p>
${warning}
${emailForm(form)}`;
  return cardFrame({ brand, title: 'Sign in', hull: 'ready', content });
}

/** Asks for the code from the e-mail. */
export function deviceMailCodePage({ brand, ...form }: { brand: string } & CodeFormInput): Page {
  const content = html`<h1>Enter the code from the e-mail</h1>
<p>You are signing in to connect a command line. The code in the terminal is another one.</p>
${codeForm('Sign in', form)}`;
  return cardFrame({ brand, title: 'Enter the code', hull: 'ready', content });
}

/** Asks for the code that the terminal shows; its form opens the page with `user_code`. */
export function deviceCodePage(input: { brand: string; error?: string | undefined }): Page {
  const { brand, error } = input;
  const content = html`<h1>Connect a command line</h1>
<form class="form" method="get">
${formError('code-error', error)}
<div class="field">
<label for="user-code">Code in your terminal</label>
<input id="user-code" name="user_code" type="text" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="20" required autofocus aria-describedby="${error === undefined ? 'code-hint' : 'code-error code-hint'}"${error !== undefined && html` aria-invalid="true"`}>
<p class="hint" id="code-hint">Eight letters, such as WDJB-MJHT. It works for ten minutes.</p>
</div>
<div class="choices"><button class="button" type="submit">Continue</button></div>
</form>
${warning}`;
  return cardFrame({ brand, title: 'Connect a command line', hull: 'ready', content });
}

/** The program that a person may allow. */
export interface DeviceRequest {
  brand: string;
  /** As the terminal shows it. */
  userCode: string;
  scopes: readonly OAuthScope[];
  /** The IP address that asked, its country in words, and whether it is in the network of this browser. */
  address: string;
  country: string | undefined;
  isInOwnNetwork: boolean;
  /** ISO 8601. */
  createdAt: string;
  /** The address of the signed-in account. */
  email: string;
  /** Proves that the form was shown to this person for this code. */
  proof: string;
}

/**
 * Asks whether a program in a terminal may act for the person: its code, where it runs, and for what it asks.
 *
 * Its form posts `proof` and one of `decision=allow`, `decision=deny` and `account=other` to the page's own address.
 */
export function deviceConsentPage(request: DeviceRequest): Page {
  const { brand, userCode, scopes, createdAt, email, proof } = request;
  const content = html`<h1>Connect a command line?</h1>
<p>A program that says it is the command line of ${brand} asks for an API key of your account. Compare the code with the one in your terminal.</p>
<dl class="facts"><dt>Code</dt><dd><strong>${userCode}</strong></dd><dt>Asked from</dt><dd>${place(request)}</dd><dt>Asked at</dt><dd>${formatInstant(createdAt)}</dd><dt>Account</dt><dd>${isolatedName(email)}</dd></dl>
${warning}
${scopeLists(scopes)}
<p class="hint">The key ends when it is not used for 90 days. You can end it at any time under <a href="/dashboard/keys">API keys</a>.</p>
<form class="form" method="post">
<input type="hidden" name="proof" value="${proof}">
<div class="choices"><button class="button" type="submit" name="decision" value="allow">Allow</button><button class="button quiet" type="submit" name="decision" value="deny">Don’t allow</button></div>
<p class="quiet-line hint">Not you? <button class="linked" type="submit" name="account" value="other">Use another account</button></p>
</form>`;
  const title = 'Connect a command line';
  return cardFrame({ brand, title, hull: 'ready', content, style: consentStyle });
}

/** Says what was decided. */
export function deviceDonePage(input: { brand: string; isAllowed: boolean }): Page {
  const { brand, isAllowed } = input;
  const title = isAllowed ? 'The command line is connected' : 'Nothing was allowed';
  const next = isAllowed
    ? html`<p>Go back to your terminal: it continues in a few seconds. You can close this page. The key is listed under <a href="/dashboard/keys">API keys</a>.</p>`
    : html`<p>The program gets no access. You can close this page.</p>`;
  const hull = isAllowed ? 'afloat' : 'none';
  return cardFrame({ brand, title, hull, content: html`<h1>${title}</h1>${next}` });
}

function place({ address, country, isInOwnNetwork }: DeviceRequest): Html {
  const near = isInOwnNetwork
    ? 'the network of this browser'
    : 'another network than the one of this browser';
  return html`${isolatedName(address)}${country !== undefined && html`, ${country}`}: ${near}`;
}

import { codeLifeSeconds } from '../../../core/accounts/sign-in/sign-in-code.ts';
import { fault } from './fault.ts';
import { type Html, html, named } from './html.ts';
import { count } from './sizes.ts';

/** The form that asks for an address; it posts `email` to the page's own address. */
export function emailForm(ask: {
  /** Whether anybody may have a new account. */
  signUpOpen: boolean;
  /** What was entered before. */
  email?: string | undefined;
  error?: string | undefined;
}): Html {
  const { signUpOpen, email, error } = ask;
  const described = error === undefined ? 'email-hint' : 'email-error email-hint';
  return html`<form class="form" method="post">
${fault('email-error', error)}
<div class="field">
<label for="email">Your e-mail address</label>
<input id="email" name="email" type="email" value="${email ?? ''}" autocomplete="email" maxlength="254" spellcheck="false" autocapitalize="none" required autofocus aria-describedby="${described}"${error !== undefined && html` aria-invalid="true"`}>
<p class="hint" id="email-hint">It gets a six-digit code, which is all you need to sign in.${signUpOpen && ' There is an account for you afterwards, if you have none yet.'}</p>
</div>
<div class="choices"><button class="button" type="submit">Send me a code</button></div>
</form>`;
}

/** What is told and asked of whoever has been sent a code. */
export interface CodeAsked {
  email: string;
  resendAvailableInSeconds: number;
  /** Whether six digits are of no more use, and the form asks for the long code of the e-mail. */
  needsLongCode?: boolean | undefined;
  /** What went well, such as that the code was sent again. */
  notice?: string | undefined;
  error?: string | undefined;
}

const digitsInput = html`class="digits" inputmode="numeric" autocomplete="one-time-code" pattern="\\s*([0-9]\\s*){6}|[A-Za-z\\s\\-]{24,60}" maxlength="60" title="Six digits"`;
const longCodeInput = html`autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="60"`;

/**
 * The form that asks for the code, and what to know of it.
 *
 * It posts `email` and `code` to the page's own address; with the second button it posts `resend=1`
 * as well, and the code may be empty then. The code may come with the spaces that mail programs put
 * between digits. Either form takes the long code as well. The link opens the page anew.
 */
export function codeForm(button: string, asked: CodeAsked): Html {
  const { email, resendAvailableInSeconds, needsLongCode = false, notice, error } = asked;
  const described = error === undefined ? 'code-hint' : 'code-error code-hint';
  return html`<p>A six-digit code is on its way to <strong>${named(email)}</strong>. It works for ${count(codeLifeSeconds / 60, 'minute')}.</p>
${notice !== undefined && html`<p class="muted" role="status">${notice}</p>`}
<form class="form" method="post">
${fault('code-error', error)}
<input type="hidden" name="email" value="${email}">
<div class="field">
<label for="code">${needsLongCode ? 'Long code from the e-mail' : 'Code from the e-mail'}</label>
<input id="code" name="code" type="text" ${needsLongCode ? longCodeInput : digitsInput} required autofocus aria-describedby="${described}"${error !== undefined && html` aria-invalid="true"`}>
<p class="hint" id="code-hint">No e-mail? Look into the spam folder.${resendAvailableInSeconds > 0 && html` It can be sent again in ${count(resendAvailableInSeconds, 'second')}.`}</p>
</div>
<div class="choices"><button class="button" type="submit">${button}</button><button class="button quiet" type="submit" name="resend" value="1" formnovalidate>Send it again</button></div>
<p><a href="">Use another address</a></p>
</form>`;
}

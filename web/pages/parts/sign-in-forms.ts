import { codeLifeSeconds } from '../../../core/accounts/sign-in/sign-in-code.ts';
import { formError, type Html, html, isolatedName } from './html.ts';
import { formatCount } from './format.ts';

/** The form that asks for an address; it posts `email` to the page's own address. */
export function emailForm(ask: {
  /** Whether anybody may have a new account. */
  signUpOpen: boolean;
  /** The earlier input. */
  email?: string | undefined;
  error?: string | undefined;
}): Html {
  const { signUpOpen, email, error } = ask;
  const described = error === undefined ? 'email-hint' : 'email-error email-hint';
  return html`<form class="form" method="post">
${formError('email-error', error)}
<div class="field">
<label for="email">Your e-mail address</label>
<input id="email" name="email" type="email" value="${email ?? ''}" autocomplete="email" maxlength="254" spellcheck="false" autocapitalize="none" required autofocus aria-describedby="${described}"${error !== undefined && html` aria-invalid="true"`}>
<p class="hint" id="email-hint">We’ll e-mail you a six-digit code.${signUpOpen && ' New here? The code creates your account.'}</p>
</div>
<div class="choices"><button class="button" type="submit">Send me a code</button></div>
</form>`;
}

/** The input of the form for a code. */
export interface CodeFormInput {
  email: string;
  resendAvailableInSeconds: number;
  /**
   * Whether six digits are not accepted any more, so that the form asks for the long code of the
   * e-mail.
   */
  needsLongCode?: boolean | undefined;
  /** A message about a success, for example that the code was sent again. */
  notice?: string | undefined;
  error?: string | undefined;
}

const digitsInput = html`class="digits" inputmode="numeric" autocomplete="one-time-code" pattern="\\s*([0-9]\\s*){6}|[A-Za-z\\s\\-]{24,60}" maxlength="60" title="Six digits"`;
const longCodeInput = html`autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="60"`;

/**
 * The form that asks for the code, with its explanations.
 *
 * It posts `email` and `code` to the page's own address; with the second button it posts `resend=1`
 * as well, and the code may be empty then. The code may contain spaces, which some mail programs
 * add between digits. Both forms also accept the long code. The link opens the page again.
 */
export function codeForm(button: string, input: CodeFormInput): Html {
  const { email, resendAvailableInSeconds, needsLongCode = false, notice, error } = input;
  const described = error === undefined ? 'code-hint' : 'code-error code-hint';
  return html`<p>A six-digit code is on its way to <strong>${isolatedName(email)}</strong>. It works for ${formatCount(codeLifeSeconds / 60, 'minute')}.</p>
${notice !== undefined && html`<p class="muted" role="status">${notice}</p>`}
<form class="form" method="post">
${formError('code-error', error)}
<input type="hidden" name="email" value="${email}">
<div class="field">
<label for="code">${needsLongCode ? 'Long code from the e-mail' : 'Code from the e-mail'}</label>
<input id="code" name="code" type="text" ${needsLongCode ? longCodeInput : digitsInput} required autofocus aria-describedby="${described}"${error !== undefined && html` aria-invalid="true"`}>
<p class="hint" id="code-hint">No e-mail? Check your spam folder.${resendAvailableInSeconds > 0 && html` The code can be sent again in ${formatCount(resendAvailableInSeconds, 'second')}.`}</p>
</div>
<div class="choices"><button class="button" type="submit">${button}</button><button class="button quiet" type="submit" name="resend" value="1" formnovalidate>Send it again</button></div>
<p><a href="">Use another address</a></p>
</form>`;
}

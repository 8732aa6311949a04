import { html } from '../pages/parts/html.ts';
import { formatCount } from '../pages/parts/format.ts';
import {
  type Mail,
  mailFrame,
  mutedStyle,
  paragraphStyle,
  plainText,
  type Sender,
  senderOf,
} from './mail-frame.ts';

/** The digits of a code, large and easy to select. */
export const digitsStyle =
  "margin:0 0 16px;padding:18px 8px 18px 18px;border-radius:10px;background:#d9e9ea;color:#12242c;font:700 34px/1.2 ui-monospace,SFMono-Regular,Menlo,Consolas,'Courier New',monospace;letter-spacing:10px;text-align:center;white-space:nowrap;-webkit-user-select:all;user-select:all";

/** The codes in the mail, and the minutes for which each works. */
interface SignInCodes {
  digits: string;
  minutes: number;
  longCode: string;
  longCodeMinutes: number;
}

/**
 * The mail that brings a sign-in code.
 *
 * The code is in the subject, so that it can be read in a notification. The digits are one word,
 * spaced only by style, so that a copied code has no spaces. The long code works even if strangers
 * have used up the tries for the digits.
 */
export function signInMail(mail: Sender & SignInCodes): Mail {
  const { digits, longCode } = mail;
  const sender = senderOf(mail);
  const { brand } = sender;
  const life = formatCount(mail.minutes, 'minute');
  const subject = `${digits} is your ${brand} code`;
  const use = 'Enter it on the page where you asked for it.';
  const valid = `It works once, for ${life}.`;
  const secret = `Nobody from ${brand} will ever ask you for this code.`;
  const ignore =
    'If you did not ask for it, ignore this e-mail. Nobody can sign in without the code.';
  const why = 'If the code is refused because of too many wrong codes, use this long code:';
  const longLife = `It works for ${formatCount(mail.longCodeMinutes, 'minute')}.`;
  const body = html`<h1 style="margin:0 0 16px;font-size:20px;line-height:1.3">Your sign-in code</h1>
<p class="digits" style="${digitsStyle}">${digits}</p>
<p style="${paragraphStyle}">${use} ${valid}</p>
<p class="muted" style="${mutedStyle}">${why}<br><code style="white-space:nowrap">${longCode}</code><br>${longLife}</p>
<p class="muted" style="${mutedStyle}">${secret}</p>
<p class="muted" style="${mutedStyle}">${ignore}</p>`;
  const preheader = `${use} ${valid}`;
  return {
    subject,
    text: plainText(sender, [
      `Your ${brand} sign-in code:`,
      `    ${digits}`,
      `${use}\n${valid}`,
      `${why}\n    ${longCode}\n${longLife}`,
      secret,
      ignore,
    ]),
    html: mailFrame({ sender, subject, preheader, body }),
  };
}

/** The mail instead of a code where sign-up is closed and the address has no account. Only the mail says so, never the page. */
export function noSignUpMail(mail: Sender): Mail {
  const sender = senderOf(mail);
  const { brand } = sender;
  const subject = `Signing in to ${brand}`;
  const what = `Someone asked for a ${brand} sign-in code for this address. No account has this address, and new accounts are not open to everybody.`;
  const next =
    'If you have an account, ask for a code with the address of that account. Otherwise, ask the operator of this service for an account.';
  const ignore = 'If it was not you, ignore this e-mail. Nothing was created.';
  const body = html`<h1 style="margin:0 0 16px;font-size:20px;line-height:1.3">There is no account for this address</h1>
<p style="${paragraphStyle}">${what}</p>
<p style="${paragraphStyle}">${next}</p>
<p class="muted" style="${mutedStyle}">${ignore}</p>`;
  return {
    subject,
    text: plainText(sender, ['There is no account for this address.', what, next, ignore]),
    html: mailFrame({ sender, subject, preheader: 'There is no account for this address.', body }),
  };
}

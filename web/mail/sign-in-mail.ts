import { html } from '../pages/parts/html.ts';
import { count } from '../pages/parts/sizes.ts';
import {
  type Mail,
  mailFrame,
  mutedStyle,
  oneLine,
  paragraphStyle,
  plainText,
  type Sender,
} from './mail-frame.ts';

const digitsStyle =
  "margin:0 0 16px;padding:18px 8px 18px 18px;border-radius:10px;background:#d9e9ea;color:#12242c;font:700 34px/1.2 ui-monospace,SFMono-Regular,Menlo,Consolas,'Courier New',monospace;letter-spacing:10px;text-align:center;white-space:nowrap;-webkit-user-select:all;user-select:all";

/** What the mail brings, and how many minutes each of the two works. */
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
 * spaced by style alone: what is copied is what has to be entered. The long code helps where others
 * have used up the tries for the digits.
 */
export function signInMail(mail: Sender & SignInCodes): Mail {
  const { digits, longCode } = mail;
  const sender = { brand: oneLine(mail.brand), baseUrl: mail.baseUrl };
  const { brand } = sender;
  const life = count(mail.minutes, 'minute');
  const subject = `${digits} is your ${brand} code`;
  const use = 'Enter it where you asked for it.';
  const valid = `It works once, for ${life}.`;
  const secret = `Nobody from ${brand} will ever ask you for this code.`;
  const ignore =
    'If you did not ask for it, ignore this e-mail. Nobody can sign in without the code.';
  const why = 'If the code is refused because of too many wrong codes, use this long code:';
  const longLife = `It works for ${count(mail.longCodeMinutes, 'minute')}.`;
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

/** The mail in the place of a code where strangers may not sign up: to whoever asked, and only by e-mail. */
export function noSignUpMail(mail: Sender): Mail {
  const sender = { brand: oneLine(mail.brand), baseUrl: mail.baseUrl };
  const { brand } = sender;
  const subject = `Signing in to ${brand}`;
  const what = `A sign-in code for ${brand} was asked for with this address, but no account has it, and new accounts are not open to everybody.`;
  const next =
    'If you have an account, ask for the code with the address it was made with. Otherwise ask whoever runs this service to let you in.';
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

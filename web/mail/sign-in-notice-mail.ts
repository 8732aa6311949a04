import { type Html, html } from '../pages/parts/html.ts';
import { formatInstant } from '../pages/parts/format.ts';
import {
  type Mail,
  mailFrame,
  mutedStyle,
  oneLine,
  paragraphStyle,
  plainText,
  type Sender,
  senderOf,
} from './mail-frame.ts';

/** The facts of a sign-in for the mail to the account's owner. */
export interface SignInNotice extends Sender {
  granted: 'session' | 'key';
  /** ISO 8601. */
  at: string;
  browser: string | null;
  os: string | null;
  /** ISO 3166-1 alpha-2. */
  country: string | null;
  /** The page where the owner ends sessions. */
  sessionsUrl: string;
}

/** The mail that tells an owner of a sign-in from a browser that is new to the account, or of a new key. */
export function signInNoticeMail(mail: SignInNotice): Mail {
  const sender = senderOf(mail);
  const { brand } = sender;
  const isKey = mail.granted === 'key';
  const subject = isKey
    ? `A new key for your ${brand} account`
    : `A new browser signed in to ${brand}`;
  const what = isKey
    ? 'A program signed in with a code that was sent to this address, and received an API key.'
    : 'A browser that is new to your account signed in with a code that was sent to this address.';
  const facts = factsOf(mail);
  const fine = 'If it was you, there is nothing to do.';
  const other =
    'If it was not you, someone else can read your e-mail. Change the password of your mailbox first.';
  const end = isKey
    ? 'Then delete the key in the list of your API keys.'
    : 'Then sign the browser out on this page:';
  const link = isKey ? [] : [mail.sessionsUrl];
  const body = html`<h1 style="margin:0 0 16px;font-size:20px;line-height:1.3">${subject}</h1>
<p style="${paragraphStyle}">${what}</p>
${facts.map(([name, value]) => fact(name, value))}
<p style="${paragraphStyle}">${fine}</p>
<p style="${paragraphStyle}">${other} ${end}</p>
${link.map((url) => html`<p style="${paragraphStyle}"><a href="${url}">${url}</a></p>`)}`;
  const listed = facts.map(([name, value]) => `    ${name}: ${value}`).join('\n');
  return {
    subject,
    text: plainText(sender, [what, listed, fine, `${other} ${end}`, ...link]),
    html: mailFrame({ sender, subject, preheader: what, body }),
  };
}

function factsOf({ at, browser, os, country }: SignInNotice): [string, string][] {
  return [
    ['When', formatInstant(at)],
    ['Browser', oneLine(browser ?? 'unknown')],
    ['System', oneLine(os ?? 'unknown')],
    ['Country', oneLine(country ?? 'unknown')],
  ];
}

function fact(name: string, value: string): Html {
  return html`<p class="muted" style="${mutedStyle}">${name}: ${value}</p>`;
}

import type { SignInNotice } from '../../core/accounts/sign-in/sign-in-notice.ts';
import { type Html, html } from '../pages/parts/html.ts';
import { formatInstant } from '../pages/parts/format.ts';
import { countryName } from './open-mail.ts';
import {
  type Mail,
  mutedStyle,
  noticeMail,
  oneLine,
  paragraphStyle,
  type Sender,
} from './mail-frame.ts';

/** The mail that tells an owner of a sign-in from a browser that is new to the account, or of a new key. */
export function signInNoticeMail(mail: Sender & SignInNotice): Mail {
  const brand = oneLine(mail.brand);
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
    ? 'Then delete the key on this page:'
    : 'Then sign the browser out on this page:';
  return noticeMail(mail, {
    subject,
    paragraphs: [
      what,
      {
        text: facts.map(([name, value]) => `    ${name}: ${value}`).join('\n'),
        html: html`${facts.map(([name, value]) => fact(name, value))}`,
      },
      fine,
      `${other} ${end}`,
      linkTo(`${mail.baseUrl}/dashboard/${isKey ? 'keys' : 'account'}`),
    ],
  });
}

function linkTo(url: string) {
  return { text: url, html: html`<p style="${paragraphStyle}"><a href="${url}">${url}</a></p>` };
}

function factsOf({ at, browser, os, country }: SignInNotice): [string, string][] {
  return [
    ['When', formatInstant(at)],
    ['Browser', oneLine(browser ?? 'unknown')],
    ['System', oneLine(os ?? 'unknown')],
    ['Country', country === null ? 'unknown' : oneLine(countryName(country))],
  ];
}

function fact(name: string, value: string): Html {
  return html`<p class="muted" style="${mutedStyle}">${name}: ${value}</p>`;
}

import { html } from '../pages/parts/html.ts';
import { formatCount } from '../pages/parts/format.ts';
import {
  digitsParagraph,
  longCodeParagraph,
  type Mail,
  noticeMail,
  oneLine,
  paragraphStyle,
  type Sender,
} from './mail-frame.ts';

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
  const brand = oneLine(mail.brand);
  const life = formatCount(mail.minutes, 'minute');
  const subject = `${digits} is your ${brand} code`;
  const use = 'Enter it on the page where you asked for it.';
  const valid = `It works once, for ${life}.`;
  const secret = `Nobody from ${brand} will ever ask you for this code.`;
  const ignore =
    'If you did not ask for it, ignore this e-mail. Nobody can sign in without the code.';
  const longLife = `It works for ${formatCount(mail.longCodeMinutes, 'minute')}.`;
  return noticeMail(mail, {
    subject,
    heading: 'Your sign-in code',
    preheader: `${use} ${valid}`,
    paragraphs: [
      { text: `Your ${brand} sign-in code:`, html: html`` },
      digitsParagraph(digits),
      {
        text: `${use}\n${valid}`,
        html: html`<p style="${paragraphStyle}">${use} ${valid}</p>`,
      },
      longCodeParagraph(longCode, longLife),
    ],
    other: [secret, ignore],
  });
}

/** The mail instead of a code where sign-up is closed and the address has no account. Only the mail says so, never the page. */
export function noSignUpMail(mail: Sender): Mail {
  const brand = oneLine(mail.brand);
  const what = `Someone asked for a ${brand} sign-in code for this address. No account has this address, and new accounts are not open to everybody.`;
  const next =
    'If you have an account, ask for a code with the address of that account. Otherwise, ask the operator of this service for an account.';
  const ignore = 'If it was not you, ignore this e-mail. Nothing was created.';
  return noticeMail(mail, {
    subject: `Signing in to ${brand}`,
    heading: 'There is no account for this address',
    preheader: 'There is no account for this address.',
    paragraphs: [{ text: 'There is no account for this address.', html: html`` }, what, next],
    other: [ignore],
  });
}

/** The mail to somebody whom an operator invited. Its link only opens a page: it signs nobody in, and may be passed on without harm. */
export function invitationMail(mail: Sender & { email: string; url: string }): Mail {
  const brand = oneLine(mail.brand);
  const subject = `You are invited to ${brand}`;
  const what = `You can now have an account at ${brand}, where files and whole sites become links that you can share.`;
  const next = `Open this page and sign in with ${mail.email}. We e-mail you a code then; there is no password to choose. The invitation works for 30 days.`;
  const ignore =
    'If you do not want an account, ignore this e-mail. Nothing is created until you sign in.';
  const link = html`<p style="${paragraphStyle}"><a href="${mail.url}" style="color:#17616d">${mail.url}</a></p>`;
  return noticeMail(mail, {
    subject,
    preheader: what,
    paragraphs: [what, next, { text: mail.url, html: link }],
    other: [ignore],
  });
}

import { formatCount, formatInstant } from '../pages/parts/format.ts';
import { digitsParagraph, type Mail, noticeMail, oneLine, type Sender } from './mail-frame.ts';

/** A code for a change of an account's e-mail address. */
interface ChangeCode extends Sender {
  digits: string;
  minutes: number;
}

/** To the current address, when somebody who is signed in wants to change it. */
export function currentAddressMail(mail: ChangeCode & { newEmail: string }): Mail {
  const { digits, minutes } = mail;
  const brand = oneLine(mail.brand);
  return noticeMail(mail, {
    subject: `${digits} confirms the change of your ${brand} address`,
    paragraphs: [
      digitsParagraph(digits),
      `Somebody who is signed in to your account wants to change its e-mail address to ${oneLine(mail.newEmail)}.`,
      `If it is you, enter this code as the code of your current address. It works once, for ${formatCount(minutes, 'minute')}.`,
    ],
    other: [
      `If it is not you, give this code to nobody: without it, nothing changes. Then sign in at ${mail.baseUrl}/dashboard/account and sign out all other browsers.`,
    ],
  });
}

/** To the new address. Whose account it is, the mail does not say: the address may be a mistake. */
export function newAddressMail(mail: ChangeCode): Mail {
  const { digits, minutes } = mail;
  const brand = oneLine(mail.brand);
  return noticeMail(mail, {
    subject: `${digits} confirms your new ${brand} address`,
    paragraphs: [
      digitsParagraph(digits),
      `Somebody wants to use this address for a ${brand} account.`,
      `If it is you, enter this code as the code of the new address. It works once, for ${formatCount(minutes, 'minute')}.`,
    ],
    other: ['If it is not you, ignore this e-mail. Nothing happens without the code.'],
  });
}

/** To a new address that has an account already. Only the mail says so, never the page. */
export function addressInUseMail(mail: Sender): Mail {
  const brand = oneLine(mail.brand);
  return noticeMail(mail, {
    subject: `This address has a ${brand} account`,
    paragraphs: [
      `Somebody wants to use this address for another ${brand} account. It has an account already, so there is no code.`,
      'If it is you, delete the account of this address first, or use another address.',
    ],
    other: ['If it is not you, ignore this e-mail. Nothing was changed.'],
  });
}

/** To the former address, after the change. */
export function addressChangedMail(mail: Sender & { newEmail: string }): Mail {
  const brand = oneLine(mail.brand);
  return noticeMail(mail, {
    subject: `Your ${brand} account has another e-mail address`,
    paragraphs: [
      `Its address is ${oneLine(mail.newEmail)} now. Codes for signing in go there.`,
      'All other browsers were signed out. API keys and connected apps work as before.',
    ],
    other: [
      'Both mailboxes confirmed the change. If it was not you, change the password of this mailbox, and tell the operator of this service at once.',
    ],
  });
}

/** To the owner of an account that was deleted. */
export function accountClosedMail(mail: Sender & { restorableUntil: string }): Mail {
  const brand = oneLine(mail.brand);
  return noticeMail(mail, {
    subject: `Your ${brand} account was deleted`,
    paragraphs: [
      'Its keys and apps no longer work, and its projects go offline.',
      `Sign in at ${mail.baseUrl}/dashboard before ${formatInstant(mail.restorableUntil)} to restore everything. After that it is deleted for good.`,
    ],
    other: ['If it was not you, sign in now, and sign out all other browsers.'],
  });
}

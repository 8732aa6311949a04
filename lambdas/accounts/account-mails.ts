import { emailChangeSeconds } from '../../core/accounts/email-change/email-change.ts';
import type { EmailChangeMailer } from '../../core/accounts/email-change/request-email-change.ts';
import type { ClosingNotifier } from '../../core/accounts/closing/close-account.ts';
import {
  accountClosedMail,
  addressChangedMail,
  addressInUseMail,
  currentAddressMail,
  newAddressMail,
} from '../../web/mail/account-mails.ts';
import type { Mail, Sender } from '../../web/mail/mail-frame.ts';
import { accountMail } from '../shared/account-mail.ts';

/** Sends the mails about a change of an account's address and about its deletion. */
export function accountMailer(): EmailChangeMailer & ClosingNotifier {
  const minutes = emailChangeSeconds / 60;
  const mail = accountMail();
  const send = (to: string, write: (sender: Sender) => Mail) =>
    mail.send(to, 'so no address can be changed', write);
  return {
    sendCurrentCode: (email, code) =>
      send(email, (sender) => currentAddressMail({ ...sender, ...code, minutes })),
    sendNewCode: (email, code) =>
      send(email, (sender) => newAddressMail({ ...sender, ...code, minutes })),
    sendAddressInUse: (email) => send(email, addressInUseMail),
    sendChanged: (email, change) =>
      send(email, (sender) => addressChangedMail({ ...sender, ...change })),
    sendClosed: (email, closed) =>
      mail.notify(email, (sender) => accountClosedMail({ ...sender, ...closed })),
  };
}

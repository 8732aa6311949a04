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
import { accountMail } from '../shared/account-mail.ts';

/** Sends the mails about a change of an account's address and about its deletion. */
export function accountMailer(): EmailChangeMailer & ClosingNotifier {
  const minutes = emailChangeSeconds / 60;
  const mail = accountMail();
  const purpose = 'so no address can be changed';
  return {
    sendCurrentCode: (email, code) =>
      mail.send(email, purpose, currentAddressMail, { ...code, minutes }),
    sendNewCode: (email, code) => mail.send(email, purpose, newAddressMail, { ...code, minutes }),
    sendAddressInUse: (email) => mail.send(email, purpose, addressInUseMail, {}),
    sendChanged: (email, change) => mail.send(email, purpose, addressChangedMail, change),
    sendClosed: (email, closed) => mail.notify(email, accountClosedMail, closed),
  };
}

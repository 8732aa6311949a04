import { sendMail } from '../../adapters/ses/mail.ts';
import { emailChangeSeconds } from '../../core/accounts/email-change/email-change.ts';
import type { EmailChangeMailer } from '../../core/accounts/email-change/request-email-change.ts';
import type { ClosingNotifier } from '../../core/accounts/closing/close-account.ts';
import {
  accountClosedMail,
  addressChangedMail,
  addressTakenMail,
  currentAddressMail,
  newAddressMail,
} from '../../web/mail/account-mails.ts';
import { CodedError } from '../../core/errors.ts';
import { lazy } from '../shared/lazy.ts';
import { setting } from '../shared/settings.ts';

/** Sends the mails about an account's address and its end. */
export function accountMailer(): EmailChangeMailer & ClosingNotifier {
  const sender = { brand: setting('BRAND'), baseUrl: setting('BASE_URL') };
  const from = setting('MAIL_FROM');
  const minutes = emailChangeSeconds / 60;
  const send = lazy(() => {
    if (from === '') {
      throw new CodedError('UNAVAILABLE', {
        error: 'This service has no mail sender, so no address can be changed.',
        nextStep: 'The operator sets `mailFrom` and deploys again.',
      });
    }
    return sendMail({ from, configurationSet: setting('MAIL_CONFIGURATION_SET') });
  });
  return {
    sendCurrentCode: (email, mail) =>
      send()(email, currentAddressMail({ ...sender, ...mail, minutes })),
    sendNewCode: (email, mail) => send()(email, newAddressMail({ ...sender, ...mail, minutes })),
    sendTaken: (email) => send()(email, addressTakenMail(sender)),
    sendChanged: (email, mail) => send()(email, addressChangedMail({ ...sender, ...mail })),
    async sendClosed(email, mail) {
      if (from !== '') await send()(email, accountClosedMail({ ...sender, ...mail }));
    },
  };
}

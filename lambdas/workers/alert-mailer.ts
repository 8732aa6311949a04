import { sendMail } from '../../adapters/mail.ts';
import type { AlertMailer } from '../../core/visit/mail-alert.ts';
import { passwordAlertMail } from '../../web/mail/password-alert-mail.ts';
import { once } from './once.ts';
import { setting } from './settings.ts';

/** Tells owners by mail of wrong passwords at their projects; nobody where no sender is set. */
export function alertMailer(): AlertMailer {
  const names = { brand: setting('BRAND'), baseUrl: setting('BASE_URL') };
  const from = setting('MAIL_FROM');
  const send = once(() => sendMail(from));
  return {
    async sendAlert(email, news) {
      if (from !== '') await send()(email, passwordAlertMail({ ...names, ...news }));
    },
  };
}

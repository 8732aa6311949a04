import { sendMail } from '../../adapters/ses/mail.ts';
import type { AlertMailer } from '../../core/visit/access/mail-alert.ts';
import { passwordAlertMail } from '../../web/mail/password-alert-mail.ts';
import { once } from '../shared/once.ts';
import { setting } from '../shared/settings.ts';

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

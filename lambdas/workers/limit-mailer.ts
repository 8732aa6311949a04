import { sendMail } from '../../adapters/ses/mail.ts';
import type { LimitMailer } from '../../core/analytics/ports.ts';
import { visitLimitMail } from '../../web/mail/visit-limit-mail.ts';
import { once } from '../shared/once.ts';
import { setting } from '../shared/settings.ts';

/** Tells owners by mail how their month stands; nobody where no sender is set. */
export function limitMailer(): LimitMailer {
  const names = { brand: setting('BRAND'), baseUrl: setting('BASE_URL') };
  const from = setting('MAIL_FROM');
  const send = once(() => sendMail(from));
  return {
    async send(email, told) {
      if (from !== '') await send()(email, visitLimitMail({ ...names, ...told }));
    },
  };
}

import { sendMail } from '../../adapters/ses/mail.ts';
import type { PlanMailer } from '../../core/projects/history/check-plan.ts';
import { planNoticeMail } from '../../web/mail/plan-notice-mail.ts';
import { once } from '../shared/once.ts';
import { setting } from '../shared/settings.ts';

/** Tells owners by mail what leaves because their plan is smaller; nobody where no sender is set. */
export function planMailer(): PlanMailer {
  const names = { brand: setting('BRAND'), baseUrl: setting('BASE_URL') };
  const from = setting('MAIL_FROM');
  const send = once(() => sendMail(from));
  return {
    async sendPlanNotice(email, notice) {
      if (from !== '') await send()(email, planNoticeMail({ ...names, ...notice }));
    },
  };
}

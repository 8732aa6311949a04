import { sendMail } from '../../adapters/ses/mail.ts';
import type { LimitMailer } from '../../core/analytics/ports.ts';
import type { PlanMailer } from '../../core/projects/history/check-plan.ts';
import type { AlertMailer } from '../../core/visit/access/wrong-tries.ts';
import { passwordAlertMail } from '../../web/mail/password-alert-mail.ts';
import { planNoticeMail } from '../../web/mail/plan-notice-mail.ts';
import { monthlyLimitMail } from '../../web/mail/monthly-limit-mail.ts';
import { lazy } from '../shared/lazy.ts';
import { setting } from '../shared/settings.ts';

/** The mails that workers send to owners. An installation without a sender address sends none. */
export function ownerMailers(): AlertMailer & LimitMailer & PlanMailer {
  const names = { brand: setting('BRAND'), baseUrl: setting('BASE_URL') };
  const from = setting('MAIL_FROM');
  const mail = lazy(() => sendMail({ from, configurationSet: setting('MAIL_CONFIGURATION_SET') }));
  const send = async (...message: Parameters<ReturnType<typeof mail>>) => {
    if (from !== '') await mail()(...message);
  };
  return {
    sendAlert: (email, alert) => send(email, passwordAlertMail({ ...names, ...alert })),
    sendPlanNotice: (email, notice) => send(email, planNoticeMail({ ...names, ...notice })),
    sendMonthlyNotice: (email, usage) => send(email, monthlyLimitMail({ ...names, ...usage })),
  };
}

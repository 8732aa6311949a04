import type { OpenMailer } from '../../core/analytics/open-mails.ts';
import type { LimitMailer } from '../../core/analytics/ports.ts';
import type { ArrivalMailer } from '../../core/upload-links/mail-arrival.ts';
import type { ExpiryMailer } from '../../core/projects/removal/mail-expiry.ts';
import type { PlanMailer } from '../../core/projects/history/check-plan.ts';
import type { AlertMailer } from '../../core/visit/access/wrong-tries.ts';
import type { WebhookMailer } from '../../core/webhooks/send-deliveries.ts';
import { passwordAlertMail } from '../../web/mail/password-alert-mail.ts';
import { arrivalMail, receiptMail, requestMail } from '../../web/mail/arrival-mail.ts';
import { openMail } from '../../web/mail/open-mail.ts';
import { planNoticeMail } from '../../web/mail/plan-notice-mail.ts';
import { monthlyLimitMail } from '../../web/mail/monthly-limit-mail.ts';
import { expiryMail, trialMail } from '../../web/mail/trial-mail.ts';
import { webhookOffMail } from '../../web/mail/webhook-off-mail.ts';
import { accountMail } from '../shared/account-mail.ts';

/** The mails that workers send to owners. An installation without a sender address sends none. */
export function ownerMailers(): AlertMailer &
  LimitMailer &
  PlanMailer &
  ExpiryMailer &
  OpenMailer &
  ArrivalMailer &
  WebhookMailer {
  const { notify } = accountMail();
  return {
    sendAlert: (email, alert) => notify(email, passwordAlertMail, alert),
    sendPlanNotice: (email, notice) => notify(email, planNoticeMail, notice),
    sendExpiry: (email, mail) => notify(email, expiryMail, mail),
    sendTrialNotice: (email, notice) => notify(email, trialMail, notice),
    sendMonthlyNotice: (email, usage) => notify(email, monthlyLimitMail, usage),
    sendArrival: (email, mail) => notify(email, arrivalMail, mail),
    sendRequestMail: (email, mail) => notify(email, requestMail, mail),
    sendReceipt: (email, mail) => notify(email, receiptMail, mail),
    sendWebhookOff: (email, webhook) => notify(email, webhookOffMail, webhook),
    sendOpens: (email, mail) => notify(email, openMail, mail),
  };
}

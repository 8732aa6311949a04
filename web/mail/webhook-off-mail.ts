import { formatInstant } from '../pages/parts/format.ts';
import { type Mail, noticeMail, type Sender } from './mail-frame.ts';

/** Where a webhook sent to, and since when nothing arrived. */
interface WebhookOff extends Sender {
  host: string;
  /** ISO 8601. */
  since: string;
}

/** The mail that tells an owner that a webhook was switched off. */
export function webhookOffMail(mail: WebhookOff): Mail {
  const { host, since, baseUrl } = mail;
  return noticeMail(mail, {
    subject: `Events are not sent to ${host} any more`,
    paragraphs: [
      `No event could be delivered to ${host} since ${formatInstant(since)}. So this webhook is now switched off, and what happens from now on is not sent.`,
      `To see what its program answered, and to switch it on again: ${baseUrl}/dashboard/webhooks`,
    ],
    other: ['Your projects are not affected.'],
  });
}

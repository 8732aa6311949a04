import { formatInstant } from '../pages/parts/format.ts';
import { type Mail, noticeMail, type Sender } from './mail-frame.ts';

/** Where a webhook sent to. */
interface WebhookOff extends Sender {
  host: string;
  /** Since when nothing arrived, ISO 8601; null for a webhook that ended with the key that made it. */
  since: string | null;
}

/** The mail that tells an owner that a webhook was switched off, or ended. */
export function webhookOffMail(mail: WebhookOff): Mail {
  const { host, since, baseUrl } = mail;
  const page = `${baseUrl}/dashboard/webhooks`;
  return noticeMail(mail, {
    subject: `Events are not sent to ${host} any more`,
    paragraphs:
      since === null
        ? [
            `The API key that made this webhook or changed it last does not work any more. So the webhook ended with it.`,
            `To make it again, so that no key can end it: ${page}`,
          ]
        : [
            `No event could be delivered to ${host} since ${formatInstant(since)}. So this webhook is now switched off, and what happens from now on is not sent.`,
            `To see what its program answered, and to switch it on again: ${page}`,
          ],
    other: ['Your projects are not affected.'],
  });
}

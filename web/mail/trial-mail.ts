import type { TrialNotice } from '../../core/projects/history/check-plan.ts';
import { formatBytes, formatCount, formatInstant } from '../pages/parts/format.ts';
import { type Mail, nameInMail, oneLine, stoppableMail, type Sender } from './mail-frame.ts';

/** The mail that tells an owner, three days before, that the trial ends. */
export function trialMail(mail: Sender & TrialNotice): Mail {
  const { endsAt, maxProjects, maxStorageBytes, baseUrl } = mail;
  const limits = [
    ...(maxProjects === -1 ? [] : [formatCount(maxProjects, 'project')]),
    ...(maxStorageBytes === -1 ? [] : [formatBytes(maxStorageBytes)]),
  ].join(' and ');
  return stoppableMail(mail, {
    subject: `Your ${oneLine(mail.brand)} trial ends on ${endsAt.slice(0, 10)}`,
    paragraphs: [
      `Your trial ends on ${formatInstant(endsAt)}. Nothing is deleted, and your pages stay online.`,
      `Then your account has the free plan${limits === '' ? '' : `, with room for ${limits}`}. New versions, settings and statistics of your projects need a larger plan.`,
      `Your plan, and how to change it: ${baseUrl}/dashboard/account`,
    ],
  });
}

/** The mail that tells an owner, a day before, that a project expires. */
export function expiryMail(
  mail: Sender & { title: string; projectId: string; expiresAt: string; stopToken: string },
): Mail {
  const title = nameInMail(mail.title);
  return stoppableMail(mail, {
    subject: `“${title}” expires tomorrow`,
    paragraphs: [
      `“${title}” expires on ${formatInstant(mail.expiresAt)}. Then its page says that it has ended, and 30 days later it is deleted.`,
      `To keep it, choose another time there: ${mail.baseUrl}/dashboard/projects/${mail.projectId}/settings`,
    ],
  });
}

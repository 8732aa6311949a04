import type { PlanNotice } from '../../core/projects/history/check-plan.ts';
import { formatBytes, formatInstant } from '../pages/parts/format.ts';
import { type Mail, noticeMail, oneLine, type Sender } from './mail-frame.ts';

/** The mail that tells an owner, a week before, which earlier versions a smaller plan removes. */
export function planNoticeMail(mail: Sender & PlanNotice): Mail {
  const brand = oneLine(mail.brand);
  const subject = `Earlier versions of your ${brand} projects are deleted on ${mail.pruneAt.slice(0, 10)}`;
  const change = `Your plan is smaller now. ${limitsText(mail)}`;
  const leaving = `On ${formatInstant(mail.pruneAt)}, earlier versions above this limit are deleted, the oldest first. ${countText(mail.projects)}`;
  const live = 'Your sites stay as they are: the live version of a project is never deleted.';
  const choice =
    'To keep all versions, change to a larger plan before that day. To keep a copy of your own, download each version on its project’s page, under “Versions”.';
  return noticeMail(mail, {
    subject,
    preheader: live,
    paragraphs: [change, leaving, live],
    other: [choice],
  });
}

function limitsText({ versionsKept, maxStorageBytes }: PlanNotice): string {
  const versions =
    versionsKept === -1
      ? ''
      : versionsKept <= 1
        ? 'It keeps only the live version of a project.'
        : `It keeps ${versionsKept} versions of a project, the live one included.`;
  const bytes =
    maxStorageBytes === -1
      ? ''
      : `Earlier versions of all projects together may use ${formatBytes(maxStorageBytes)}.`;
  return [versions, bytes].filter((text) => text !== '').join(' ');
}

function countText(projects: number): string {
  if (projects === 0) return '';
  return projects === 1
    ? 'One project is above the limit.'
    : `${projects} projects are above the limit.`;
}

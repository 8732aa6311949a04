import type { MonthlyLimitNotice } from '../../core/analytics/ports.ts';
import { formatBytes } from '../pages/parts/format.ts';
import { type Mail, noticeMail, oneLine, type Sender } from './mail-frame.ts';

const figure = (value: number) => value.toLocaleString('en-US');

/** The words of a mail about what is limited. */
const measures = {
  visits: {
    name: 'visits',
    amount: (value: number) => `${figure(value)} visits`,
    had: 'had',
    counted: 'Each time a page is opened or loaded again is a visit. Known bots are not counted.',
  },
  bytes: {
    name: 'data transfer',
    amount: formatBytes,
    had: 'sent',
    counted:
      'Data transfer is what was sent to visitors: pages, pictures, videos and downloads. Smaller files need less of it.',
  },
};

/** The mail that tells an owner how much of the plan's month is used, and what comes next. */
export function monthlyLimitMail(mail: Sender & MonthlyLimitNotice): Mail {
  const brand = oneLine(mail.brand);
  const { what, percent, used, limit } = mail;
  const { name, amount, had, counted } = measures[what];
  const subject =
    percent === 80
      ? `Your ${brand} account has used 80 % of this month’s ${name}`
      : `Your ${brand} account has used all of this month’s ${name}`;
  const summary = `Your projects ${had} ${amount(used)} this month. Your plan includes ${amount(limit)} a month.`;
  const now = 'Nothing changes for now: everybody can still open your pages.';
  const later = `At ${amount(2 * limit)}, your pages stop until the first day of next month (UTC), and visitors see a page that says so. To avoid that, change to a larger plan.`;
  return noticeMail(mail, { subject, paragraphs: [summary, `${now} ${later}`], other: [counted] });
}

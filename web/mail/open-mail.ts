import { formatCount, formatInstant } from '../pages/parts/format.ts';
import { type Mail, nameInMail, type Sender, stoppableMail } from './mail-frame.ts';

/** One open, as a mail tells it; null is what nobody knows. */
interface Open {
  at: string;
  /** ISO 3166-1 alpha-2. */
  country: string | null;
  browser: string | null;
  os: string | null;
  /** The name of the share link by which the reader came. */
  link: string | null;
}

interface OpenNotice extends Sender {
  kind: 'first' | 'daily';
  title: string;
  projectId: string;
  /** The share link that was opened; null for the project as a whole. */
  linkName: string | null;
  /** Of the link that stops these mails. */
  stopToken: string;
  /** Opens in the last 24 hours. */
  opens: number;
  /** Newest first. */
  latest: readonly Open[];
}

/** The mail that tells an owner that a project was opened. */
export function openMail(mail: OpenNotice): Mail {
  const title = nameInMail(mail.title);
  const by = mail.linkName === null ? '' : ` by the link “${nameInMail(mail.linkName)}”`;
  const page = `${mail.baseUrl}/dashboard/projects/${mail.projectId}`;
  const [latest] = mail.latest;
  const told =
    mail.kind === 'first'
      ? [`Somebody opened “${title}”${by}.`, ...(latest === undefined ? [] : [describe(latest)])]
      : [
          `“${title}” was opened ${formatCount(mail.opens, 'time')}${by} in the last 24 hours.`,
          ...mail.latest.map(describe),
        ];
  return stoppableMail(mail, {
    subject:
      mail.kind === 'first'
        ? `“${title}” was opened${by}`
        : `“${title}”: opened ${formatCount(mail.opens, 'time')}${by}`,
    paragraphs: [...told, page],
    other: [
      mail.kind === 'first'
        ? 'You asked to hear of the first open. Later opens are on the project’s page.'
        : 'You get this mail in the morning after a day with opens.',
      'Your own views, link previews and bots are not counted.',
    ],
  });
}

/** `3 March 2026 at 14:02 UTC, Norway, Firefox on Windows, by the link “Anna”`. */
function describe({ at, country, browser, os, link }: Open): string {
  const device = [browser, os].filter((one) => one !== null).join(' on ');
  const place = country === null ? '' : countryName(country);
  const by = link === null ? '' : `by the link “${nameInMail(link)}”`;
  return [formatInstant(at), place, device, by].filter((one) => one !== '').join(', ');
}

/** The name of a country (ISO 3166-1 alpha-2). What cannot be a code is shown as it is. */
export function countryName(code: string): string {
  if (!/^[A-Z]{2}$/.test(code)) return code;
  return new Intl.DisplayNames(['en'], { type: 'region' }).of(code) ?? code;
}

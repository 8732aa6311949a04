import type { ReceiptMail, RequestMail } from '../../core/upload-links/mail-arrival.ts';
import { formatBytes, formatCount, formatInstant } from '../pages/parts/format.ts';
import { type Mail, nameInMail, noticeMail, type Sender, stoppableMail } from './mail-frame.ts';

/** What arrived, and the link that stops such mails. */
interface Arrival extends Sender {
  fileCount: number;
  bytes: number;
  stopToken: string;
}

/** The mail that tells an owner that somebody used an upload link; `url` is where visitors see the files. */
export function arrivalMail(
  mail: Arrival & { title: string; projectId: string; url: string },
): Mail {
  const { url, baseUrl, projectId } = mail;
  return ownerMail(mail, 'Files arrived by your upload link', [
    `Somebody used your upload link. “${nameInMail(mail.title)}” now has ${filesOf(mail)}.`,
    url,
    `To look at its files, protect it or delete it: ${baseUrl}/dashboard/projects/${projectId}`,
  ]);
}

/** The mail that tells an owner what arrived by a file request. */
export function requestMail(mail: Sender & RequestMail): Mail {
  const { uploads, received, maxUploads, closesAt } = mail;
  const by = mail.title === null ? 'by your file request' : `for “${nameInMail(mail.title)}”`;
  return ownerMail(mail, 'Files arrived by your file request', [
    `${formatCount(uploads, 'upload')} arrived ${by}: ${filesOf(mail)}.`,
    `The request now has ${received} of ${formatCount(maxUploads, 'upload')}. It is open until ${formatInstant(closesAt)}.`,
    'The next mail about it comes in an hour at the earliest.',
  ]);
}

/** Without a title in the subject: a sender's name may be in it, and mail programs make a link of an address there. */
function ownerMail(mail: Arrival, subject: string, paragraphs: readonly string[]): Mail {
  const links = `Your upload links, and who sent files by them: ${mail.baseUrl}/dashboard/upload-links`;
  return stoppableMail(mail, { subject, paragraphs, other: [links] });
}

function filesOf({ fileCount, bytes }: Pick<Arrival, 'fileCount' | 'bytes'>): string {
  return `${formatCount(fileCount, 'file')}, ${formatBytes(bytes)}`;
}

/**
 * The receipt of somebody who sent files. Whoever reads it may not be the sender, so it has no word that the sender or the
 * owner chose, and no link to the request.
 */
export function receiptMail(mail: Sender & ReceiptMail): Mail {
  const { number, receivedAt, asker } = mail;
  return noticeMail(mail, {
    subject: `Receipt number ${number}: your files arrived`,
    paragraphs: [
      `${formatCount(mail.fileCount, 'file')}, ${formatBytes(mail.bytes)}, arrived on ${formatInstant(receivedAt)}. ${nameInMail(asker)} asked for them.`,
      `Your receipt has the number ${number}.`,
    ],
    other: [
      'You get this mail because somebody entered your address when they sent the files. If that was not you, you need to do nothing. An address gets at most three such mails a day.',
    ],
  });
}

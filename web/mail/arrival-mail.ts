import { formatBytes, formatCount } from '../pages/parts/format.ts';
import { type Mail, noticeMail, oneLine, type Sender } from './mail-frame.ts';

/** Files that came by an upload link. */
interface Arrival extends Sender {
  title: string;
  projectId: string;
  /** Where visitors see them. */
  url: string;
  fileCount: number;
  bytes: number;
}

/** The mail that tells an owner that somebody used an upload link. */
export function arrivalMail(mail: Arrival): Mail {
  const title = oneLine(mail.title);
  const { fileCount, bytes, url, baseUrl, projectId } = mail;
  return noticeMail(mail, {
    // Without the title: a sender's name is in it, and mail programs make a link of an address there.
    subject: 'Files arrived by your upload link',
    paragraphs: [
      `Somebody used your upload link. “${title}” now has ${formatCount(fileCount, 'file')}, ${formatBytes(bytes)}.`,
      url,
      `To look at its files, protect it or delete it: ${baseUrl}/dashboard/projects/${projectId}`,
    ],
    other: [`Your upload links, and who sent files by them: ${baseUrl}/dashboard/upload-links`],
  });
}

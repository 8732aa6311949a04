import type { PasswordAlertMail } from '../../core/visit/access/wrong-tries.ts';
import { formatInstant } from '../pages/parts/format.ts';
import { type Mail, nameInMail, noticeMail, type Sender } from './mail-frame.ts';

/** The mail that tells an owner of more than a hundred wrong passwords at one project. */
export function passwordAlertMail(mail: Sender & PasswordAlertMail): Mail {
  const title = nameInMail(mail.title);
  const what = `More than 100 wrong passwords were entered for “${title}” since ${formatInstant(mail.since)}. Someone may be guessing the password. If many people visit the page, these may also be typing errors.`;
  const held =
    'The page is still protected. New visitors together have at most 50 wrong attempts a day. Visitors who have entered the password before can still open the page.';
  const next =
    'If the password is short, set a longer one: at least eight characters that are not words. A password of four digits can be guessed within months.';
  const often = 'You get this mail at most once a day for each project.';
  return noticeMail(mail, {
    subject: `Many wrong passwords for “${title}”`,
    paragraphs: [what, mail.url, held, next],
    other: [often],
  });
}

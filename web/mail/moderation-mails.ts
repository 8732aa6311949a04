import { type Mail, nameInMail, noticeMail, oneLine, type Sender } from './mail-frame.ts';

/** The mail that tells an owner that the operator took a project down. */
export function takenDownMail(
  mail: Sender & { title: string; projectId: string; reason: string },
): Mail {
  const title = nameInMail(mail.title);
  return noticeMail(mail, {
    subject: `“${title}” was taken down`,
    paragraphs: [
      `The operator of ${oneLine(mail.brand)} took down “${title}”. Nobody can open it now. Its files are kept.`,
      `The reason: ${oneLine(mail.reason)}`,
      `To see it, and to delete it or download its files: ${mail.baseUrl}/dashboard/projects/${mail.projectId}`,
    ],
    other: ['If you think that this is a mistake, write to the operator.'],
  });
}

/** The mail that tells an owner that the operator suspended the account. */
export function suspendedMail(mail: Sender & { reason: string; contact: string }): Mail {
  const contact = mail.contact.replace(/^mailto:/, '');
  return noticeMail(mail, {
    subject: `Your ${oneLine(mail.brand)} account was suspended`,
    paragraphs: [
      'The operator suspended your account. Your projects are offline, and you cannot sign in. Nothing is deleted.',
      `The reason: ${oneLine(mail.reason)}`,
      contact === ''
        ? 'If you think that this is a mistake, write to the operator.'
        : `If you think that this is a mistake, write to the operator: ${contact}`,
    ],
  });
}

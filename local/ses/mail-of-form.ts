import type { Mail } from './mail-store.ts';

/** A mail as a request describes it. */
export type MailOfForm = Omit<Mail, 'id' | 'sentAt'>;

function members(form: URLSearchParams, prefix: string): string[] {
  const start = `${prefix}.member.`;
  return [...form].filter(([name]) => name.startsWith(start)).map(([, value]) => value);
}

/** The mail of `SendEmail`. */
export function mailOf(form: URLSearchParams): MailOfForm {
  const field = (name: string) => form.get(name) ?? '';
  return {
    from: field('Source'),
    to: members(form, 'Destination.ToAddresses'),
    cc: members(form, 'Destination.CcAddresses'),
    bcc: members(form, 'Destination.BccAddresses'),
    replyTo: members(form, 'ReplyToAddresses'),
    subject: field('Message.Subject.Data'),
    text: field('Message.Body.Text.Data'),
    html: field('Message.Body.Html.Data'),
    raw: '',
  };
}

function header(head: string, name: string): string {
  const unfolded = head.replace(/\r?\n[ \t]+/g, ' ');
  return new RegExp(`^${name}:[ \\t]*(.*)$`, 'im').exec(unfolded)?.[1]?.trim() ?? '';
}

function addresses(list: string): string[] {
  return list
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
}

/** The mail of `SendRawEmail`: stored unchanged; only the fields that the inbox lists are parsed. */
export function rawMailOf(form: URLSearchParams): MailOfForm {
  const raw = Buffer.from(form.get('RawMessage.Data') ?? '', 'base64').toString('utf8');
  const [head = ''] = raw.split(/\r?\n\r?\n/, 1);
  const named = members(form, 'Destinations');
  return {
    from: form.get('Source') ?? header(head, 'From'),
    to: named.length > 0 ? named : addresses(header(head, 'To')),
    cc: named.length > 0 ? [] : addresses(header(head, 'Cc')),
    bcc: [],
    replyTo: addresses(header(head, 'Reply-To')),
    subject: header(head, 'Subject'),
    text: '',
    html: '',
    raw,
  };
}

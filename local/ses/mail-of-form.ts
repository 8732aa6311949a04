import type { Mail } from './mail-store.ts';

/** A mail as a request describes it. */
export type MailOfForm = Omit<Mail, 'id' | 'sentAt'>;

const RECIPIENT = /^Destination\.ToAddresses\.member\.\d+$/;

/** The parameters of `SendEmail` that the local SES knows, besides the recipients. */
const PARAMETERS = new Set([
  'Action',
  'Version',
  'ConfigurationSetName',
  'Source',
  'Message.Subject.Data',
  'Message.Subject.Charset',
  'Message.Body.Text.Data',
  'Message.Body.Text.Charset',
  'Message.Body.Html.Data',
  'Message.Body.Html.Charset',
]);

/** The first parameter of a form that the local SES does not know. */
export function unknownParameter(form: URLSearchParams): string | undefined {
  return [...form.keys()].find((name) => !PARAMETERS.has(name) && !RECIPIENT.test(name));
}

/** The mail of `SendEmail`. */
export function mailOf(form: URLSearchParams): MailOfForm {
  const field = (name: string) => form.get(name) ?? '';
  return {
    from: field('Source'),
    to: [...form].filter(([name]) => RECIPIENT.test(name)).map(([, address]) => address),
    subject: field('Message.Subject.Data'),
    text: field('Message.Body.Text.Data'),
    html: field('Message.Body.Html.Data'),
  };
}

import { SESClient, SendEmailCommand } from '@aws-sdk/client-ses';

/** A mail in both forms. */
export interface MailText {
  subject: string;
  text: string;
  html: string;
}

/** Sends one mail through SES. */
export function sendMail(from: string) {
  const client = new SESClient({});
  return async (to: string, { subject, text, html }: MailText): Promise<void> => {
    const utf8 = (Data: string) => ({ Data, Charset: 'UTF-8' });
    await client.send(
      new SendEmailCommand({
        Source: from,
        Destination: { ToAddresses: [to] },
        Message: { Subject: utf8(subject), Body: { Text: utf8(text), Html: utf8(html) } },
      }),
    );
  };
}

import { SESClient, SESServiceException, SendEmailCommand } from '@aws-sdk/client-ses';
import { awsDeadlines } from '../failures/service-failure.ts';
import { CodedError } from '../../core/errors.ts';

/** A mail as plain text and as HTML. */
export interface MailText {
  subject: string;
  text: string;
  html: string;
}

/** The sender of mails. */
export interface MailSender {
  from: string;
  /** The SES configuration set, which stops mails to addresses that bounced. */
  configurationSet: string;
}

/**
 * Sends one mail through SES. SES accepts a mail to an address that bounced before and drops it, so
 * nobody learns from the answer which addresses those are.
 * @throws CodedError INVALID_REQUEST for an address that SES refuses, UNAVAILABLE if it sends nothing now
 */
export function sendMail({ from, configurationSet }: MailSender) {
  const client = new SESClient(awsDeadlines);
  return async (to: string, { subject, text, html }: MailText): Promise<void> => {
    const utf8 = (Data: string) => ({ Data, Charset: 'UTF-8' });
    const command = new SendEmailCommand({
      Source: from,
      ConfigurationSetName: configurationSet,
      Destination: { ToAddresses: [to] },
      Message: { Subject: utf8(subject), Body: { Text: utf8(text), Html: utf8(html) } },
    });
    try {
      await client.send(command);
    } catch (error) {
      throw translateRefusal(error, to);
    }
  };
}

/** Sending is paused by the operator or by AWS, or the account's quota for mails is used up. */
const temporaryRefusals = new Set([
  'AccountSendingPausedException',
  'ConfigurationSetSendingPausedException',
  'Throttling',
  'ThrottlingException',
]);

/** Any other error stays: it is a fault of the deployment and belongs in the log. */
function translateRefusal(error: unknown, to: string): unknown {
  if (!(error instanceof SESServiceException)) return error;
  if (temporaryRefusals.has(error.name)) {
    const text = 'This service cannot send mails at the moment.';
    return new CodedError('UNAVAILABLE', { error: text, retryAfterSeconds: 60 }, { cause: error });
  }
  if (!refusesRecipient(error, to)) return error;
  const text = 'This service cannot send mail to this address.';
  return new CodedError(
    'INVALID_REQUEST',
    {
      error: text,
      nextStep:
        'Check the address, or use another one. For the operator: in the sandbox, SES mails only addresses that are verified in it.',
      details: [{ path: 'email', message: text }],
    },
    { cause: error },
  );
}

/** SES cannot parse the address, or the account is in the sandbox and the address is not verified. */
function refusesRecipient({ name, message }: SESServiceException, to: string): boolean {
  if (name === 'InvalidParameterValue') return true;
  return name === 'MessageRejected' && message.toLowerCase().includes(to.toLowerCase());
}

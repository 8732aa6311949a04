import { randomUUID } from 'node:crypto';
import { SESClient, SESServiceException, SendRawEmailCommand } from '@aws-sdk/client-ses';
import { awsDeadlines } from '../failures/service-failure.ts';
import { CodedError } from '../../core/errors.ts';

/** A mail as plain text and as HTML. */
export interface MailText {
  subject: string;
  text: string;
  html: string;
  /** The address that stops mails of this kind; a POST to it needs no cookie and no other step. */
  unsubscribeUrl?: string | undefined;
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
  return async (to: string, mail: MailText): Promise<void> => {
    const command = new SendRawEmailCommand({
      Source: from,
      ConfigurationSetName: configurationSet,
      Destinations: [to],
      RawMessage: { Data: Buffer.from(messageOf({ from, to }, mail)) },
    });
    try {
      await client.send(command);
    } catch (error) {
      throw translateRefusal(error, to);
    }
  };
}

/** The message (RFC 5322, RFC 2046 §5.1.4), in ASCII. SES adds `Date` and `Message-ID`. */
function messageOf(
  { from, to }: { from: string; to: string },
  { subject, text, html, unsubscribeUrl }: MailText,
): string {
  const boundary = `slipway-${randomUUID()}`;
  const unsubscribe =
    unsubscribeUrl === undefined
      ? []
      : // RFC 2369 §3.2 and RFC 8058 §3.1.
        [
          `List-Unsubscribe: <${unsubscribeUrl}>`,
          'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
        ];
  return [
    `From: ${oneHeader(from)}`,
    `To: ${oneHeader(to)}`,
    `Subject: ${encodedWords(subject)}`,
    ...unsubscribe,
    'MIME-Version: 1.0',
    `Content-Type: multipart/alternative; boundary="${boundary}"`,
    '',
    ...part(boundary, 'text/plain', text),
    ...part(boundary, 'text/html', html),
    `--${boundary}--`,
    '',
  ].join('\r\n');
}

/** A line break in an address would begin another header. */
function oneHeader(value: string): string {
  return value.replaceAll(/[\r\n]+/g, ' ');
}

/** Lines of base64 have at most 76 characters (RFC 2045 §6.8). */
function part(boundary: string, type: string, content: string): string[] {
  const lines =
    Buffer.from(content)
      .toString('base64')
      .match(/.{1,76}/g) ?? [];
  return [
    `--${boundary}`,
    `Content-Type: ${type}; charset=UTF-8`,
    'Content-Transfer-Encoding: base64',
    '',
    ...lines,
  ];
}

/** 45 bytes are 60 characters in base64, and an encoded word has at most 75 with what is around them (RFC 2047 §2). */
const wordBytes = 45;

/** A header's text: as it is, or as encoded words, none of which splits a character (RFC 2047 §5). */
function encodedWords(text: string): string {
  if (/^[ -~]{1,200}$/.test(text) && !text.includes('=?')) return text;
  const words = [''];
  for (const character of text) {
    const longer = `${words.at(-1)}${character}`;
    if (Buffer.byteLength(longer) > wordBytes) words.push(character);
    else words[words.length - 1] = longer;
  }
  return words.map((word) => `=?UTF-8?B?${Buffer.from(word).toString('base64')}?=`).join('\r\n ');
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

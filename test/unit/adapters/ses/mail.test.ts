import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type MailText, sendMail } from '../../../../adapters/ses/mail.ts';
import { CodedError } from '../../../../core/errors.ts';
import { readMessage } from '../../../../local/ses/message.ts';

/** SES's answer to every mail: a refusal with this code, or a message id. */
let refusal: { code: string; message: string } | undefined;
const requests: URLSearchParams[] = [];
let server: Server;
const before = { ...process.env };

function answer(): { status: number; body: string } {
  if (refusal === undefined) {
    return {
      status: 200,
      body: '<SendRawEmailResponse><SendRawEmailResult><MessageId>1</MessageId></SendRawEmailResult></SendRawEmailResponse>',
    };
  }
  const { code, message } = refusal;
  return {
    status: 400,
    body: `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`,
  };
}

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      requests.push(new URLSearchParams(Buffer.concat(chunks).toString('utf8')));
      const { status, body } = answer();
      response.writeHead(status, { 'content-type': 'text/xml' }).end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_SES: `http://127.0.0.1:${port}`,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'key',
    AWS_SECRET_ACCESS_KEY: 'secret',
    AWS_MAX_ATTEMPTS: '1',
  });
});

afterAll(async () => {
  process.env = before;
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const text = { subject: 'Hi', text: 'Hi', html: '<p>Hi' };

async function send(answered: typeof refusal, mailed: MailText = text): Promise<unknown> {
  refusal = answered;
  const mail = sendMail({ from: 'hello@slipway.example', configurationSet: 'careful' });
  return mail('Ann@example.org', mailed).catch((error: unknown) => error);
}

test('every mail names the configuration set, which keeps the suppression list', async () => {
  expect(await send(undefined)).toBeUndefined();
  expect(requests.at(-1)?.get('ConfigurationSetName')).toBe('careful');
});

const sentMessage = () =>
  readMessage(Buffer.from(requests.at(-1)?.get('RawMessage.Data') ?? '', 'base64'));

test.each([
  ['ASCII', 'Hi'],
  ['other letters', '“Größe” 東京 🚢'],
  ['a long subject', 'Ünd so weiter 🚢 '.repeat(40).trim()],
  ['what looks like an encoded word', '=?UTF-8?B?SGk=?='],
  ['a line break that would begin a header', 'Hi\r\nBcc: eve@example.org'],
])('a mail with %s arrives as it was written', async (_, words) => {
  const mail = { subject: words, text: `${words}\n.\nEnd`, html: `<p>${words}` };
  expect(await send(undefined, mail)).toBeUndefined();
  const { headers, ...texts } = sentMessage();
  expect(texts).toEqual(mail);
  expect(requests.at(-1)?.get('Destinations.member.1')).toBe('Ann@example.org');
  expect([...headers.keys()]).toEqual(['from', 'to', 'subject', 'mime-version', 'content-type']);
});

test('a mail that can be stopped says how, to people’s mail programs', async () => {
  const unsubscribeUrl = 'https://app.example/mails/stop/x.y';
  await send(undefined, { ...text, unsubscribeUrl });
  const { headers } = sentMessage();
  expect(headers.get('list-unsubscribe')).toBe(`<${unsubscribeUrl}>`);
  expect(headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
});

describe('a refusal of SES', () => {
  const unverified = 'Email address is not verified. The following identities failed the check';

  test.each([
    ['MessageRejected', `${unverified} in region US-EAST-1: ann@example.org`, 400],
    ['InvalidParameterValue', 'Local address contains control or whitespace', 400],
    ['Throttling', 'Daily message quota exceeded.', 503],
    ['AccountSendingPausedException', 'Sending is paused.', 503],
    ['ConfigurationSetSendingPausedException', 'Sending is paused.', 503],
  ])('%s (%s) is %i with the next step', async (code, message, status) => {
    const error = await send({ code, message });
    expect(error).toBeInstanceOf(CodedError);
    expect(error).toMatchObject({ status, cause: expect.objectContaining({ name: code }) });
  });

  test.each([
    ['MessageRejected', `${unverified} in region US-EAST-1: hello@slipway.example`],
    ['AccessDenied', 'User is not authorized to perform ses:SendRawEmail'],
    ['ConfigurationSetDoesNotExist', 'Configuration set &lt;careful&gt; does not exist.'],
  ])('%s (%s) is a fault of the deployment and no refusal', async (code, message) => {
    const error = await send({ code, message });
    expect(error).toBeInstanceOf(Error);
    expect(error).not.toBeInstanceOf(CodedError);
  });
});

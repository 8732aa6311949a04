import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sendMail } from '../../../../adapters/ses/mail.ts';
import { CodedError } from '../../../../core/errors.ts';

/** SES's answer to every mail: a refusal with this code, or a message id. */
let refusal: { code: string; message: string } | undefined;
const requests: URLSearchParams[] = [];
let server: Server;
const before = { ...process.env };

function answer(): { status: number; body: string } {
  if (refusal === undefined) {
    return {
      status: 200,
      body: '<SendEmailResponse><SendEmailResult><MessageId>1</MessageId></SendEmailResult></SendEmailResponse>',
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

async function send(answered: typeof refusal): Promise<unknown> {
  refusal = answered;
  const mail = sendMail({ from: 'hello@slipway.example', configurationSet: 'careful' });
  return mail('Ann@example.org', text).catch((error: unknown) => error);
}

test('every mail names the configuration set, which keeps the suppression list', async () => {
  expect(await send(undefined)).toBeUndefined();
  expect(requests.at(-1)?.get('ConfigurationSetName')).toBe('careful');
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
    ['AccessDenied', 'User is not authorized to perform ses:SendEmail'],
    ['ConfigurationSetDoesNotExist', 'Configuration set &lt;careful&gt; does not exist.'],
  ])('%s (%s) is a fault of the deployment and no refusal', async (code, message) => {
    const error = await send({ code, message });
    expect(error).toBeInstanceOf(Error);
    expect(error).not.toBeInstanceOf(CodedError);
  });
});

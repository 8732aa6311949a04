import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Answer, ask } from '../../fixtures/clouds/client.ts';
import { Browser } from '../../fixtures/visits/browser.ts';
import { LocalCloud } from '../../fixtures/clouds/local-cloud.ts';

/** A new AWS account: SES mails only verified addresses and its mailbox simulator. */
const cloud = new LocalCloud('--mail=sandbox');
beforeAll(async () => {
  await cloud.start();
});
afterAll(async () => {
  await cloud.remove();
});

function post(path: string, body: object): Promise<Answer> {
  return ask(`${cloud.baseUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

async function mailsTo(email: string): Promise<unknown[]> {
  const { json } = await ask(`${cloud.baseUrl}/_local/mail.json?to=${encodeURIComponent(email)}`);
  return json.mails;
}

const requestCode = (email: string, resend = false) =>
  post('/v1/auth/otp/request', { email, resend });

test('in the sandbox, SES checks the permission for the recipient too', async () => {
  const email = 'success@simulator.amazonses.com';
  expect((await requestCode(email)).status).toBe(200);
  expect(await mailsTo(email)).toHaveLength(1);
});

test('an address that SES refuses is a 400 that says what to do, never a 500', async () => {
  const email = 'stranger@example.org';
  const { status, json } = await requestCode(email);
  expect({ status, code: json.code }).toEqual({ status: 400, code: 'INVALID_REQUEST' });
  expect(json.nextStep).toContain('sandbox');
  expect(json.details).toEqual([expect.objectContaining({ path: 'email' })]);
  // Nothing waits for a mail that was not sent: once the address is verified, it gets its code.
  expect((await requestCode(email)).json.code).toBe('INVALID_REQUEST');
});

test('addresses that SES refuses count for whoever asks for their codes, as others do', async () => {
  await cloud.advance(4000);
  const answers: string[] = [];
  for (let attempt = 0; attempt < 12; attempt += 1) {
    answers.push((await requestCode(`stranger-${attempt}@example.org`)).json.code);
  }
  expect(answers).toEqual([...Array(10).fill('INVALID_REQUEST'), 'RATE_LIMITED', 'RATE_LIMITED']);
  await cloud.advance(4000);
});

test('a change to an address that SES refuses mails nobody, and counts for the account', async () => {
  const browser = await new Browser('owner@slipway.example', cloud.baseUrl).signIn();
  const before = (await mailsTo(browser.email)).length;
  const answers: string[] = [];
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const body = { email: `stranger-${attempt}@example.org` };
    answers.push((await browser.send('POST', '/v1/account/email', body)).json.code);
  }
  expect(answers.indexOf('RATE_LIMITED')).toBeGreaterThan(0);
  expect(new Set(answers)).toEqual(new Set(['INVALID_REQUEST', 'RATE_LIMITED']));
  expect(await mailsTo(browser.email)).toHaveLength(before);
  await cloud.advance(4000);
});

test('a page shows the form for the address again if SES refuses the address', async () => {
  const form = new FormData();
  form.append('files', new File(['<p>hi'], 'index.html', { type: 'text/html' }));
  const published = await fetch(`${cloud.baseUrl}/v1/projects/temp`, {
    method: 'POST',
    body: form,
  });
  const { data } = (await published.json()) as { data: { claimUrl: string } };
  const { status, headers, text } = await ask(data.claimUrl, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      origin: cloud.baseUrl,
    },
    body: new URLSearchParams({ email: 'stranger@example.org' }).toString(),
  });
  expect(status).toBe(400);
  expect(headers['content-type']).toContain('text/html');
  expect(text).toContain('This service cannot send mail to this address.');
  expect(text).toContain('name="email"');
});

/** What a stranger can tell from an answer: everything except tokens, times and ids. */
function visible({ status, json }: Answer): unknown {
  const hidden = new Set(['attemptToken', 'expiresAt', 'requestId', 'retryAfterSeconds']);
  const replacer = (key: string, value: unknown) => (hidden.has(key) ? typeof value : value);
  return { status, body: JSON.parse(JSON.stringify(json, replacer)) };
}

/** Everything that a stranger can do with an address before a sign-in. */
async function tryOut(email: string): Promise<unknown[]> {
  const answers = [await requestCode(email), await requestCode(email)];
  await cloud.advance(120);
  answers.push(await requestCode(email, true), await requestCode(email));
  for (const code of ['000000', '000001', '000002', '000003', '000004', '000005']) {
    answers.push(await post('/v1/auth/otp/verify', { email, code }));
  }
  await cloud.advance(1000);
  answers.push(await requestCode(email));
  await cloud.advance(4000);
  return answers.map(visible);
}

test('an address that bounced or complained gets no mail, and every answer stays the same', async () => {
  const [good, bounced, complained] = ['good', 'bounced', 'complained'].map(
    (name) => `${name}@slipway.example`,
  ) as [string, string, string];
  await requestCode(bounced);
  expect(await mailsTo(bounced)).toHaveLength(1);
  await post('/_local/bounce', { address: bounced });
  await post('/_local/bounce', { address: complained, reason: 'COMPLAINT' });
  await cloud.advance(4000);
  const expected = await tryOut(good);
  expect(await tryOut(bounced)).toEqual(expected);
  expect(await tryOut(complained)).toEqual(expected);
  expect((await mailsTo(good)).length).toBeGreaterThan(1);
  expect(await mailsTo(bounced)).toHaveLength(1);
  expect(await mailsTo(complained)).toEqual([]);
});

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  anEmail,
  codeSentTo,
  get,
  mailsTo,
  post,
  signIn,
} from '../../fixtures/accounts/accounts.ts';
import { LocalCloud } from '../../fixtures/clouds/local-cloud.ts';
import { expectRefusal } from '../../fixtures/clouds/refusals.ts';

const cloud = new LocalCloud();
beforeAll(() => cloud.start());
afterAll(() => cloud.remove());

const day = 86_400;
const request = (email: string, more = {}) =>
  post('/v1/auth/otp/request', { email, ...more }, { service: cloud.baseUrl });
const verify = (email: string, code: string) =>
  post('/v1/auth/otp/verify', { email, code }, { service: cloud.baseUrl });

/** Moves the clock to `seconds` before (or, negative, after) an instant. */
async function moveTo(at: string, seconds: number): Promise<void> {
  const wait = (Date.parse(at) - (await cloud.now()).getTime()) / 1000 - seconds;
  await cloud.advance(Math.max(0, wait));
}

test('a code works seconds before the end of its ten minutes and not a second later', async () => {
  const [early, late] = [anEmail(), anEmail()];
  const { expiresAt } = (await request(early)).json.data;
  const end = (await request(late)).json.data.expiresAt;
  const codes = [early, late].map((email) => codeSentTo(email, cloud.baseUrl));
  const [first = '', second = ''] = await Promise.all(codes);
  await moveTo(expiresAt, 5);
  expect((await verify(early, first)).status).toBe(200);
  await moveTo(end, -1);
  expectRefusal(await verify(late, second), 401, 'OTP_EXPIRED');
  expect((await request(late)).json.data.sent).toBe(true);
});

test('the same code is sent again after a minute, three mails an hour, counted from the first', async () => {
  const email = anEmail();
  const begun = (await cloud.now()).toISOString();
  await request(email);
  const first = await codeSentTo(email, cloud.baseUrl);
  await cloud.advance(61);
  const again = await request(email, { resend: true });
  expect(again.json.data).toMatchObject({ sent: true, resent: true, codeAlreadySent: false });
  expect(await codeSentTo(email, cloud.baseUrl)).toBe(first);
  await cloud.advance(61);
  expect((await request(email, { resend: true })).json.data.resent).toBe(true);
  await cloud.advance(61);
  const refused = await request(email, { resend: true });
  expectRefusal(refused, 429, 'RATE_LIMITED');
  expect(refused.json.nextStep).toContain('already sent');
  expect(await mailsTo(email, cloud.baseUrl)).toHaveLength(3);
  await moveTo(begun, -3600);
  await cloud.advance(2);
  expect((await request(email)).json.data.sent).toBe(true);
});

test('a key expires after ninety days without use, and each use extends that', async () => {
  const [idle, used] = [
    await signIn(anEmail(), cloud.baseUrl),
    await signIn(anEmail(), cloud.baseUrl),
  ];
  const session = async (key: string) => get('/v1/auth/session', key, cloud.baseUrl);
  const { expiresAt } = (await session(idle)).json.data.apiKey;
  await moveTo(expiresAt, 2);
  expect((await session(idle)).status).toBe(200);
  expect((await get('/v1/user', used, cloud.baseUrl)).status).toBe(200);
  await moveTo(expiresAt, -2);
  expectRefusal(await session(idle), 401, 'API_KEY_EXPIRED');
  const renewed = (await session(used)).json.data.apiKey.expiresAt;
  expect(Date.parse(renewed) - Date.parse(expiresAt)).toBeGreaterThan(89 * day * 1000);
});

import { describe, expect, test } from '@jest/globals';
import {
  anEmail,
  codeSentTo,
  get,
  mailsTo,
  post,
  signIn,
} from '../../fixtures/accounts/accounts.ts';
import { type Answer, isLocal, somebody } from '../../fixtures/clouds/client.ts';
import { expectRefusal } from '../../fixtures/clouds/refusals.ts';

const times = <T>(count: number, make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));
const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');
const request = (email: string, more = {}, from?: string) =>
  post('/v1/auth/otp/request', { email, ...more }, { from });
const verify = (email: string, code: string, from?: string) =>
  post('/v1/auth/otp/verify', { email, code }, { from });
const codes = (answers: Answer[]) =>
  answers.map(({ json }): string => json.code ?? 'OK').toSorted();

// The codes are read from the local inbox.
const local = isLocal ? describe : describe.skip;

local('POST /v1/auth/otp/request', () => {
  test('mails a code in both forms and answers when it may be sent again', async () => {
    const email = anEmail();
    const answer = await request(email);
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({
      status: 'success',
      message: expect.any(String),
      nextStep: expect.any(String),
      data: {
        sent: true,
        resent: false,
        codeAlreadySent: false,
        expiresAt: expect.any(String),
        resendAvailableInSeconds: 60,
        attemptToken: expect.stringMatching(/^[\w-]{43}$/),
      },
    });
    const life = Date.parse(answer.json.data.expiresAt) - Date.now();
    expect(Math.abs(life - 600_000)).toBeLessThan(5000);
    const [mail] = await mailsTo(email);
    const code = await codeSentTo(email);
    expect(mail.text).toContain(code);
    expect(mail.html).toContain(code);
  });

  test('sends no mail while a code is valid', async () => {
    const email = anEmail();
    await request(email);
    const again = await request(email);
    expect(again.json.data).toMatchObject({ sent: false, resent: false, codeAlreadySent: true });
    expect(await mailsTo(email)).toHaveLength(1);
  });

  test('sends one mail for thirty concurrent requests', async () => {
    const email = anEmail();
    const answers = await times(30, () => request(email));
    expect(answers.filter(({ json }) => json.data.sent)).toHaveLength(1);
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(await mailsTo(email)).toHaveLength(1);
  });

  test('answers equally with and without an account', async () => {
    const member = anEmail();
    await signIn(member);
    const shape = ({ json }: Answer) => ({
      ...json,
      data: { ...json.data, expiresAt: 'some time', attemptToken: typeof json.data.attemptToken },
    });
    expect(shape(await request(member))).toEqual(shape(await request(anEmail())));
  });

  test('different spellings of one mailbox are one address', async () => {
    const email = anEmail();
    await request(email);
    const again = await request(`  ${email.toUpperCase()} `);
    expect(again.json.data.codeAlreadySent).toBe(true);
  });

  test('ten mails from one caller, then none', async () => {
    const from = somebody();
    const answers = await times(14, () => request(anEmail(), {}, from));
    expect(codes(answers)).toEqual([...Array(10).fill('OK'), ...Array(4).fill('RATE_LIMITED')]);
    for (const answer of answers.filter(({ status }) => status === 429)) {
      expectRefusal(answer, 429, 'RATE_LIMITED');
      expect(answer.headers['retry-after']).toBe(String(answer.json.retryAfterSeconds));
    }
  });
});

describe('malformed sign-in requests', () => {
  test.each([
    ['a malformed e-mail', '{"email":"nobody"}'],
    // How deep a text may be nested depends on the function's stack.
    ['ten thousand levels', `{"email":${'['.repeat(10_000)}${']'.repeat(10_000)}}`],
  ])('%s answers 400 with details', async (_, body) => {
    const answer = await post('/v1/auth/otp/request', body);
    expectRefusal(answer, 400, 'INVALID_REQUEST');
    expect(answer.json.details.length).toBeGreaterThan(0);
  });
});

local('POST /v1/auth/otp/verify', () => {
  test('returns a working key once', async () => {
    const email = anEmail();
    await request(email);
    const code = await codeSentTo(email);
    const answer = await verify(email, code);
    expect(answer.status).toBe(200);
    expect(answer.json.data).toEqual({
      email,
      apiKey: expect.stringMatching(/^sw_live_[0-9A-Za-z]{49}$/),
      expiresAt: expect.any(String),
      message: expect.any(String),
    });
    const life = Date.parse(answer.json.data.expiresAt) - Date.now();
    expect(Math.abs(life - 90 * 86_400_000)).toBeLessThan(10_000);
    expectRefusal(await verify(email, code), 401, 'OTP_EXPIRED');
    const session = await get('/v1/auth/session', answer.json.data.apiKey);
    expect(session.json.data).toEqual({
      email,
      plan: 'pro',
      apiKey: { expiresAt: answer.json.data.expiresAt, renewsWhileInUse: true },
    });
  });

  test('counts down wrong codes and cancels the code at the fifth', async () => {
    const [email, from] = [anEmail(), somebody()];
    await request(email, {}, from);
    const code = await codeSentTo(email);
    for (const attemptsLeft of [4, 3, 2, 1]) {
      const answer = await verify(email, wrong(code), from);
      expectRefusal(answer, 401, 'OTP_INVALID');
      expect(answer.json.attemptsLeft).toBe(attemptsLeft);
    }
    expectRefusal(await verify(email, wrong(code), from), 429, 'OTP_TOO_MANY_ATTEMPTS');
    expectRefusal(await verify(email, code, from), 429, 'OTP_TOO_MANY_ATTEMPTS');
    expect((await request(email)).json.data.sent).toBe(true);
    expect((await verify(email, await codeSentTo(email))).status).toBe(200);
  });

  test('of twenty concurrent requests with the correct code one signs in', async () => {
    const email = anEmail();
    await request(email);
    const code = await codeSentTo(email);
    const answers = await times(20, () => verify(email, code));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.every(({ status }) => status < 500)).toBe(true);
  });

  test('a code works only for its address', async () => {
    const [mine, other] = [anEmail(), anEmail()];
    await request(mine);
    await request(other);
    const code = await codeSentTo(mine);
    if (code !== (await codeSentTo(other))) {
      expectRefusal(await verify(other, code), 401, 'OTP_INVALID');
    }
    expectRefusal(await verify(anEmail(), code), 401, 'OTP_EXPIRED');
  });
});

local('keys', () => {
  test('a missing key, a wrong key and another scheme have different errors', async () => {
    const key = await signIn();
    expectRefusal(await get('/v1/user'), 401, 'API_KEY_MISSING');
    const typo = key.slice(0, -1) + (key.endsWith('0') ? '1' : '0');
    for (const bad of [typo, 'sw_live_x', 'x', key.toLowerCase(), `${key}0`]) {
      expectRefusal(await get('/v1/user', bad), 401, 'API_KEY_INVALID');
    }
  });

  test('a second sign-in returns a second key; both work', async () => {
    const email = anEmail();
    const keys = [await signIn(email), await signIn(email)];
    expect(keys[0]).not.toBe(keys[1]);
    for (const key of keys) expect((await get('/v1/user', key)).json.data.email).toBe(email);
  });
});

local('GET /v1/user', () => {
  test('returns plan, limits and quota', async () => {
    const email = anEmail();
    const { data } = (await get('/v1/user', await signIn(email))).json;
    const leftDays = (Date.parse(data.plan.trialEndsAt) - Date.now()) / 86_400_000;
    expect(Math.round(leftDays)).toBe(7);
    expect(data).toEqual({
      email,
      plan: {
        tier: 'pro',
        trialEndsAt: expect.any(String),
        upgradeUrl: null,
        limits: {
          maxProjects: 25,
          maxStorageBytes: 5_368_709_120,
          maxFilesPerProject: 2000,
          maxVisitorsPerMonth: 100_000,
          maxBytesPerMonth: 500 * 1024 ** 3,
          maxUploadBytes: 524_288_000,
        },
      },
      quota: {
        projects: { used: 0, limit: 25, unlimited: false },
        storage: { usedBytes: 0, limitBytes: 5_368_709_120, unlimited: false },
      },
      usage: { visits: 0, bytes: 0 },
    });
  });
});

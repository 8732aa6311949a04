import { describe, expect, test } from '@jest/globals';
import { anEmail, codeSentTo, longCodeSentTo, post } from '../../fixtures/accounts/accounts.ts';
import { ofOwnPage } from '../../fixtures/visits/browser.ts';
import { file, isLocal, somebody } from '../../fixtures/clouds/client.ts';
import { Person } from '../../fixtures/agents/oauth.ts';
import { temporary } from '../../fixtures/projects/projects.ts';
import { expectRefusal } from '../../fixtures/clouds/refusals.ts';

const times = <T>(count: number, make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));
const wrong = (code: string, by = 1) => String((Number(code) + by) % 1_000_000).padStart(6, '0');
const request = (email: string, from?: string, more = {}) =>
  post('/v1/auth/otp/request', { email, ...more }, { from });
const verify = (email: string, code: string, from?: string, more = {}) =>
  post('/v1/auth/otp/verify', { email, code, ...more }, { from });

// The codes are read from the local inbox, and one machine is many people.
const local = isLocal ? describe : describe.skip;

local('lock-out', () => {
  test('strangers cannot cancel the requester’s code, which works by address, and by token from anywhere', async () => {
    for (const path of ['/v1/auth/otp/verify', '/v1/session']) {
      const [email, from] = [anEmail(), somebody()];
      const { attemptToken } = (await request(email, from)).json.data;
      const code = await codeSentTo(email);
      await times(20, () => verify(email, wrong(code)));
      expectRefusal(await verify(email, code), 429, 'OTP_TOO_MANY_ATTEMPTS');
      const mine = path === '/v1/session' ? { attemptToken } : {};
      const sender = path === '/v1/session' ? somebody() : from;
      const proof = { email, code, ...mine };
      const answer = await post(path, proof, { from: sender, headers: ofOwnPage() });
      expect(answer.status).toBe(200);
    }
  });

  test('the page identifies the requester with its own cookie', async () => {
    const { claimUrl } = await temporary([file('a.txt')]);
    const person = new Person();
    const code = async () => codeSentTo(person.email);
    const form = await person.submit(await person.open(claimUrl), { email: person.email });
    expect(form.headers['set-cookie']).toEqual([
      expect.stringMatching(
        /^__Host-slipway-attempt=[\w-]{43}; HttpOnly; Secure; SameSite=Strict; Path=\/; Max-Age=600$/,
      ),
    ]);
    const digits = await code();
    await times(10, () => verify(person.email, wrong(digits)));
    expect((await person.submit(form, { code: digits })).status).toBe(200);
  });

  test('the claim page asks for and accepts the long code when the digits are not accepted any more', async () => {
    const { claimUrl } = await temporary([file('a.txt')]);
    const person = new Person();
    await request(person.email);
    const digits = await codeSentTo(person.email);
    await times(10, () => verify(person.email, wrong(digits)));
    const form = await person.submit(await person.open(claimUrl), { email: person.email });
    const refused = await person.submit(form, { code: digits });
    expect(refused.status).toBe(429);
    expect(refused.words).toContain('Enter the long code from the same e-mail');
    const mistyped = await person.submit(refused, { code: 'bcdf-ghjk-mnpq-rstv-wxyz-bcdf' });
    expect(mistyped.status).toBe(401);
    expect(mistyped.words).toContain('This is not the long code');
    const longCode = await longCodeSentTo(person.email);
    expect((await person.submit(refused, { code: `  ${longCode.toUpperCase()}` })).status).toBe(
      200,
    );
  });

  test('the claim page accepts the long code when the mail limit is reached', async () => {
    const { claimUrl } = await temporary([file('a.txt')]);
    const person = new Person();
    for (let round = 0; round < 3; round += 1) {
      const asker = somebody();
      await request(person.email, asker);
      const digits = await codeSentTo(person.email);
      for (let tries = 0; tries < 5; tries += 1) await verify(person.email, wrong(digits), asker);
    }
    const form = await person.submit(await person.open(claimUrl), { email: person.email });
    const code = await longCodeSentTo(person.email);
    expect((await person.submit(form, { code })).status).toBe(200);
  });
});

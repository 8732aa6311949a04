import { describe, expect, test } from '@jest/globals';
import { mailBudget } from '../../../../core/accounts/sign-in/mail-limits.ts';
import { MemorySignIn } from '../../../fixtures/accounts/memory-sign-in.ts';

const email = 'owner@example.org';
const owner = '192.0.2.1';
const stranger = (index: number) => `198.51.100.${index + 1}`;
const minute = 60_000;

async function wrongFrom(signIn: MemorySignIn, address: string, count: number, attemptToken = '') {
  const answers = [];
  for (let tries = 0; tries < count; tries += 1) {
    answers.push(
      await signIn.verify(address, { email, code: signIn.wrongDigits(email), attemptToken }),
    );
  }
  return answers;
}
const codes = (answers: { code: string }[]) => answers.map(({ code }) => code);
const digitsTo = (signIn: MemorySignIn) => signIn.inbox(email)?.digits ?? '';

/** Strangers use up every mail of the hour and every guess at every code. */
async function besiege(signIn: MemorySignIn) {
  for (let round = 0; round < 3; round += 1) {
    await signIn.request(stranger(round), email);
    await wrongFrom(signIn, stranger(100 + round), 6);
    await wrongFrom(signIn, stranger(round), 6);
    signIn.at += minute;
  }
}

describe('a client that asks over one network and verifies over another, without a token', () => {
  const [asks, verifies] = ['2001:db8:1:2::1', '192.0.2.44'];
  const fiveWrong = [...Array(4).fill('OTP_INVALID'), 'OTP_TOO_MANY_ATTEMPTS'];

  test('has five tries', async () => {
    const signIn = new MemorySignIn();
    await signIn.request(asks, email);
    const answers = await wrongFrom(signIn, verifies, 5);
    expect(codes(answers)).toEqual(fiveWrong);
    expect(answers.map(({ body }) => body.attemptsLeft)).toEqual([4, 3, 2, 1, undefined]);
    const again = new MemorySignIn();
    await again.request(asks, email);
    await wrongFrom(again, verifies, 4);
    expect((await again.verify(verifies, { email, code: digitsTo(again) })).code).toBe('OK');
  });

  test.each([
    ['the same network', asks],
    ['the network that verifies', verifies],
    ['a third network', '192.0.2.45'],
  ])('after five wrong codes, a plain request from %s sends a code that works', async (_, from) => {
    const signIn = new MemorySignIn();
    await signIn.request(asks, email);
    expect(codes(await wrongFrom(signIn, verifies, 5))).toEqual(fiveWrong);
    const { sent, codeAlreadySent } = (await signIn.request(from, email)).body.data;
    expect({ sent, codeAlreadySent }).toEqual({ sent: true, codeAlreadySent: false });
    expect(codes(await wrongFrom(signIn, verifies, 4))).toEqual(Array(4).fill('OTP_INVALID'));
    expect((await signIn.verify(verifies, { email, code: digitsTo(signIn) })).code).toBe('OK');
  });

  test('who mistypes four times and then signs in, every day of a year, is never refused', async () => {
    const signIn = new MemorySignIn();
    for (let days = 0; days < 365; days += 1) {
      await signIn.request(asks, email);
      await wrongFrom(signIn, verifies, 4);
      expect((await signIn.verify(verifies, { email, code: digitsTo(signIn) })).code).toBe('OK');
      signIn.at += 24 * 60 * minute;
    }
  });
});

describe('lock-out', () => {
  test('wrong codes of strangers do not cancel the requester’s code', async () => {
    const signIn = new MemorySignIn();
    await signIn.request(owner, email);
    for (let index = 0; index < 50; index += 1) await wrongFrom(signIn, stranger(index), 1);
    expect(signIn.wrongAt).toHaveLength(10);
    expect((await signIn.verify(owner, { email, code: digitsTo(signIn) })).code).toBe('OK');
  });

  test('the requester is identified by the token from any network, or by the network without a token', async () => {
    for (const elsewhere of [false, true]) {
      const signIn = new MemorySignIn();
      const { attemptToken } = (await signIn.request(owner, email)).body.data;
      await wrongFrom(signIn, stranger(1), 5);
      const proof = { email, code: digitsTo(signIn) };
      const answer = elsewhere
        ? await signIn.verify(stranger(1), { ...proof, attemptToken })
        : await signIn.verify(owner, proof);
      expect(answer.code).toBe('OK');
    }
  });

  test('an IPv6 requester is identified anywhere in its /64, and nowhere else', async () => {
    const signIn = new MemorySignIn();
    await signIn.request('2001:db8:1:2::1', email);
    // Strangers use up the tries of everybody who did not ask.
    await wrongFrom(signIn, stranger(1), 5);
    await wrongFrom(signIn, stranger(2), 5);
    const [elsewhere] = await wrongFrom(signIn, '2001:db8:1:3::1', 1);
    expect(elsewhere?.code).toBe('OTP_TOO_MANY_ATTEMPTS');
    expect(elsewhere?.body.nextStep).toContain('attemptToken');
    expect((await wrongFrom(signIn, '2001:db8:1:2:ffff::9', 1))[0]?.body.attemptsLeft).toBe(4);
  });

  test('five wrong codes of the requester cancel the code for them, and leave others their tries', async () => {
    const signIn = new MemorySignIn();
    await signIn.request(stranger(1), email);
    expect(codes(await wrongFrom(signIn, stranger(1), 6))).toEqual([
      ...Array(4).fill('OTP_INVALID'),
      ...Array(2).fill('OTP_TOO_MANY_ATTEMPTS'),
    ]);
    expect((await signIn.verify(owner, { email, code: digitsTo(signIn) })).code).toBe('OK');
  });

  test('a stranger who requests a code while one is valid gets no token of the requester', async () => {
    const signIn = new MemorySignIn();
    const first = (await signIn.request(owner, email)).body.data;
    const codeRequest = (await signIn.request(stranger(1), email)).body.data;
    expect(codeRequest).toEqual({
      sent: false,
      resent: false,
      codeAlreadySent: true,
      expiresAt: first.expiresAt,
      resendAvailableInSeconds: 60,
    });
    expect((await signIn.request(owner, email)).body.data.attemptToken).toBe(first.attemptToken);
  });

  test('each person who has the code sent again has their own tries', async () => {
    const signIn = new MemorySignIn();
    await signIn.request(stranger(1), email);
    await wrongFrom(signIn, stranger(2), 4);
    await wrongFrom(signIn, stranger(3), 4);
    await wrongFrom(signIn, stranger(4), 2);
    expect((await signIn.verify(owner, { email, code: digitsTo(signIn) })).code).toBe(
      'OTP_TOO_MANY_ATTEMPTS',
    );
    signIn.at += minute;
    expect((await signIn.request(owner, email, true)).body.data.attemptToken).toMatch(
      /^[\w-]{43}$/,
    );
    expect((await signIn.verify(owner, { email, code: digitsTo(signIn) })).code).toBe('OK');
  });

  test('sending a code again gives no new tries after five wrong ones', async () => {
    const signIn = new MemorySignIn();
    await signIn.request(owner, email);
    await wrongFrom(signIn, owner, 4);
    signIn.at += minute;
    expect((await signIn.request(owner, email, true)).body.data.resent).toBe(true);
    expect(codes(await wrongFrom(signIn, owner, 2))).toEqual(
      Array(2).fill('OTP_TOO_MANY_ATTEMPTS'),
    );
  });

  test.each([
    [5, 'OK'],
    [20, 'RATE_LIMITED'],
    [45, 'RATE_LIMITED'],
  ])(
    'an address whose mails and tries strangers used up accepts the long code, %i minutes later',
    async (minutes, requested) => {
      const signIn = new MemorySignIn();
      await besiege(signIn);
      signIn.at += minutes * minute;
      const answer = await signIn.request(owner, email);
      expect(answer.code).toBe(requested);
      if (requested !== 'OK') expect(answer.body.nextStep).toContain('already sent');
      const { digits = '', longCode = '' } = signIn.inbox(email) ?? {};
      expect((await signIn.verify(owner, { email, code: digits })).code).toMatch(/^OTP_/);
      const proof = { email, code: digits, attemptToken: longCode };
      expect((await signIn.verify(owner, proof)).code).toBe('OK');
      expect((await signIn.verify(owner, proof)).code).toBe('OTP_EXPIRED');
    },
  );

  test('a page accepts the long code alone, and no other code', async () => {
    const signIn = new MemorySignIn();
    await besiege(signIn);
    const { longCode = '', digits = '' } = signIn.inbox(email) ?? {};
    const other = longCode.replace(/^./, (letter) => (letter === 'b' ? 'c' : 'b'));
    const tried = signIn.wrongAt.length;
    expect((await signIn.verify(owner, { email, attemptToken: other })).code).toBe('OTP_INVALID');
    expect(signIn.wrongAt).toHaveLength(tried);
    const wrongDigits = digits === '000000' ? '000001' : '000000';
    expect(
      (await signIn.verify(owner, { email, code: wrongDigits, attemptToken: longCode })).code,
    ).toBe('OTP_INVALID');
    expect((await signIn.verify(owner, { email, attemptToken: longCode })).code).toBe('OK');
  });

  test('a long code is refused after an hour, after a newer code, and for another address', async () => {
    const signIn = new MemorySignIn();
    await signIn.request(owner, email);
    const { longCode = '' } = signIn.inbox(email) ?? {};
    await signIn.request(owner, 'other@example.org');
    expect(
      (await signIn.verify(owner, { email: 'other@example.org', attemptToken: longCode })).code,
    ).toBe('OTP_INVALID');
    signIn.at += 60 * minute;
    expect((await signIn.verify(owner, { email, attemptToken: longCode })).code).toBe(
      'OTP_EXPIRED',
    );
    await signIn.request(owner, email);
    expect((await signIn.verify(owner, { email, attemptToken: longCode })).code).toBe(
      'OTP_INVALID',
    );
  });

  test('strangers who request and guess all day leave a new requester a try', async () => {
    const signIn = new MemorySignIn();
    for (let hour = 0; hour < 20; hour += 1) {
      for (let index = 0; index < 3; index += 1) {
        await signIn.request(stranger(index), email);
        await wrongFrom(signIn, stranger(index), 5);
        await wrongFrom(signIn, stranger(3), 3);
      }
      signIn.at += 61 * minute;
    }
    expect(signIn.wrongAt).toHaveLength(21);
    await signIn.request(owner, email);
    expect((await signIn.verify(owner, { email, code: digitsTo(signIn) })).code).toBe('OK');
  });

  test('a reached limit returns the time to wait and the next step', async () => {
    const signIn = new MemorySignIn();
    for (let round = 0; round < 12; round += 1) {
      await signIn.request(stranger(round), email);
      await wrongFrom(signIn, stranger(round), 5);
      signIn.at += 21 * minute;
    }
    await signIn.request(owner, email);
    const { digits = '', longCode = '' } = signIn.inbox(email) ?? {};
    const refused = await signIn.verify(owner, { email, code: digits });
    expect(refused.code).toBe('OTP_TOO_MANY_ATTEMPTS');
    expect(refused.body.retryAfterSeconds).toBeGreaterThan(12 * 3600);
    expect(refused.body.retryAfterSeconds).toBeLessThan(86_400);
    expect(refused.body.nextStep).toContain('long code');
    const proof = { email, code: digits, attemptToken: longCode };
    expect((await signIn.verify(owner, proof)).code).toBe('OK');
  });
});

test('when strangers have used up the mails of the hour, owners still get their codes', async () => {
  const signIn = new MemorySignIn();
  await signIn.request(owner, email);
  expect((await signIn.verify(owner, { email, code: digitsTo(signIn) })).code).toBe('OK');
  signIn.at += 2 * minute;
  for (let at = 0; at < mailBudget.limit; at += 1) {
    await signIn.request(`10.${at % 250}.${Math.floor(at / 250)}.1`, `stranger-${at}@example.org`);
  }
  const refused = await signIn.request('192.0.2.99', 'somebody-new@example.org');
  expect(refused).toMatchObject({ code: 'RATE_LIMITED' });
  expect(refused.body.retryAfterSeconds).toBeGreaterThan(0);
  expect((await signIn.request(owner, email)).body.data.sent).toBe(true);
  signIn.at += refused.body.retryAfterSeconds * 1000;
  expect((await signIn.request('192.0.2.99', 'somebody-new@example.org')).code).toBe('OK');
});

describe('an account that its owner deleted', () => {
  const proofs = (signIn: MemorySignIn) => {
    const { digits = '', longCode = '' } = signIn.inbox(email) ?? {};
    return { digits: { email, code: digits }, 'the long code': { email, attemptToken: longCode } };
  };

  test.each(['digits', 'the long code'] as const)(
    'is restored by %s only when its owner says so, and the code works until then',
    async (kind) => {
      const signIn = new MemorySignIn();
      await signIn.request(owner, email);
      await signIn.verify(owner, { email, code: digitsTo(signIn) });
      signIn.closeAccount(email);
      signIn.at += 61_000;
      await signIn.request(owner, email);
      const proof = proofs(signIn)[kind];
      const wrong = { email, code: signIn.wrongDigits(email), restore: false };
      expect((await signIn.verify(owner, wrong)).code).toBe('OTP_INVALID');
      for (const _ of Array(6).keys()) {
        const { code, body } = await signIn.verify(owner, { ...proof, restore: false });
        expect(code).toBe('ACCOUNT_CLOSED');
        expect(body.restorableUntil).toBe('2026-03-31T12:00:00.000Z');
      }
      expect((await signIn.verify(owner, proof)).code).toBe('OK');
      expect((await signIn.verify(owner, proof)).code).toBe('OTP_EXPIRED');
    },
  );

  test('is not named to who does not know the code', async () => {
    const signIn = new MemorySignIn();
    await signIn.request(owner, email);
    await signIn.verify(owner, { email, code: digitsTo(signIn) });
    signIn.closeAccount(email);
    expect((await signIn.verify(owner, { email, code: '000000', restore: false })).code).toBe(
      'OTP_EXPIRED',
    );
  });
});

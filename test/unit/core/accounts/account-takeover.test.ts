import { describe, expect, test } from '@jest/globals';
import { MemorySignIn } from '../../../fixtures/accounts/memory-sign-in.ts';

const email = 'owner@example.org';
const attacker = '203.0.113.7';
const hour = 3_600_000;
const day = 24 * hour;
const addressOf = (index: number) => `198.51.${100 + Math.floor(index / 250)}.${1 + (index % 250)}`;

/** Requests and guesses until no guess is compared any more; tells how many were. */
async function guessFrom(signIn: MemorySignIn, from: (round: number) => string, rounds: number) {
  const before = signIn.wrongAt.length;
  for (let round = 0; round < rounds; round += 1) {
    const address = from(round);
    await signIn.request(address, email, true);
    for (let tries = 0; tries < 6; tries += 1) {
      await signIn.verify(address, { email, code: signIn.wrongDigits(email) });
    }
    signIn.at += 20 * 60_000;
  }
  return signIn.wrongAt.length - before;
}

describe('account takeover by e-mail address', () => {
  test('a refused request creates no code', async () => {
    const signIn = new MemorySignIn();
    for (let index = 0; index < 10; index += 1) {
      await signIn.request(attacker, `other-${index}@example.org`);
    }
    const guess = () => signIn.verify('203.0.113.8', { email, code: '000000' });
    const request = () => signIn.request(attacker, email);
    const answers = await Promise.all([request(), guess(), request(), guess(), guess(), guess()]);
    expect(answers.map(({ code }) => code).toSorted()).toEqual([
      ...Array(4).fill('OTP_EXPIRED'),
      ...Array(2).fill('RATE_LIMITED'),
    ]);
    expect(signIn.wrongAt).toEqual([]);
  });

  test('a code can be tried only after its mail was sent', async () => {
    const signIn = new MemorySignIn();
    const guesses: string[] = [];
    signIn.handOver = async () => {
      guesses.push((await signIn.verify(attacker, { email, code: '000000' })).code);
    };
    await signIn.request(attacker, email);
    expect(guesses).toEqual(['OTP_EXPIRED']);
    const { code } = await signIn.verify(attacker, { email, code: signIn.wrongDigits(email) });
    expect(code).toBe('OTP_INVALID');
  });

  test('a mail that could not be sent leaves no code and does not count', async () => {
    const signIn = new MemorySignIn();
    signIn.handOver = () => Promise.reject(new Error('the provider is down'));
    for (let tries = 0; tries < 5; tries += 1) {
      await expect(signIn.request(attacker, email)).rejects.toThrow('down');
    }
    expect(signIn.record(email)).toEqual({ code: undefined });
    signIn.handOver = async () => undefined;
    expect((await signIn.request(attacker, email)).body.data.sent).toBe(true);
  });

  test('a refused request does not change the valid code', async () => {
    const signIn = new MemorySignIn();
    for (let index = 0; index < 10; index += 1)
      await signIn.request(attacker, `${index}@a.example`);
    await signIn.request('192.0.2.1', email);
    const { code } = signIn.record(email);
    signIn.at += 61_000;
    expect((await signIn.request(attacker, email, true)).code).toBe('RATE_LIMITED');
    expect(signIn.record(email).code).toBe(code);
    expect((await signIn.request('192.0.2.1', email, true)).body.data.resent).toBe(true);
  });

  test('a request that crashed while sending blocks others only until its lease ends', async () => {
    const signIn = new MemorySignIn();
    signIn.handOver = () => new Promise(() => undefined);
    void signIn.request(attacker, email);
    await new Promise((resolve) => setImmediate(resolve));
    signIn.handOver = async () => undefined;
    expect((await signIn.request('192.0.2.1', email)).body.data.codeAlreadySent).toBe(true);
    signIn.at += 30_000;
    expect((await signIn.request('192.0.2.1', email)).body.data.sent).toBe(true);
  });

  test.each([
    ['one IP address', () => attacker],
    ['an IP address for each request', addressOf],
  ])(
    'at most 25 wrong codes a day are compared for an e-mail address, from %s',
    async (_, from) => {
      const signIn = new MemorySignIn();
      expect(await guessFrom(signIn, from, 72)).toBeLessThanOrEqual(25);
    },
  );

  test('at most 40 in thirty days and 100 in a year, from any number of networks', async () => {
    const signIn = new MemorySignIn();
    const begun = signIn.at;
    while (signIn.at < begun + 364 * day) {
      const others = Array.from({ length: 6 }, (_, index) => addressOf(300 + index));
      await guessFrom(signIn, addressOf, 6);
      await signIn.request(attacker, email, true);
      for (const address of others) {
        await signIn.verify(address, { email, code: signIn.wrongDigits(email) });
      }
      signIn.at += 3 * day;
    }
    const inMonth = (at: number) =>
      signIn.wrongAt.filter((one) => one >= at && one < at + 30 * day).length;
    expect(Math.max(...signIn.wrongAt.map(inMonth))).toBeLessThanOrEqual(40);
    expect(signIn.wrongAt.length).toBeLessThanOrEqual(100);
    expect(signIn.wrongAt.length).toBeGreaterThan(70);
  });

  test.each([
    ['an IPv4 address', () => attacker],
    ['an IPv6 /48', (index: number) => `2001:db8:7:${index.toString(16)}::1`],
  ])('at most 100 wrong codes a day are compared from %s, for all addresses', async (_, from) => {
    const signIn = new MemorySignIn();
    for (let index = 0; index < 40; index += 1) {
      const to = `person-${index}@example.org`;
      await signIn.request(`198.51.100.${index}`, to);
      for (let tries = 0; tries < 3; tries += 1) {
        await signIn.verify(from(index), { email: to, code: signIn.wrongDigits(to) });
      }
    }
    expect(signIn.wrongAt).toHaveLength(100);
  });

  test('the requester’s wrong codes are forgotten after the correct code, those of others are not', async () => {
    const signIn = new MemorySignIn();
    for (let week = 0; week < 30; week += 1) {
      await signIn.request(attacker, email);
      for (let tries = 0; tries < 4; tries += 1) {
        const typo = await signIn.verify(attacker, { email, code: signIn.wrongDigits(email) });
        expect(typo.body.attemptsLeft).toBe(4 - tries);
      }
      const { digits = '' } = signIn.inbox(email) ?? {};
      expect((await signIn.verify(attacker, { email, code: digits })).code).toBe('OK');
      signIn.at += day;
    }
  });
});

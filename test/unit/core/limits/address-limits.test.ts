import { describe, expect, test } from '@jest/globals';
import {
  addressPlaces,
  beginAtOnce,
  countByAddress,
} from '../../../../core/limits/address-limits.ts';
import { MemorySignIn } from '../../../fixtures/accounts/memory-sign-in.ts';

const rule = { limit: 3, windowSeconds: 60 };
const now = new Date('2026-03-01T12:00:00.000Z');

/** How many attempts pass, one from each of these addresses. */
async function passed(addresses: readonly string[]): Promise<number> {
  const events = new Map<string, number>();
  const counters = {
    count: async (key: string) => {
      events.set(key, (events.get(key) ?? 0) + 1);
      return events.get(key) ?? 0;
    },
  };
  const attempts = addresses.map((address) =>
    countByAddress(
      counters,
      { address, requestId: 'request' },
      { name: 'tries', rule, what: 'tries' },
      now,
    ),
  );
  const outcomes = await Promise.allSettled(attempts);
  return outcomes.filter(({ status }) => status === 'fulfilled').length;
}
const hundred = Array.from({ length: 100 }, (_, index) => index);

describe('a limit by address', () => {
  test.each([
    ['one IPv4 address', () => '203.0.113.7', 3],
    ['one IPv6 /64', (index: number) => `2001:db8:1:2::${index}`, 3],
    ['all /64s of one /48', (index: number) => `2001:db8:1:${index}::1`, 15],
    ['all addresses of one /24', (index: number) => `203.0.113.${index}`, 60],
    ['as many networks', (index: number) => `203.0.${index}.1`, 100],
  ])('lets %s pass so often', async (_, addressOf, expected) => {
    expect(await passed(hundred.map(addressOf))).toBe(expected);
  });

  test('is exact for each address, and says which limit refused', async () => {
    const [caller, network] = addressPlaces('tries', '2001:db8:1:2::1', [rule]);
    expect(caller).toEqual({ name: 'caller', key: 'tries#2001:db8:1:2::/64', rules: [rule] });
    expect(network).toMatchObject({ name: 'network', key: 'tries#2001:db8:1::/48' });
  });
});

describe('work of one caller at once', () => {
  test('has its limit also around the change of a window, and what ended makes room', async () => {
    const events = new Map<string, number>();
    const counters = {
      async count(key: string, windowSeconds: number, at: Date, added = 1) {
        const row = `${key}#${Math.floor(at.getTime() / 1000 / windowSeconds)}`;
        events.set(row, (events.get(row) ?? 0) + added);
        return events.get(row) ?? 0;
      },
    };
    const begin = (secondsLater: number) =>
      beginAtOnce(
        counters,
        '203.0.113.7',
        { name: 'streaming', limit: 2, maxSeconds: 300 },
        new Date(now.getTime() + secondsLater * 1000),
      );
    const first = await begin(298);
    const second = await begin(299);
    expect([typeof first, typeof second]).toEqual(['function', 'function']);
    expect(await begin(301)).toBe(undefined);
    await first?.();
    expect(typeof (await begin(302))).toBe('function');
    expect(await begin(303)).toBe(undefined);
  });
});

describe('mails with codes', () => {
  test('of one /48 end, however many /64s it uses', async () => {
    const signIn = new MemorySignIn();
    const answers = [];
    for (const index of hundred) {
      const from = `2001:db8:1:${index.toString(16)}::1`;
      answers.push((await signIn.request(from, `person-${index}@example.org`)).code);
    }
    expect(answers.filter((code) => code === 'OK')).toHaveLength(50);
    expect(signIn.mails).toHaveLength(50);
  });

  test('of the whole deployment end for addresses without an account; those with one get theirs', async () => {
    const signIn = new MemorySignIn();
    const owner = 'owner@example.org';
    await signIn.request('192.0.2.1', owner);
    await signIn.verify('192.0.2.1', { email: owner, code: signIn.inbox(owner)?.digits ?? '' });
    const networkOf = (index: number) => `10.${Math.floor(index / 250)}.${index % 250}.1`;
    for (let index = 0; index < 1100; index += 1) {
      await signIn.request(networkOf(index), `person-${index}@example.org`);
    }
    expect(signIn.mails).toHaveLength(1000);
    const refused = await signIn.request('192.0.2.2', 'new@example.org');
    expect(refused).toMatchObject({ code: 'RATE_LIMITED', body: { retryAfterSeconds: 3600 } });
    expect((await signIn.request('192.0.2.1', owner)).body.data.sent).toBe(true);
    expect((await signIn.operatorCode('new@example.org')).body.kind).toBe('code');
    signIn.at += 3600_000;
    expect((await signIn.request('192.0.2.2', 'new@example.org')).code).toBe('OK');
  });
});

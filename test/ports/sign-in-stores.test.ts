import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { codeTable } from '../../adapters/dynamodb/accounts/code-table.ts';
import { counterTable } from '../../adapters/dynamodb/counter-table.ts';
import type { CodeStore } from '../../core/accounts/ports.ts';
import { type MailedCode, SignInRecord } from '../../core/accounts/sign-in/sign-in-code.ts';
import { plusSeconds } from '../../core/instants.ts';
import { MemorySignIn } from '../fixtures/accounts/memory-sign-in.ts';
import { localStores, tables } from '../fixtures/clouds/local-stores.ts';

let stores: Awaited<ReturnType<typeof localStores>>;
beforeAll(async () => {
  stores = await localStores();
});
afterAll(() => stores.close());

const now = new Date('2026-03-01T12:00:00.000Z');
const after = (seconds: number) => plusSeconds(now, seconds);

describe.each<[string, () => CodeStore]>([
  ['DynamoDB', () => codeTable(stores.client, tables.counters)],
  ['memory', () => new MemorySignIn().codes()],
])('sign-in codes in %s', (_, implementation) => {
  let codes: CodeStore;
  let email: string;
  beforeEach(() => {
    codes = implementation();
    email = `${randomUUID()}@example.org`;
  });

  const aCode = (networks: string[]): MailedCode => ({
    nonce: 'n',
    sentAt: now.toISOString(),
    expiresAt: after(600).toISOString(),
    requesters: networks.map((network) => ({ network, wrongAt: [] })),
    others: [],
  });
  const networksOf = ({ code }: SignInRecord) => code?.requesters.map(({ network }) => network);
  /** Adds a network to the record, and gives those that were there before. */
  const add = (network: string) =>
    codes.change(email, (record) => {
      const known = networksOf(record) ?? [];
      return { next: { code: aCode([...known, network]) }, result: known };
    });

  test('are of one address, and empty where nothing is stored', async () => {
    expect(await codes.read(email)).toEqual({});
    expect(await add('a')).toEqual([]);
    expect(await codes.read(email)).toEqual({ code: aCode(['a']) });
    expect(await codes.read(randomUUID())).toEqual({});
  });

  test('stay without a next state, and end with an empty one', async () => {
    await add('a');
    expect(await codes.change(email, () => ({ next: undefined, result: 'seen' }))).toBe('seen');
    expect(networksOf(await codes.read(email))).toEqual(['a']);
    await codes.change(email, () => ({ next: {}, result: undefined }));
    expect(await codes.read(email)).toEqual({});
    expect(await add('b')).toEqual([]);
  });

  test('lose none of several simultaneous changes', async () => {
    const seen = await Promise.all(['a', 'b', 'c', 'd', 'e'].map(add));
    expect(new Set(seen.map(({ length }) => length))).toEqual(new Set([0, 1, 2, 3, 4]));
    expect(networksOf(await codes.read(email))?.toSorted()).toEqual(['a', 'b', 'c', 'd', 'e']);
  });
});

describe.each<[string, () => MemorySignIn['counters']]>([
  ['DynamoDB', () => counterTable(stores.client, tables.counters)],
  ['memory', () => new MemorySignIn().counters],
])('counters in %s', (_, implementation) => {
  let counters: MemorySignIn['counters'];
  let key: string;
  beforeEach(() => {
    counters = implementation();
    key = randomUUID();
  });
  const minute = { limit: 2, windowSeconds: 60 };
  const hour = { limit: 3, windowSeconds: 3600 };
  const isReserved = async (at: Date) => (await counters.reserve(key, [minute, hour], at)).reserved;

  test('count the events of a window, also simultaneous ones', async () => {
    const counted = await Promise.all([1, 2, 3].map(() => counters.count(key, 60, now)));
    expect(new Set(counted)).toEqual(new Set([1, 2, 3]));
    expect(await counters.count(key, 60, after(59))).toBe(4);
    expect(await counters.count(key, 60, after(60))).toBe(1);
    expect(await counters.count(randomUUID(), 60, now)).toBe(1);
  });

  test('reserve exactly as many places as every rule has', async () => {
    const first = await Promise.all(Array.from({ length: 5 }, () => isReserved(now)));
    expect(first.filter(Boolean)).toHaveLength(2);
    expect(await counters.reserve(key, [minute, hour], after(10))).toMatchObject({
      reserved: false,
      rule: minute,
      retryAfterSeconds: 50,
    });
    expect([await isReserved(after(60)), await isReserved(after(121))]).toEqual([true, false]);
  });

  test('give back the place of one time, once', async () => {
    await isReserved(now);
    await isReserved(after(1));
    await counters.release(key, after(1));
    await counters.release(key, after(1));
    expect([await isReserved(after(2)), await isReserved(after(3))]).toEqual([true, false]);
  });

  test('say what a reservation would say, without making one', async () => {
    await isReserved(now);
    const peeked = await counters.peek(key, [minute, hour], after(1));
    expect(peeked).toMatchObject({ reserved: true });
    expect(await isReserved(after(1))).toBe(true);
    const refused = await counters.peek(key, [minute, hour], after(2));
    expect(refused).toEqual(await counters.reserve(key, [minute, hour], after(2)));
  });
});

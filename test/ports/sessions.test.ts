import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { knownBrowserTable, sessionTable } from '../../adapters/dynamodb/accounts/session-table.ts';
import { AccountId } from '../../contract/fields.ts';
import type { SessionStore } from '../../core/accounts/ports.ts';
import type { KnownBrowserStore } from '../../core/accounts/sessions/known-browser.ts';
import { SessionId, type StoredSession } from '../../core/accounts/sessions/stored-session.ts';
import { MemoryKnownBrowsers, MemorySessions } from '../fixtures/accounts/memory-sessions.ts';
import { localStores, tables } from '../fixtures/clouds/local-stores.ts';

let stores: Awaited<ReturnType<typeof localStores>>;
beforeAll(async () => {
  stores = await localStores();
});
afterAll(() => stores.close());

const at = '2026-03-01T12:00:00.000Z';
const later = '2026-03-02T12:00:00.000Z';
const newAccount = () => AccountId.parse(randomUUID());

describe.each<[string, () => SessionStore]>([
  ['DynamoDB', () => sessionTable(stores.client, tables.accounts)],
  ['memory', () => new MemorySessions()],
])('sessions in %s', (_, implementation) => {
  let sessions: SessionStore;
  let accountId: AccountId;
  beforeEach(() => {
    sessions = implementation();
    accountId = newAccount();
  });

  async function aSession(hash: string): Promise<StoredSession> {
    const id = SessionId.parse(randomUUID());
    const facts = { browser: 'Firefox', os: null, country: null };
    const session = { id, accountId, createdAt: at, lastUsedAt: null, expiresAt: later, ...facts };
    await sessions.put(hash, session);
    return session;
  }
  const idsOf = async (account = accountId) =>
    (await sessions.list(account)).map(({ id }) => id).toSorted();

  test('are found by their token, and listed for their account', async () => {
    const [first, second] = [randomUUID(), randomUUID()];
    const made = [await aSession(first), await aSession(second)];
    expect(await sessions.find(first)).toEqual(made[0]);
    expect(await sessions.find(randomUUID())).toBeUndefined();
    expect(await idsOf()).toEqual(made.map(({ id }) => id).toSorted());
    expect(await idsOf(newAccount())).toEqual([]);
  });

  test('keep their last use and nothing else of a note; one that ended stays ended', async () => {
    const hash = randomUUID();
    const session = await aSession(hash);
    const used = { ...session, lastUsedAt: later };
    expect(await sessions.noteUse(hash, { ...used, browser: 'another' })).toBe(true);
    expect(await sessions.find(hash)).toEqual(used);
    expect(await sessions.list(accountId)).toMatchObject([used]);
    await sessions.end(hash);
    expect(await sessions.noteUse(hash, used)).toBe(false);
    expect([await sessions.find(hash), await idsOf()]).toEqual([undefined, []]);
    await sessions.end(hash);
  });

  test('are ended by their id, by their account only', async () => {
    const hash = randomUUID();
    const { id } = await aSession(hash);
    expect(await sessions.remove(newAccount(), id)).toBe(false);
    expect(await sessions.remove(accountId, SessionId.parse(randomUUID()))).toBe(false);
    expect([await sessions.remove(accountId, id), await sessions.find(hash)]).toEqual([
      true,
      undefined,
    ]);
    expect([await sessions.remove(accountId, id), await idsOf()]).toEqual([false, []]);
  });
});

describe.each<[string, () => KnownBrowserStore]>([
  ['DynamoDB', () => knownBrowserTable(stores.client, tables.accounts)],
  ['memory', () => new MemoryKnownBrowsers()],
])('known browsers in %s', (_, implementation) => {
  test('are known to their account from the second sign-in on, until they expire', async () => {
    const browsers = implementation();
    const [accountId, hash] = [newAccount(), randomUUID()];
    expect(await browsers.remember(accountId, hash, at, later)).toBe(false);
    expect(await browsers.remember(accountId, hash, at, later)).toBe(true);
    expect(await browsers.remember(newAccount(), hash, at, later)).toBe(false);
    expect(await browsers.remember(accountId, randomUUID(), at, later)).toBe(false);
    expect(await browsers.remember(accountId, hash, later, later)).toBe(false);
  });
});

import { randomUUID } from 'node:crypto';
import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { linkKey } from '../../adapters/dynamodb/uploads/upload-link-rows.ts';
import { uploadLinkTable } from '../../adapters/dynamodb/uploads/upload-link-table.ts';
import { AccountId } from '../../contract/fields.ts';
import { instant, plusSeconds } from '../../core/instants.ts';
import {
  linkSeconds,
  newUploadLinkId,
  lockEnd,
  type UploadLink,
  type UploadLinkStore,
} from '../../core/upload-links/upload-link.ts';
import { UploadId } from '../../core/uploads/upload.ts';
import { localStores, tables } from '../fixtures/clouds/local-stores.ts';
import {
  anArrival,
  anUploadLink,
  MemoryUploadLinks,
} from '../fixtures/uploads/memory-upload-links.ts';

let stores: Awaited<ReturnType<typeof localStores>>;
beforeAll(async () => {
  stores = await localStores();
});
afterAll(() => stores.close());

const now = new Date('2026-03-01T12:00:00.000Z');
const uploadId = UploadId.parse(randomUUID());
describe.each<[string, () => UploadLinkStore]>([
  ['DynamoDB', () => uploadLinkTable(stores.client, tables.projects)],
  ['memory', () => new MemoryUploadLinks()],
])('upload links in %s', (_, implementation) => {
  let links: UploadLinkStore;
  let accountId: AccountId;
  let hash: string;
  beforeEach(() => {
    links = implementation();
    accountId = AccountId.parse(randomUUID());
    hash = randomUUID();
  });

  /** Stores a link of the account that was made some seconds ago. */
  async function aLink(
    secondsAgo = 0,
    tokenHash = hash,
    request?: UploadLink['request'],
  ): Promise<UploadLink> {
    const changes = { accountId, ...(request !== undefined && { request }) };
    const link = anUploadLink(changes, plusSeconds(now, -secondsAgo));
    await links.create(tokenHash, link);
    return link;
  }
  const until = lockEnd(now);
  const lock = () => links.lock(hash, instant(now), until);
  const stateOf = async () => (await links.find(hash))?.state;

  test('are found by their token alone', async () => {
    const link = await aLink();
    expect(await links.find(hash)).toEqual(link);
    expect(await links.find('another')).toBeUndefined();
  });

  test('are locked by one of many, and again after their release', async () => {
    await aLink();
    const locks = await Promise.all(Array.from({ length: 5 }, lock));
    expect(locks.filter(Boolean)).toHaveLength(1);
    expect(await stateOf()).toBe('locked');
    await links.release(hash);
    expect([await stateOf(), await lock(), await lock()]).toEqual(['waiting', true, false]);
  });

  test('are not locked from the second on in which they expire', async () => {
    await aLink(linkSeconds);
    expect([await lock(), await stateOf()]).toEqual([false, 'waiting']);
    expect(await links.lock('another', instant(now), until)).toBe(false);
  });

  test('are used up, and opened again by the upload that used them only', async () => {
    const link = await aLink();
    await links.markUsed(hash, link, uploadId);
    expect(await stateOf()).toBe('waiting');
    await lock();
    await links.markUsed(hash, link, uploadId);
    expect(await links.find(hash)).toMatchObject({ state: 'used', uploadId });
    expect(await lock()).toBe(false);
    await links.release(hash);
    await links.reopen(hash, link, UploadId.parse(randomUUID()));
    expect(await stateOf()).toBe('used');
    await links.reopen(hash, link, uploadId);
    expect([await stateOf(), await lock()]).toEqual(['waiting', true]);
  });

  test('opened again after a failed upload are used up by the next one, whatever it is', async () => {
    const link = await aLink();
    await lock();
    await links.markUsed(hash, link, uploadId);
    await links.reopen(hash, link, uploadId);
    expect(await links.find(hash)).toMatchObject({ state: 'waiting', uploadId: null });
    await lock();
    await links.markUsed(hash, link, null);
    await links.reopen(hash, link, uploadId);
    expect(await links.find(hash)).toMatchObject({ state: 'used', uploadId: null });
  });

  test('are listed while they are open, newest first, for their account', async () => {
    const older = await aLink(60);
    const newer = await aLink(0, randomUUID());
    await aLink(linkSeconds, randomUUID());
    const used = randomUUID();
    const third = await aLink(30, used);
    await links.lock(used, instant(now), until);
    expect((await links.listOpen(accountId, now)).map(({ state }) => state)).toContain('locked');
    await links.markUsed(used, third, null);
    expect(await links.listOpen(accountId, now)).toEqual([newer, older]);
    expect(await links.listOpen(AccountId.parse(randomUUID()), now)).toEqual([]);
  });

  test('are open no more a minute after a request took them that was cut off', async () => {
    await aLink();
    await lock();
    const openAfter = async (seconds: number) =>
      (await links.listOpen(accountId, plusSeconds(now, seconds))).length;
    expect([await openAfter(59), await openAfter(60)]).toEqual([1, 0]);
    expect(await links.find(hash)).toMatchObject({ state: 'locked', lockedUntil: until });
  });

  test('of file requests: of fifty uploads at once as many are taken as were asked for, with numbers of their own', async () => {
    const link = await aLink(0, hash, { maxUploads: 7, private: true });
    const take = () => links.take(hash, instant(now));
    const numbers = await Promise.all(Array.from({ length: 50 }, take));
    const taken = numbers.filter((number) => number !== undefined);
    expect([taken.length, new Set(taken)]).toEqual([7, new Set([1, 2, 3, 4, 5, 6, 7])]);
    const { id } = link;
    await links.addReceived(hash, link, anArrival(3));
    // A worker may be started twice for one upload.
    await Promise.all([links.giveBack(hash, 3), links.giveBack(hash, 3), links.giveBack(hash, 4)]);
    const list = await links.listReceived(accountId, id, { limit: 9, below: 99 });
    expect(list?.received).toEqual([]);
    expect([await take(), await take()]).toEqual([8, undefined]);
    expect((await links.find(hash))?.received).toBe(7);
  });

  test('of file requests take what began before they closed, and nothing that began then', async () => {
    const { expiresAt } = await aLink(0, hash, { maxUploads: 9, private: true });
    const before = plusSeconds(new Date(expiresAt), -1);
    expect(await links.take(hash, expiresAt)).toBeUndefined();
    expect(await links.take(hash, instant(before))).toBe(1);
    expect(await links.take('another', instant(before))).toBeUndefined();
  });

  test('of file requests list their senders for their account, newest first, also after they closed, until they are removed', async () => {
    const link = await aLink(linkSeconds, hash, { maxUploads: 9, private: true });
    for (const number of [1, 2]) await links.addReceived(hash, link, anArrival(number));
    const page = { limit: 9, below: Infinity };
    const numbersFor = async (account: AccountId) =>
      (await links.listReceived(account, link.id, page))?.received.map(({ number }) => number);
    expect(await links.listReceived(accountId, link.id, page)).toEqual({
      received: [anArrival(2), anArrival(1)],
      hasMore: false,
    });
    expect(await numbersFor(accountId)).toEqual([2, 1]);
    expect(await numbersFor(AccountId.parse(randomUUID()))).toBeUndefined();
    expect(await links.listOpen(accountId, now)).toEqual([link]);
    expect(await links.listOpen(accountId, plusSeconds(now, 30 * linkSeconds))).toEqual([]);
    await links.remove(accountId, link.id);
    await links.addReceived(hash, link, anArrival(3));
    expect(await numbersFor(accountId)).toBeUndefined();
  });

  test('of file requests know who gets a receipt, and the last mail to their owner', async () => {
    const link = await aLink(0, hash, { maxUploads: 9, private: true });
    const receipt = {
      ...anArrival(2),
      senderEmail: 'anna@example.org',
      mailsReceipt: true,
    } as const;
    await links.addReceived(hash, link, { ...anArrival(1), senderEmail: 'bo@example.org' });
    await links.addReceived(hash, link, receipt);
    expect(await Promise.all([1, 2, 3].map((number) => links.findReceipt(hash, number)))).toEqual([
      undefined,
      receipt,
      undefined,
    ]);
    const mailed = { at: instant(now), number: 2 };
    await links.noteMailed(hash, mailed);
    expect((await links.find(hash))?.mailed).toEqual(mailed);
    await links.remove(accountId, link.id);
    await links.noteMailed(hash, mailed);
    expect(await links.find(hash)).toBeUndefined();
  });

  test('of file requests list their senders in pages, each of them once', async () => {
    const link = await aLink(0, hash, { maxUploads: 500, private: true });
    for (let number = 1; number <= 21; number += 1)
      await links.addReceived(hash, link, anArrival(number));
    const pages = [];
    for (let below = Infinity, hasMore = true; hasMore; ) {
      const page = await links.listReceived(accountId, link.id, { limit: 7, below });
      pages.push(page?.received.map(({ number }) => number) ?? []);
      hasMore = page?.hasMore === true;
      below = page?.received.at(-1)?.number ?? 0;
    }
    const inOrder = Array.from({ length: 21 }, (_, at) => 21 - at);
    expect(pages).toEqual([0, 7, 14].map((from) => inOrder.slice(from, from + 7)));
  });

  test('are removed in any state, by their account only', async () => {
    const { id } = await aLink();
    await lock();
    expect(await links.remove(AccountId.parse(randomUUID()), id)).toBe(false);
    expect(await links.remove(accountId, newUploadLinkId(now))).toBe(false);
    expect([await links.remove(accountId, id), await stateOf()]).toEqual([true, undefined]);
    expect(await links.remove(accountId, id)).toBe(false);
  });

  test('are all removed with their account, used ones too, and no others', async () => {
    const link = await aLink();
    await lock();
    await links.markUsed(hash, link, null);
    const other = randomUUID();
    await aLink(9, other);
    await links.removeAll(AccountId.parse(randomUUID()));
    expect([await stateOf(), (await links.find(other))?.state]).toEqual(['used', 'waiting']);
    await links.removeAll(accountId);
    expect([await stateOf(), await links.find(other)]).toEqual([undefined, undefined]);
  });
});

test('a request that is deleted at the moment in which an upload arrives keeps no sender', async () => {
  const { client } = stores;
  const hash = randomUUID();
  const link = anUploadLink({ accountId: AccountId.parse(randomUUID()) });
  await uploadLinkTable(client, tables.projects).create(hash, link);
  const late: any = {
    async send(command: Parameters<typeof client.send>[0]) {
      if (!(command instanceof GetCommand))
        await uploadLinkTable(client, tables.projects).remove(link.accountId, link.id);
      return client.send(command);
    },
  };
  await uploadLinkTable(late, tables.projects).addReceived(hash, link, anArrival(1));
  const { Items } = await client.send(
    new QueryCommand({
      TableName: tables.projects,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': linkKey(hash).pk },
    }),
  );
  expect(Items).toEqual([]);
});

test('a listing reads no used link of the table, and none that has expired, one by one', async () => {
  let reads = 0;
  const { client } = stores;
  const counting: any = {
    send: (command: Parameters<typeof client.send>[0]) => {
      if (command instanceof GetCommand) reads += 1;
      return client.send(command);
    },
  };
  const links = uploadLinkTable(counting, tables.projects);
  const accountId = AccountId.parse(randomUUID());
  const made = async (secondsAgo: number) => {
    const createdAt = plusSeconds(now, -secondsAgo);
    const expiresAt = instant(plusSeconds(createdAt, linkSeconds));
    const [hash, id] = [randomUUID(), newUploadLinkId(createdAt)];
    const fresh = { projectId: null, domainId: null, state: 'waiting', uploadId: null } as const;
    const madeWith = { kind: 'key', keyHash: 'k' } as const;
    const times = { createdAt: instant(createdAt), expiresAt };
    const link: UploadLink = { id, accountId, madeWith, title: null, ...fresh, ...times };
    await links.create(hash, link);
    return { hash, link };
  };
  const open = await made(linkSeconds - 1);
  await made(linkSeconds + 1);
  for (const byUpload of [null, uploadId]) {
    const { hash, link } = await made(60);
    await links.lock(hash, instant(now), lockEnd(now));
    await links.markUsed(hash, link, byUpload);
  }
  reads = 0;
  expect([await links.listOpen(accountId, now), reads]).toEqual([[open.link], 1]);
});

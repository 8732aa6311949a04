import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { accountRepository } from '../../adapters/dynamodb/accounts/account-repository.ts';
import { uploadRepository } from '../../adapters/dynamodb/uploads/upload-repository.ts';
import { AccountId, ProjectId } from '../../contract/fields.ts';
import {
  type LargeUpload,
  UploadId,
  type UploadLock,
  type UploadStore,
} from '../../core/uploads/upload.ts';
import { localStores, tables } from '../fixtures/clouds/local-stores.ts';
import { aCaller } from '../fixtures/projects/a-project.ts';
import { anUpload, MemoryUploads } from '../fixtures/uploads/memory-uploads.ts';

let stores: Awaited<ReturnType<typeof localStores>>;
beforeAll(async () => {
  stores = await localStores();
});
afterAll(() => stores.close());

const { expiresAt } = anUpload();
const before = '2026-03-01T12:00:00.000Z';
const dueAt = '2026-03-01T12:45:00.000Z';

describe.each<[string, () => UploadStore]>([
  ['DynamoDB', () => uploadRepository(stores.client, tables)],
  ['memory', () => new MemoryUploads().uploads],
])('uploads in %s', (_, implementation) => {
  let uploads: UploadStore;
  let accountId: AccountId;
  beforeEach(async () => {
    uploads = implementation();
    accountId = AccountId.parse(randomUUID());
    const { account } = aCaller({ id: accountId, email: `${accountId}@example.org` });
    await accountRepository(stores.client, tables.accounts).create(account);
  });

  async function waiting(bytes = 4, maxBytes = 10): Promise<LargeUpload> {
    const upload = anUpload({ uploadId: UploadId.parse(randomUUID()), accountId, bytes });
    expect(await uploads.create(upload, dueAt, maxBytes)).toBe('created');
    return upload;
  }
  const published = (bytes = 4) => ({
    state: 'published' as const,
    projectId: ProjectId.parse(randomUUID()),
    fileCount: 1,
    bytes,
  });

  test('are found as they were stored, until they are removed', async () => {
    const upload = await waiting();
    expect(await uploads.get(upload.uploadId)).toMatchObject(upload);
    await uploads.remove(upload.uploadId);
    expect(await uploads.get(upload.uploadId)).toBeUndefined();
  });

  test('reserve their bytes until they end or expire, and are refused beyond them', async () => {
    const [first, second] = [await waiting(6), await waiting(4)];
    const next = anUpload({ uploadId: UploadId.parse(randomUUID()), accountId, bytes: 1 });
    expect(await uploads.create(next, dueAt, 10)).toEqual({ stagedBytes: 10 });
    expect(await uploads.get(next.uploadId)).toBeUndefined();
    await uploads.lock(first.uploadId, before, { dueAt });
    await uploads.end(first.uploadId, published(6), dueAt);
    await waiting(6);
    expect(await uploads.expire(second.uploadId, dueAt)).toBe(true);
    await waiting(4);
    expect(await uploads.create(next, dueAt, -1)).toBe('created');
  });

  test('are locked once, before they expire, and again after a release', async () => {
    const { uploadId } = await waiting();
    expect(await uploads.lock(uploadId, expiresAt, { dueAt })).toBe(false);
    const locks = await Promise.all([1, 2, 3].map(() => uploads.lock(uploadId, before, { dueAt })));
    expect(locks.filter(Boolean)).toHaveLength(1);
    expect(await uploads.get(uploadId)).toMatchObject({ state: 'publishing' });
    await uploads.release(uploadId, dueAt);
    expect(await uploads.lock(uploadId, before, { dueAt })).toBe(true);
    expect(await uploads.lock(UploadId.parse(randomUUID()), before, { dueAt })).toBe(false);
  });

  test('are locked again once the time of a lock is over, unless its upload has ended', async () => {
    const { uploadId } = await waiting();
    const until = '2026-03-01T12:01:00.000Z';
    const lockAt = (at: string, lock: UploadLock = { dueAt, until }) =>
      uploads.lock(uploadId, at, lock);
    expect([await lockAt(before), await lockAt(before)]).toEqual([true, false]);
    expect(await uploads.get(uploadId)).toMatchObject({ lockedUntil: until });
    const again = { dueAt, until: '2026-03-01T12:02:00.000Z' };
    const locks = await Promise.all([1, 2, 3].map(() => lockAt(until, again)));
    expect(locks.filter(Boolean)).toHaveLength(1);
    const later = '2026-03-01T12:03:00.000Z';
    expect([await lockAt(later, { dueAt }), await lockAt(expiresAt)]).toEqual([true, false]);
    expect(await lockAt('2026-03-01T12:29:00.000Z')).toBe(false);
    await uploads.end(uploadId, published(), dueAt);
    expect(await lockAt(later)).toBe(false);
  });

  test('progress and end only while they are published', async () => {
    const { uploadId } = await waiting();
    const done = { fileCount: 1, bytes: 3 };
    await uploads.progress(uploadId, done, { fileCount: 2, bytes: 8 });
    await uploads.end(uploadId, published(), dueAt);
    expect(await uploads.get(uploadId)).toMatchObject({ state: 'waiting', doneBytes: 0, bytes: 4 });
    await uploads.lock(uploadId, before, { dueAt });
    await uploads.progress(uploadId, done, { fileCount: 2, bytes: 8 });
    const counts = { doneFiles: 1, doneBytes: 3, fileCount: 2, bytes: 8 };
    expect(await uploads.get(uploadId)).toMatchObject({ state: 'publishing', ...counts });
    const end = published(8);
    await uploads.end(uploadId, end, dueAt);
    const ended = { ...end, doneFiles: 1, doneBytes: 8 };
    expect(await uploads.get(uploadId)).toMatchObject(ended);
    await uploads.release(uploadId, dueAt);
    expect(await uploads.get(uploadId)).toMatchObject(ended);
  });

  test('expire when they are due, and are gone then', async () => {
    const { uploadId } = await waiting();
    expect(await uploads.expire(uploadId, before)).toBe(false);
    expect(await uploads.get(uploadId)).toBeDefined();
    expect(await uploads.expire(uploadId, dueAt)).toBe(true);
    expect(await uploads.get(uploadId)).toBeUndefined();
    expect(await uploads.expire(UploadId.parse(randomUUID()), dueAt)).toBe(false);
  });
});

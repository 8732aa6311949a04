import { describe, expect, test } from '@jest/globals';
import { ProjectId } from '../../../../contract/fields.ts';
import type { MaybeAccountCaller } from '../../../../core/caller.ts';
import { CodedError } from '../../../../core/errors.ts';
import { removeUpload } from '../../../../core/uploads/lock-upload.ts';
import { newUpload } from '../../../../core/uploads/new-upload.ts';
import { withLockedUpload, withUpload } from '../../../../core/uploads/with-upload.ts';
import { piecesSource } from '../../../fixtures/archives/byte-sources.ts';
import { largeZip, storedEntry } from '../../../fixtures/archives/large-zip.ts';
import { aCaller, ownerId } from '../../../fixtures/projects/a-project.ts';
import { now } from '../../../fixtures/visits/a-site.ts';
import { anUpload, MemoryUploads } from '../../../fixtures/uploads/memory-uploads.ts';

const projectId = ProjectId.parse('0b7e4c1a-5f60-4c39-9d0e-2f1a6f0c9a11');
const limits = { maxParts: 9, maxBytes: 99, maxArchiveEntries: 9, maxArchiveBytes: 99 };
const page = { 'a.txt': 'four' };
const stranger: MaybeAccountCaller = { address: '192.0.2.1', requestId: 'request' };

function world(upload = anUpload(), missing = 0) {
  const store = new MemoryUploads();
  store.put(upload, page, missing);
  const failures: unknown[] = [];
  const counted = new Map<string, number>();
  const deps = {
    uploads: { ...store.uploads },
    area: { ...store.area },
    onFailure: (item: unknown) => void failures.push(item),
    counters: {
      async count(key: string) {
        const uses = (counted.get(key) ?? 0) + 1;
        counted.set(key, uses);
        return uses;
      },
    },
    now: () => now,
  };
  const use = (
    result: () => Promise<{ result: string; publishedAs: ProjectId | undefined }>,
    caller: MaybeAccountCaller = aCaller(),
  ) =>
    withUpload(deps, caller, { input: { files: [], uploadId: upload.uploadId }, limits }, result);
  return { store, deps, failures, use, upload };
}

const published = async () => ({ result: 'done', publishedAs: projectId });

test('an upload is locked while it is used, and its bytes are removed after publishing', async () => {
  const { store, use, upload } = world();
  const answer = await use(async () => {
    expect(store.stateOf(upload)).toBe('publishing');
    expect(store.rows.get(upload.uploadId)?.dueAt).toBe('2026-03-01T16:00:00.000Z');
    return published();
  });
  expect(answer).toBe('done');
  expect(store.rows.get(upload.uploadId)).toMatchObject({
    state: 'published',
    projectId,
    dueAt: '2026-03-02T12:00:00.000Z',
  });
  expect([store.lists.size, store.parts.size]).toEqual([0, 0]);
});

describe('an upload of more than 20 files that is used again and again', () => {
  const incomplete = () => world(anUpload({ fileCount: 21 }), 1);

  test('is looked at 120 times in an hour', async () => {
    const { use } = incomplete();
    for (let count = 0; count < 120; count += 1)
      await expect(use(published)).rejects.toMatchObject({ code: 'UPLOAD_INCOMPLETE' });
    await expect(use(published)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  });

  test('20 times by whoever has its upload link, which takes no more of the account', async () => {
    const linkHash = 'a'.repeat(64);
    const { use } = world(anUpload({ fileCount: 21, linkHash }), 1);
    const guest = { ...aCaller(), linkHash };
    for (let count = 0; count < 20; count += 1)
      await expect(use(published, guest)).rejects.toMatchObject({ code: 'UPLOAD_INCOMPLETE' });
    for (let count = 0; count < 200; count += 1)
      await expect(use(published, guest)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    await expect(use(published)).rejects.toMatchObject({ code: 'UPLOAD_INCOMPLETE' });
  });

  test('by senders of a file request: 20 times from one address, 40 from one network, 60 in all', async () => {
    const linkHash = 'a'.repeat(64);
    const { use } = world(anUpload({ fileCount: 21, linkHash }), 1);
    const usesFrom = async (address: string, times: number) => {
      const guest = { ...aCaller(), address, linkHash, linkUploads: 40 };
      let uses = 0;
      for (let count = 0; count < times; count += 1)
        await use(published, guest).catch(
          ({ code }) => (uses += code === 'UPLOAD_INCOMPLETE' ? 1 : 0),
        );
      return uses;
    };
    expect(await usesFrom('2001:db8:1:1::1', 30)).toBe(20);
    // Refused ones count for the network.
    expect(await usesFrom('2001:db8:1:2::1', 12)).toBe(10);
    expect(await usesFrom('2001:db8:1:3::1', 12)).toBe(0);
    expect(await usesFrom('198.51.100.1', 12)).toBe(12);
    expect(await usesFrom('203.0.113.1', 20)).toBe(18);
    expect(await usesFrom('192.0.2.200', 20)).toBe(0);
    await expect(use(published)).rejects.toMatchObject({ code: 'UPLOAD_INCOMPLETE' });
  });
});

test('one that a worker continues stays locked, with its bytes', async () => {
  const { store, use, upload } = world();
  await use(async () => ({ result: 'accepted', publishedAs: undefined }));
  expect(store.stateOf(upload)).toBe('publishing');
  expect(store.parts.size).toBe(1);
});

test.each([
  ['somebody else’s', anUpload(), stranger],
  ['nobody’s', anUpload({ accountId: null }), aCaller()],
  ['one that is being published', anUpload({ state: 'publishing' }), aCaller()],
  ['a published one', anUpload({ state: 'published' }), aCaller()],
  ['a failed one', anUpload({ state: 'failed' }), aCaller()],
  ['one whose time is over', anUpload({ expiresAt: now.toISOString() }), aCaller()],
])('refuses %s', async (_, upload, caller) => {
  const { store, use } = world(upload);
  await expect(use(published, caller)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(store.stateOf(upload)).toBe(upload.state);
});

test('refuses an incomplete one, and leaves it waiting', async () => {
  const { store, use, upload } = world(anUpload(), 1);
  await expect(use(published)).rejects.toMatchObject({ code: 'UPLOAD_INCOMPLETE' });
  expect(store.stateOf(upload)).toBe('waiting');
});

test.each(['list', 'arrived'] as const)(
  'one that another publication ends before its %s is read is used already',
  async (step) => {
    const { store, deps, use, upload } = world();
    const read = deps.area[step];
    Object.assign(deps.area, {
      [step]: async () => {
        await store.uploads.lock(upload.uploadId, '', { dueAt: '' });
        await store.uploads.end(
          upload.uploadId,
          { state: 'published', projectId, fileCount: 1, bytes: 4 },
          '',
        );
        await store.area.remove(upload.uploadId);
        return read(upload.uploadId);
      },
    });
    // Its publication may have been the caller's own, whose answer was cut off.
    const fields = { nextStep: expect.stringContaining('GET /v1/uploads/{uploadId}') };
    await expect(use(published)).rejects.toMatchObject({ code: 'NOT_FOUND', fields });
  },
);

test('a refusal reopens it for its remaining time', async () => {
  const { store, use, upload } = world();
  const refusal = new CodedError('SLUG_TAKEN', { error: 'taken' });
  await expect(use(() => Promise.reject(refusal))).rejects.toBe(refusal);
  expect(store.rows.get(upload.uploadId)).toMatchObject({
    state: 'waiting',
    dueAt: upload.expiresAt,
  });
});

test('after a failure with an unknown outcome, it stays locked', async () => {
  const { store, use, upload } = world();
  await expect(use(() => Promise.reject(new Error('lost')))).rejects.toThrow('lost');
  expect(store.stateOf(upload)).toBe('publishing');
});

test('a repeatable use that was cut off locks it for a minute', async () => {
  const { store, deps, upload } = world();
  const { uploadId } = upload;
  const use = (at: Date) =>
    withLockedUpload({ ...deps, now: () => at }, aCaller(), { uploadId, isRepeatable: true }, () =>
      Promise.reject(new Error('cut off')),
    );
  await expect(use(now)).rejects.toThrow('cut off');
  const fields = { nextStep: expect.stringContaining('send the same request again') };
  const refused = { code: 'NOT_FOUND', fields };
  await expect(use(new Date(now.getTime() + 59_999))).rejects.toMatchObject(refused);
  expect(store.stateOf(upload)).toBe('publishing');
  await expect(use(new Date(now.getTime() + 60_000))).rejects.toThrow('cut off');
});

test('one that was cut off while its files were closed still waits', async () => {
  const { store, deps, use, upload } = world();
  const failing = { ...deps.area, close: () => Promise.reject(new Error('cut off')) };
  deps.area = failing;
  await expect(use(published)).rejects.toMatchObject({ code: 'UPLOAD_FAILED' });
  expect(store.stateOf(upload)).toBe('waiting');
  deps.area = { ...store.area };
  expect(await use(published)).toBe('done');
});

test('a failure of storage during a read fails the request, which may be repeated', async () => {
  const upload = anUpload({ kind: 'archive' });
  const { store, deps, use } = world(upload);
  deps.area.source = () => ({
    size: 4,
    read: () => Promise.reject(new Error('storage is down')),
    stream: () => {
      throw new Error('storage is down');
    },
  });
  await expect(use(published)).rejects.toMatchObject({ code: 'UPLOAD_FAILED' });
  expect(store.stateOf(upload)).toBe('waiting');
});

test('a failure after publishing does not fail the request', async () => {
  const { deps, failures, use, upload } = world();
  deps.area.remove = () => Promise.reject(new Error('storage is down'));
  expect(await use(published)).toBe('done');
  expect(failures).toEqual([{ kind: 'upload', uploadId: upload.uploadId }]);
});

test('an upload is removed when it is due, not before', async () => {
  const { store, upload } = world();
  const early = new Date(Date.parse(upload.expiresAt) - 1);
  expect(await removeUpload(store, upload.uploadId, early)).toBe(false);
  expect([store.rows.size, store.parts.size]).toEqual([1, 1]);
  expect(await removeUpload(store, upload.uploadId, new Date(upload.expiresAt))).toBe(true);
  expect([store.rows.size, store.parts.size, store.lists.size]).toEqual([0, 0, 0]);
  expect(await removeUpload(store, upload.uploadId, new Date(upload.expiresAt))).toBe(false);
});

describe('a ZIP in a request that unpacks to more than the request publishes', () => {
  const entry = storedEntry('index.html', Buffer.from('<h1>'), 4);
  const request = { maxFiles: 1, maxBytes: 50, maxStagedBytes: 1000 };
  const ofTwo = [entry, { ...entry, name: 'a.txt' }];

  async function sent(
    publish: () => Promise<{ result: string; publishedAs: ProjectId | undefined }>,
    { entries = ofTwo, maxStagedBytes = 1000, isDayFull = false } = {},
  ) {
    const { store, deps, failures } = world();
    const { uploadId } = anUpload();
    store.rows.delete(uploadId);
    await store.area.remove(uploadId);
    const source = piecesSource(largeZip(entries));
    const bytes = await source.read(0, source.size - 1);
    const files = [{ name: 'site.zip', contentType: '', bytes }];
    const bound = { ...limits, maxBytes: 9999, request: { ...request, maxStagedBytes } };
    const events = new Array<string | number>();
    const area = { ...store.area };
    deps.area.put = async (...put) => {
      events.push('put');
      return area.put(...put);
    };
    const staged = {
      async count(counted: number) {
        events.push(counted);
        if (isDayFull)
          throw new CodedError('RATE_LIMITED', { error: 'full', retryAfterSeconds: 1 });
      },
      prepay: async () => true,
      refund: async (counted: number) => void events.push(-counted),
    };
    const input = { input: { files }, limits: bound, staged };
    const result = withUpload(deps, aCaller(), input, publish);
    return { store, failures, result, events, bytes: bytes.length };
  }

  const queued = async () => ({ result: 'queued', publishedAs: undefined });

  test('is not put into storage where its account has sent enough today', async () => {
    const { store, result, events, bytes } = await sent(queued, { isDayFull: true });
    await expect(result).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    expect([events, store.rows.size]).toEqual([[bytes], 0]);
  });

  test('is put into storage, locked for the worker, and counts as staged', async () => {
    const { store, result, events, bytes } = await sent(queued);
    expect(await result).toBe('queued');
    const [row] = store.rows.values();
    expect(row).toMatchObject({ kind: 'archive', state: 'publishing', accountId: ownerId });
    expect(row?.dueAt).toBe('2026-03-01T16:00:00.000Z');
    expect(store.staged).toBe(row?.bytes);
    expect(events).toEqual([bytes, 'put']);
    expect([...store.lists.values()]).toEqual([[{ path: 'site.zip', size: row?.bytes }]]);
  });

  test('is not, where the request can publish it', async () => {
    const { store, result } = await sent(published, { entries: [entry] });
    expect(await result).toBe('done');
    expect([store.rows.size, store.parts.size]).toEqual([0, 0]);
  });

  test('counts what is left out, because it is unpacked too', async () => {
    const dropped = storedEntry('node_modules/a.js', Buffer.alloc(60), 60);
    const { store, result } = await sent(queued, { entries: [entry, dropped] });
    expect([await result, store.rows.size]).toEqual(['queued', 1]);
  });

  test('needs room among the bytes that are staged', async () => {
    const { store, result } = await sent(queued, { maxStagedBytes: 10 });
    await expect(result).rejects.toMatchObject({ code: 'STORAGE_LIMIT_REACHED' });
    expect([store.rows.size, store.parts.size]).toEqual([0, 0]);
  });

  test('leaves nothing when its publication is refused', async () => {
    const refusal = new CodedError('SLUG_TAKEN', { error: 'taken' });
    const { store, failures, result } = await sent(() => Promise.reject(refusal));
    await expect(result).rejects.toBe(refusal);
    expect([store.rows.size, store.parts.size, failures]).toEqual([0, 0, []]);
  });

  test('stays locked after a failure with an unknown outcome', async () => {
    const { store, result } = await sent(() => Promise.reject(new Error('lost')));
    await expect(result).rejects.toThrow('lost');
    expect([...store.rows.values()].map(({ state }) => state)).toEqual(['publishing']);
  });
});

test('its URLs stop working before its files are read', async () => {
  const { store, use, upload } = world();
  await use(async () => {
    expect(store.closed.has(upload.uploadId)).toBe(true);
    return published();
  });
});

test('a file that is sent again during its use reopens the upload', async () => {
  const { store, deps, use, upload } = world();
  deps.area.close = async () => false;
  await expect(use(published)).rejects.toMatchObject({ code: 'UPLOAD_INCOMPLETE' });
  expect(store.stateOf(upload)).toBe('waiting');
});

describe('the holder of an upload link', () => {
  const linkHash = 'hash of the link';
  const guest = { ...aCaller(), linkHash };

  test.each([
    ['begun by its account', anUpload()],
    ['begun with another link of its account', { ...anUpload(), linkHash: 'another' }],
  ])('finds no upload %s', async (_, upload) => {
    const { use, store } = world(upload);
    await expect(use(published, guest)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(store.stateOf(upload)).toBe('waiting');
  });

  test('uses one that was begun with the link, and so does the owner', async () => {
    const upload = { ...anUpload(), linkHash };
    expect(await world(upload).use(published, guest)).toBe('done');
    expect(await world(upload).use(published)).toBe('done');
  });

  test('begins uploads that name the link', () => {
    const { kind, fileCount, bytes, createdAt, expiresAt } = anUpload();
    const begun = { kind, fileCount, bytes, createdAt, expiresAt };
    expect(newUpload(guest, begun)).toMatchObject({ linkHash });
    expect(newUpload(aCaller(), begun)).not.toHaveProperty('linkHash');
  });
});

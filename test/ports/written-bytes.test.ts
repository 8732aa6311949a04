import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { tempLimits } from '../../core/projects/publishing/upload-limits.ts';
import { writtenBytes } from '../../core/limits/written-bytes.ts';
import { rollBackProject } from '../../core/projects/versions/roll-back.ts';
import type { ContentStore } from '../../core/ports.ts';
import { beginUpload } from '../../core/uploads/begin-upload.ts';
import { OwnerWorld } from '../fixtures/accounts/owner-world.ts';
import { localStores } from '../fixtures/clouds/local-stores.ts';

let stores: Awaited<ReturnType<typeof localStores>>;
beforeAll(async () => {
  stores = await localStores();
});
afterAll(() => stores.close());

const MB = 1_000_000;
const day = 24 * 3600;
/** What the smallest plan may write in a day. */
const mostOfDay = 1000 * MB;

/** An owner whose written bytes are added up beside the counter. */
class WritingOwner extends OwnerWorld {
  written = 0;

  override get deps() {
    const deps = super.deps;
    const content: ContentStore = {
      ...deps.content,
      put: async (object) => {
        this.written += object.bytes.length;
        await deps.content.put(object);
      },
    };
    return { ...deps, content };
  }

  /** As if earlier requests of the day had written or announced so much. */
  async wrote(bytes: number, kind: 'stored' | 'staged' = 'stored') {
    const key = `${kind}-bytes#${this.caller.account.id}`;
    return this.deps.counters.count(key, day, this.now, bytes);
  }
}

function filesOf(count: number, bytes: number): Record<string, Uint8Array> {
  const named = Array.from({ length: count }, (_, at) => `f${String(at).padStart(2, '0')}.bin`);
  return Object.fromEntries(named.map((name) => [name, randomBytes(bytes)]));
}

const anOwner = (maxStorageBytes = 190 * MB) =>
  new WritingOwner(stores, { maxStorageBytes, versionsKept: 100 }).open();

test('deleting files and bringing them back writes no more than the day of the account', async () => {
  const owner = await anOwner();
  const files = filesOf(16, 2 * MB);
  const projectId = await owner.publish(files);
  expect(await owner.wrote(0)).toBe(32 * MB);
  await owner.wrote(mostOfDay - 32 * MB - 30 * MB);
  const gone = Object.keys(files).filter((_, at) => at % 8 < 5);
  owner.written = 0;
  for (let cycle = 0; cycle < 6; cycle += 1) {
    await owner.update(projectId, { delete: gone });
    await rollBackProject(owner.deps, owner.caller, { projectId, version: 1 });
  }
  // Two merges had room to store 12 MB again. The others leave the files where they are.
  expect(owner.written).toBe(24 * MB);
  const update = await owner.update(projectId, { delete: gone });
  expect(update.bytes).toBe(12 * MB);
  const shown = await owner.shown(projectId);
  const left = Object.entries(files).filter(([path]) => !gone.includes(path));
  const texts = left.map(([path, bytes]) => [path, Buffer.from(bytes).toString()]);
  expect(shown.files).toEqual(Object.fromEntries(texts));
  owner.now = new Date('2026-03-02T00:00:01.000Z');
  owner.written = 0;
  await owner.update(projectId, { files: { 'note.txt': 'a new day' } });
  expect(owner.written).toBe(12 * MB + 'a new day'.length);
}, 60_000);

test('what goes beyond the day is refused, keeps nothing, and says when it works again', async () => {
  const owner = await anOwner();
  const projectId = await owner.publish({ 'a.bin': randomBytes(2 * MB) });
  await owner.wrote(mostOfDay - 3 * MB);
  const large = { 'b.bin': randomBytes(5 * MB) };
  const refusal = {
    code: 'RATE_LIMITED',
    body: expect.objectContaining({ retryAfterSeconds: 12 * 3600 }),
  };
  const before = await owner.keys(projectId);
  await expect(owner.update(projectId, { files: large })).rejects.toMatchObject(refusal);
  await expect(owner.update(projectId, { files: large, mode: 'replace' })).rejects.toMatchObject(
    refusal,
  );
  await expect(owner.publish(large)).rejects.toMatchObject(refusal);
  expect(await owner.keys(projectId)).toEqual(before);
  // A refusal takes no room of the day, and little things are not counted.
  expect(await owner.wrote(0)).toBe(mostOfDay - MB);
  await owner.update(projectId, { files: { 'note.txt': 'small' } });
  owner.now = new Date('2026-03-02T00:00:01.000Z');
  await owner.update(projectId, { files: large });
});

test('a large file counts once, however often it is published unchanged', async () => {
  const owner = await anOwner();
  const files = { 'film.bin': randomBytes(9 * MB) };
  const projectId = await owner.publish(files);
  await owner.update(projectId, { files, mode: 'replace' });
  expect(await owner.wrote(0)).toBe(9 * MB);
});

test('announced uploads count as well', async () => {
  const owner = await anOwner();
  await owner.wrote(mostOfDay - 10 * MB, 'staged');
  const none = { code: 'RATE_LIMITED' };
  const begin = {
    ...owner.deps,
    maxParts: 100,
    tempLimits: tempLimits({ perMinute: 3, perHour: 5 }),
  };
  const archive = { size: 11 * MB };
  await expect(beginUpload(begin, owner.caller, { archive })).rejects.toMatchObject(none);
  await beginUpload(begin, owner.caller, { archive: { size: 9 * MB } });
  expect(await owner.wrote(0, 'staged')).toBe(mostOfDay - MB);
});

test('a plan without a limit of storage has no day', async () => {
  const owner = await anOwner(-1);
  await owner.publish(filesOf(2, 2 * MB));
  expect(await owner.wrote(0)).toBe(0);
});

test('who has nothing but an upload link uses up a tenth of the day, and leaves the rest to the account', async () => {
  const plan = { maxStorageBytes: 190 * MB, maxUploadBytes: 25 * MB };
  const owner = await new WritingOwner(stores, plan).open();
  const guest = { ...owner.caller, linkHash: 'a'.repeat(64) };
  const bytes = 15 * MB;
  let tries = 0;
  const again = async () => {
    for (; tries < 100; tries += 1) await writtenBytes(owner.deps, guest, 'stored').count(bytes);
  };
  await expect(again()).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  expect(tries).toBe(6);
  // What was refused takes nothing of the account's day, and neither does another link of it.
  expect(await owner.wrote(0)).toBe(tries * bytes);
  await writtenBytes(owner.deps, { ...guest, linkHash: 'b'.repeat(64) }, 'stored').count(bytes);
  await owner.publish({ 'a.bin': randomBytes(5 * MB) });
});

test('a sender of a file request uses up a tenth of the day, all of them together a half', async () => {
  const plan = { maxStorageBytes: 200 * MB, maxUploadBytes: 25 * MB };
  const owner = await new WritingOwner(stores, plan).open();
  const writtenFrom = async (address: string) => {
    const guest = { ...owner.caller, address, linkHash: 'c'.repeat(64), linkUploads: 9 };
    for (let times = 0; ; times += 1) {
      const written = writtenBytes(owner.deps, guest, 'stored').count(20 * MB);
      const code = await written.catch((error) => error.code);
      if (code === 'RATE_LIMITED') return times;
    }
  };
  expect(await writtenFrom('198.51.100.1')).toBe(5);
  for (const network of [1, 2, 3, 4]) expect(await writtenFrom(`2001:db8:${network}::1`)).toBe(5);
  expect(await writtenFrom('2001:db8:5::1')).toBe(0);
  await owner.publish({ 'a.bin': randomBytes(5 * MB) });
});

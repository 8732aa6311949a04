import { expect, test } from '@jest/globals';
import { defaultPlans } from '../../../../contract/plans.ts';
import type { MaybeAccountCaller } from '../../../../core/caller.ts';
import { tempLimits } from '../../../../core/projects/publishing/upload-limits.ts';
import { type Announcement, beginUpload } from '../../../../core/uploads/begin-upload.ts';
import { aCaller } from '../../../fixtures/projects/a-project.ts';
import { now } from '../../../fixtures/visits/a-site.ts';
import { getUpload } from '../../../../core/uploads/get-upload.ts';
import type { LargeUpload } from '../../../../core/uploads/upload.ts';
import { anUpload, MemoryUploads } from '../../../fixtures/uploads/memory-uploads.ts';

const mebibyte = 1024 * 1024;
const stranger: MaybeAccountCaller = { address: '192.0.2.1', requestId: 'request' };

function begin(
  caller: MaybeAccountCaller,
  announced: Announcement,
  tries = 1,
  store = new MemoryUploads(),
) {
  const counted: string[] = [];
  const events: Record<string, number> = {};
  const deps = {
    uploads: store.uploads,
    area: store.area,
    counters: {
      count: async (key: string, _seconds: number, _at: Date, count = 1) => {
        counted.push(key);
        events[key] = (events[key] ?? 0) + count;
        return tries;
      },
      reserve: async (): Promise<never> => {
        throw new Error('an upload that only begins takes no place');
      },
      release: async () => undefined,
    },
    plans: defaultPlans,
    tempLimits: tempLimits({ perMinute: 3, perHour: 5 }),
    maxParts: 2000,
    now: () => now,
  };
  return { store, counted, events, answer: beginUpload(deps, caller, announced) };
}

const files = (count: number, size = 1) => ({
  files: Array.from({ length: count }, (_, at) => ({ path: `${at}.txt`, size })),
});
const named = (...paths: string[]) => ({ files: paths.map((path) => ({ path, size: 1 })) });
const archive = (size: number) => ({ archive: { size } });

test('an upload expires after an hour, and is removed a quarter of an hour later', async () => {
  const { store, answer } = begin(aCaller(), {
    files: [
      { path: 'e\u0301.txt', size: 3 },
      { path: 'b.txt', size: 4 },
    ],
  });
  const { uploadId, expiresAt, parts } = await answer;
  expect(expiresAt).toBe('2026-03-01T13:00:00.000Z');
  expect(parts).toEqual([
    { path: '\u00e9.txt', method: 'PUT', url: `https://storage.test/${uploadId}/0?3` },
    { path: 'b.txt', method: 'PUT', url: `https://storage.test/${uploadId}/1?4` },
  ]);
  expect(store.rows.get(uploadId)).toMatchObject({
    accountId: aCaller().account.id,
    kind: 'files',
    state: 'waiting',
    fileCount: 2,
    bytes: 7,
    expiresAt,
    dueAt: '2026-03-01T13:15:00.000Z',
  });
  expect(store.lists.get(uploadId)?.map(({ path }) => path)).toEqual(['\u00e9.txt', 'b.txt']);
});

test('a large file has a URL for each part where the caller wants parts, and each is counted', async () => {
  const large = { path: 'film.mp4', size: 20 * mebibyte };
  const sent = { files: [{ path: 'a.txt', size: 8 * mebibyte }, large] };
  const whole = await begin(aCaller(), sent).answer;
  expect(whole.parts.map(({ path }) => path)).toEqual(['a.txt', 'film.mp4']);
  const { answer, store, events } = begin(aCaller(), { ...sent, inParts: true });
  const { uploadId, parts } = await answer;
  const url = (of: string, size: number) => `https://storage.test/${uploadId}/${of}?${size}`;
  const part = { path: 'film.mp4', method: 'PUT', size: 8 * mebibyte };
  expect(parts).toEqual([
    { path: 'a.txt', method: 'PUT', url: url('0', 8 * mebibyte) },
    { ...part, offset: 0, url: url('1', 8 * mebibyte) },
    { ...part, offset: 8 * mebibyte, url: url('1.1', 8 * mebibyte) },
    { ...part, offset: 16 * mebibyte, size: 4 * mebibyte, url: url('1.2', 4 * mebibyte) },
  ]);
  expect(store.rows.get(uploadId)).toMatchObject({ fileCount: 2, bytes: 28 * mebibyte });
  const archived = begin(aCaller(), { ...archive(400 * mebibyte), inParts: true });
  expect((await archived.answer).parts).toHaveLength(50);
  expect(events[`announced-files#${aCaller().account.id}`]).toBe(20);
  expect(archived.events[`announced-files#${aCaller().account.id}`]).toBe(50);
});

test('one without a key has no owner, and counts as a try', async () => {
  const { store, counted, answer } = begin(stranger, archive(2 * mebibyte));
  const { uploadId } = await answer;
  expect(store.rows.get(uploadId)).toMatchObject({ accountId: null, kind: 'archive' });
  expect(counted).toEqual([
    'temp-attempts#192.0.2.1',
    'temp-attempts#192.0.2.0/24',
    'temp-begun#192.0.2.1',
    'temp-begun#192.0.2.0/24',
  ]);
  expect(begin(aCaller(), archive(1)).counted).toEqual([]);
});

const free = aCaller({ tier: 'free' });
const scale = aCaller({ tier: 'scale' });

test.each<[string, MaybeAccountCaller, Announcement, string]>([
  ['six files without a key', stranger, files(6), 'TOO_MANY_FILES'],
  ['too many bytes without a key', stranger, files(2, mebibyte + 1), 'PAYLOAD_TOO_LARGE'],
  ['a large ZIP without a key', stranger, archive(2 * mebibyte + 1), 'PAYLOAD_TOO_LARGE'],
  ['101 files on free', free, files(101), 'TOO_MANY_FILES'],
  ['too many bytes on free', free, files(2, 12.5 * mebibyte + 1), 'PAYLOAD_TOO_LARGE'],
  ['too large a ZIP on free', free, archive(25 * mebibyte + 1), 'PAYLOAD_TOO_LARGE'],
  ['too large a ZIP on pro', aCaller(), archive(500 * mebibyte + 1), 'PAYLOAD_TOO_LARGE'],
  ['more URLs than an answer holds', scale, files(2001), 'TOO_MANY_FILES'],
  [
    'URLs that do not fit into an answer with their paths',
    scale,
    named(...Array.from({ length: 2000 }, (_, at) => `${'a'.repeat(990)}${at}`)),
    'TOO_MANY_FILES',
  ],
  ['a path upwards', free, named('a/../b'), 'INVALID_REQUEST'],
  ['a folder', free, named('a/'), 'INVALID_REQUEST'],
  ['a bidirectional control', free, named('a\u202eb'), 'INVALID_REQUEST'],
  ['a reserved path', free, named('_SLIPWAY/a'), 'FILE_TYPE_REFUSED'],
  ['a path that is reserved in its folder', free, named('site/_slipway/a'), 'FILE_TYPE_REFUSED'],
  ['a path twice', free, named('a', 'b', 'a'), 'INVALID_REQUEST'],
  ['a path twice once composed', free, named('\u00e9', 'e\u0301'), 'INVALID_REQUEST'],
  ['a file below a file', free, named('a', 'a/b'), 'INVALID_REQUEST'],
])('refuses %s, and stores nothing', async (_, caller, announced, code) => {
  const { store, answer } = begin(caller, announced);
  await expect(answer).rejects.toMatchObject({ code });
  expect([store.rows.size, store.lists.size]).toEqual([0, 0]);
});

test.each<[string, MaybeAccountCaller, Announcement]>([
  ['five files without a key', stranger, files(5)],
  ['100 files on free', free, files(100)],
  ['25 MiB on free', free, archive(25 * mebibyte)],
  ['500 MiB on pro', aCaller(), archive(500 * mebibyte)],
  ['as many URLs as an answer holds', scale, files(2000)],
])('accepts %s', async (_, caller, announced) => {
  await expect(begin(caller, announced).answer).resolves.toBeDefined();
});

test('checks the limit of an anonymous caller first', async () => {
  const { answer } = begin(stranger, files(6), 31);
  await expect(answer).rejects.toMatchObject({ code: 'RATE_LIMITED' });
});

test('bytes of an account’s uploads are reserved before a URL is signed, and refused beyond its plan', async () => {
  const { store, answer } = begin(aCaller(), archive(mebibyte));
  await answer;
  expect(store.staged).toBe(mebibyte);
  const full = new MemoryUploads();
  full.staged = defaultPlans.pro.maxStorageBytes;
  const refused = begin(aCaller(), archive(1), 1, full).answer;
  await expect(refused).rejects.toMatchObject({ code: 'STORAGE_LIMIT_REACHED' });
  expect([full.rows.size, full.lists.size]).toEqual([0, 0]);
});

test('starting many files is limited, because each is a call to storage', async () => {
  const { counted, answer } = begin(aCaller(), files(21));
  await answer;
  const { id } = aCaller().account;
  expect(counted).toEqual([`upload-lists#${id}`, `announced-files#${id}`]);
  const few = begin(aCaller(), files(20));
  await few.answer;
  expect(few.counted).toEqual([`announced-files#${id}`]);
  await expect(begin(aCaller(), files(21), 61).answer).rejects.toMatchObject({
    code: 'RATE_LIMITED',
  });
});

test('looks at waiting files are limited by requests and by files, looks at used ones are not', async () => {
  const look = async (
    fileCount: number,
    state: LargeUpload['state'],
    tries = 1,
    caller: MaybeAccountCaller = aCaller(),
  ) => {
    const store = new MemoryUploads();
    const accountId = caller.account?.id ?? null;
    const upload = store.put(anUpload({ fileCount, state, accountId }), { 'a.txt': 'four' });
    const counted: string[] = [];
    const count = async (key: string) => {
      counted.push(key);
      return tries;
    };
    const { uploads, area } = store;
    const deps = { uploads, area, counters: { count }, now: () => now };
    await getUpload(deps, caller, { uploadId: upload.uploadId });
    return counted;
  };
  const { id } = aCaller().account;
  expect(await look(21, 'waiting')).toEqual([`upload-looks#${id}`, `examined-files#${id}`]);
  expect(await look(20, 'waiting')).toEqual([`examined-files#${id}`]);
  await expect(look(20, 'waiting', 40_001)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  expect(await look(2000, 'published')).toEqual([]);
  await expect(look(21, 'waiting', 11)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  // No other limit holds without an account.
  await look(1, 'waiting', 60, stranger);
  await expect(look(1, 'waiting', 61, stranger)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  expect(await look(1, 'published', 61, stranger)).toEqual([]);
});

test('the files of an account’s uploads are counted, a few as twenty; 20,000 may be announced in an hour', async () => {
  const caller = aCaller();
  const key = `announced-files#${caller.account.id}`;
  for (const [count, counted] of [
    [1, 20],
    [21, 21],
  ] as const) {
    const { events, answer } = begin(caller, files(count));
    await answer;
    expect(events[key]).toBe(counted);
  }
  await expect(begin(caller, files(1), 20_001).answer).rejects.toMatchObject({
    code: 'RATE_LIMITED',
  });
  await begin(caller, files(1), 20_000).answer;
});

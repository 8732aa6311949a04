import { brotliDecompressSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { commonHeaders } from '../../../../contract/common-headers.ts';
import {
  applyPageEdit,
  sendResponse,
  sentBodies,
} from '../../../../lambdas/visits/send-response.ts';

const stored = Buffer.from('<head></head>');
const edited = '<head><meta name="robots" content="noindex"></head>';
const response = { status: 200, headers: { etag: '"a-b"' } };

async function send(range: string | undefined) {
  const unsatisfiable = (size: number) => ({ status: 416, headers: { size: String(size) } });
  const sent = await applyPageEdit(
    response,
    { head: { noIndex: true }, range, unsatisfiable },
    stored,
  );
  return { ...sent, text: sent.bytes && Buffer.from(sent.bytes).toString() };
}

test('a page is sent with its edited head', async () => {
  expect(await send(undefined)).toMatchObject({ response, text: edited });
});

test.each([
  ['bytes=0-5', '0-5', '<head>'],
  ['bytes=6-10', '6-10', '<meta'],
  ['bytes=-7', `${edited.length - 7}-${edited.length - 1}`, '</head>'],
  ['bytes=20-', `20-${edited.length - 1}`, edited.slice(20)],
])('%s is a range of the page with its edited head', async (range, part, text) => {
  const headers = { etag: '"a-b"', 'content-range': `bytes ${part}/${edited.length}` };
  expect(await send(range)).toMatchObject({ response: { status: 206, headers }, text });
});

test('a range that only the edited page has is served, and one beyond it is refused', async () => {
  expect(await send(`bytes=${stored.length}-`)).toMatchObject({ response: { status: 206 } });
  expect(await send(`bytes=${edited.length}-`)).toEqual({
    response: { status: 416, headers: { size: String(edited.length) } },
  });
});

test.each([
  ['a page of ours', { status: 200, headers: {}, text: 'page' }],
  ['a file', { status: 200, headers: {}, stored: { key: 'file' } }],
  ['a file that is gone', { status: 200, headers: {}, stored: { key: 'gone' } }],
  ['a redirect', { status: 302, headers: { location: '/' } }],
])('%s is sent with the headers of every response', async (_, built) => {
  const content = { get: async (key: string) => (key === 'file' ? stored : undefined) };
  const deps = { brand: 'Slipway', content, bodies: sentBodies() };
  for (const method of ['GET', 'HEAD']) {
    const { headers } = await sendResponse(deps, { method }, built);
    expect(headers).toMatchObject(commonHeaders);
    // A Function URL would call it JSON.
    expect(headers['content-type']).toBeDefined();
  }
});

describe('a file that was sent before', () => {
  const page = { ...response, stored: { key: 'page' } };
  const edit = {
    head: { noIndex: true },
    range: undefined,
    unsatisfiable: () => response,
  } as const;

  /** Objects that say how often they were read. */
  function storage(objects: Record<string, Buffer>) {
    const reads: string[] = [];
    const content = {
      async get(key: string) {
        reads.push(key);
        return objects[key];
      },
    };
    const deps = { brand: 'Slipway', content, bodies: sentBodies() };
    const get = (built: Parameters<typeof sendResponse>[2]) =>
      sendResponse(deps, { method: 'GET' }, built);
    return { reads, get };
  }

  test('is not read again', async () => {
    const { reads, get } = storage({ page: stored });
    const first = await get({ ...page, edit, coding: 'br' });
    expect(await get({ ...page, edit, coding: 'br' })).toEqual(first);
    expect(String(brotliDecompressSync(Buffer.from(first.body ?? '', 'base64')))).toBe(edited);
    expect(reads).toEqual(['page']);
  });

  test('has the headers of its own response, also from memory', async () => {
    const { get } = storage({ page: stored });
    await get(page);
    const sent = await get({ ...page, status: 404, headers: { etag: '"b"' } });
    expect(sent).toMatchObject({ statusCode: 404, headers: { etag: '"b"' } });
  });

  test.each([
    ['another object', { ...page, stored: { key: 'other' } }],
    ['a file in a pack', { ...page, stored: { key: 'page', range: { first: 0, last: 3 } } }],
    ['another coding', { ...page, coding: 'gzip' }],
    ['another head', { ...page, edit }],
    ['a range of an edited page', { ...page, edit: { ...edit, range: 'bytes=0-5' } }],
  ] as const)('says nothing of %s', async (_, built) => {
    const { reads, get } = storage({ page: stored, other: Buffer.from('<p>other') });
    const alone = await storage({ page: stored, other: Buffer.from('<p>other') }).get(built);
    await get(page);
    expect(await get(built)).toEqual(alone);
    expect(reads).toHaveLength(2);
  });

  test.each([
    ['a page', { ...page, edit: { ...edit, range: 'bytes=0-5' } }],
    ['a file', { ...page, status: 206, stored: { key: 'page', range: { first: 0, last: 5 } } }],
  ])('a part of %s that a visitor chose is read each time', async (_, built) => {
    const { reads, get } = storage({ page: stored });
    expect(await get(built)).toEqual(await get(built));
    expect(reads).toHaveLength(2);
  });

  test('is read again if it is large, or was missing', async () => {
    const objects: Record<string, Buffer> = { page: Buffer.alloc(200 * 1024) };
    const { reads, get } = storage(objects);
    await get(page);
    await get(page);
    expect((await get({ ...page, stored: { key: 'late' } })).statusCode).toBe(404);
    objects['late'] = stored;
    expect((await get({ ...page, stored: { key: 'late' } })).statusCode).toBe(200);
    expect(reads).toEqual(['page', 'page', 'late', 'late']);
  });
});

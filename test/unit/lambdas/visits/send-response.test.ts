import { expect, test } from '@jest/globals';
import { commonHeaders } from '../../../../contract/common-headers.ts';
import { applyPageEdit, sendResponse } from '../../../../lambdas/visits/send-response.ts';

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
  for (const method of ['GET', 'HEAD']) {
    const { headers } = await sendResponse({ brand: 'Slipway', content }, { method }, built);
    expect(headers).toMatchObject(commonHeaders);
    // A Function URL would call it JSON.
    expect(headers['content-type']).toBeDefined();
  }
});

import { expect, test } from '@jest/globals';
import { sendEdited } from '../../../../lambdas/visits/send-edited.ts';

const stored = Buffer.from('<head></head>');
const edited = '<head><meta name="robots" content="noindex"></head>';
const answer = { status: 200, headers: { etag: '"a-b"' } };

async function send(range: string | undefined) {
  const unsatisfiable = (size: number) => ({ status: 416, headers: { size: String(size) } });
  const sent = await sendEdited(answer, { head: { noIndex: true }, range, unsatisfiable }, stored);
  return { ...sent, text: sent.bytes && Buffer.from(sent.bytes).toString() };
}

test('a page is sent with its new head', async () => {
  expect(await send(undefined)).toMatchObject({ answer, text: edited });
});

test.each([
  ['bytes=0-5', '0-5', '<head>'],
  ['bytes=6-10', '6-10', '<meta'],
  ['bytes=-7', `${edited.length - 7}-${edited.length - 1}`, '</head>'],
  ['bytes=20-', `20-${edited.length - 1}`, edited.slice(20)],
])('%s is a part of the page with its new head', async (range, part, text) => {
  const headers = { etag: '"a-b"', 'content-range': `bytes ${part}/${edited.length}` };
  expect(await send(range)).toMatchObject({ answer: { status: 206, headers }, text });
});

test('a part that only the longer page has is there, and one beyond it is not', async () => {
  expect(await send(`bytes=${stored.length}-`)).toMatchObject({ answer: { status: 206 } });
  expect(await send(`bytes=${edited.length}-`)).toEqual({
    answer: { status: 416, headers: { size: String(edited.length) } },
  });
});

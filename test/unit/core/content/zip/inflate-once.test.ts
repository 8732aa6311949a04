import { createHook } from 'node:async_hooks';
import { createRequire } from 'node:module';
import { expect, jest, test } from '@jest/globals';
import { maxBytesAtOnce } from '../../../../../core/content/zip/inflate-at-once.ts';
import { archiveReaders } from '../../../../fixtures/archives/archive-readers.ts';
import { buildZip } from '../../../../fixtures/archives/zip-builder.ts';

const limits = { maxEntries: 500, maxTotalBytes: 10_000_000 };
/** Larger than what is inflated in one call. */
const large = 'words '.repeat(maxBytesAtOnce / 4);
const jsZipRequire = createRequire(import.meta.resolve('jszip'));

/** How many streams zlib and pako, JSZip's own inflater, open while `run` runs. */
async function countInflaters(run: () => Promise<unknown>): Promise<number> {
  const byPako = jest.spyOn(jsZipRequire('pako'), 'Inflate');
  let byZlib = 0;
  const hook = createHook({
    init(_, type) {
      if (type === 'ZLIB') byZlib += 1;
    },
  }).enable();
  await run();
  hook.disable();
  const count = byZlib + byPako.mock.calls.length;
  byPako.mockRestore();
  return count;
}

test.each(archiveReaders)('each compressed entry is inflated once, %s', async (_, read) => {
  const content = 'the same words again and again '.repeat(20);
  const zip = buildZip({
    entries: [
      { name: 'a.txt', content, method: 8 },
      { name: 'b.txt', content: 'b', method: 8, descriptor: 'signed' },
      { name: 'nothing.txt', content: '', method: 8 },
      { name: 'large.txt', content: large, method: 8 },
      { name: '__MACOSX/dropped', content, method: 8 },
      { name: 'stored.txt', content },
    ],
  });
  expect(await countInflaters(() => read(zip, limits))).toBe(5);
});

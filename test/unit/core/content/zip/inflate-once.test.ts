import { createHook } from 'node:async_hooks';
import { expect, test } from '@jest/globals';
import { maxBytesAtOnce } from '../../../../../core/content/zip/unpack-entry.ts';
import { archiveReaders } from '../../../../fixtures/archives/archive-readers.ts';
import { buildZip } from '../../../../fixtures/archives/zip-builder.ts';

const limits = { maxEntries: 500, maxTotalBytes: 10_000_000 };
/** Larger than what is inflated in one call. */
const large = 'words '.repeat(maxBytesAtOnce / 4);

/** How many inflaters zlib opens while `run` runs. */
async function countInflaters(run: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const hook = createHook({
    init(_, type) {
      if (type === 'ZLIB') count += 1;
    },
  }).enable();
  await run();
  hook.disable();
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

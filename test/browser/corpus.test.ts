import { mkdirSync, writeFileSync } from 'node:fs';
import { expect, jest, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { openPage } from './support/chromium.ts';
import { corpus } from './support/corpus.ts';
import type { CorpusFile } from './support/sample-kinds.ts';
import { useViewerStand } from './support/use-viewer-stand.ts';
import { watch, seen } from './support/watch.ts';

jest.setTimeout(600_000);

const viewers = useViewerStand();

/** A hostile file that shows a dialog, or a page that is wider than its window, is a failure too. */
async function look(page: Page, { name, bytes, see }: CorpusFile): Promise<string[]> {
  const started = performance.now();
  const errors = watch(page, viewers.stand.host);
  page.on('dialog', (dialog) => {
    errors.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(viewers.stand.show(name, bytes));
  await seen(page, see).catch(() => errors.push('not seen'));
  times.push([Math.round(performance.now() - started), name]);
  const over = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
  if ((await page.evaluate<number>(over)) > 0) errors.push('wider than a phone');
  page.removeAllListeners();
  return errors.map((error) => `${name}: ${error}`);
}

const times: [milliseconds: number, name: string][] = [];

test('every file of the corpus is shown on a phone, without an error or a foreign request', async () => {
  const files = await corpus(viewers.browser);
  expect(files.length).toBeGreaterThanOrEqual(150);
  const left = files.values();
  const work = async () => {
    const page = await openPage(viewers.browser, { viewport: { width: 390, height: 800 } });
    const failures: string[] = [];
    for (const file of left) failures.push(...(await look(page, file)));
    await page.context().close();
    return failures;
  };
  const failures = (await Promise.all([work(), work(), work()])).flat();
  const folder = new URL('../../artefacts/browser/', import.meta.url);
  mkdirSync(folder, { recursive: true });
  const slowest = times.toSorted(([a], [b]) => b - a).map(([ms, name]) => `${ms} ms ${name}`);
  writeFileSync(new URL('corpus-times.txt', folder), slowest.join('\n'));
  expect(failures).toEqual([]);
});

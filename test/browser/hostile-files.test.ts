import { expect, jest, test } from '@jest/globals';
import type { CDPSession, Page } from 'playwright-core';
import { openPage } from './support/chromium.ts';
import { hostileFiles } from './support/hostile-files.ts';
import type { HostileFile } from './support/sample-kinds.ts';
import { useViewerStand } from './support/use-viewer-stand.ts';
import { watch, seen } from './support/watch.ts';

jest.setTimeout(600_000);

const viewers = useViewerStand();

/** What the page of any file may keep, after its garbage is collected. */
const most = { heapMegabytes: 160, nodes: 60_000 } as const;

async function metricsOf(client: CDPSession): Promise<Map<string, number>> {
  await client.send('HeapProfiler.collectGarbage');
  const { metrics } = await client.send('Performance.getMetrics');
  return new Map(metrics.map(({ name, value }) => [name, value]));
}

/** Waits until the page has no more workers than these. Which of them end first does not matter. */
async function workersEnd(page: Page, most: number): Promise<void> {
  for (let left = page.workers(); left.length > most; left = page.workers()) {
    await Promise.race(left.map((worker) => worker.waitForEvent('close')));
  }
}

/** Makes long timers of a page short: `own-worker.ts` gives work 10 seconds. */
const shortDeadline = `{
  const { setTimeout } = window;
  window.setTimeout = (call, delay, ...more) =>
    setTimeout(call, delay > 5000 ? delay / 5 : delay, ...more);
}`;

/** Everything that a page does beyond its bounds, in words. */
async function harmOf(page: Page, file: HostileFile): Promise<string[]> {
  const harm: string[] = [];
  for (const [selector, count] of Object.entries(file.most ?? {})) {
    const found = await page.locator(selector).count();
    if (found > count) harm.push(`${found} of ${selector}`);
  }
  await workersEnd(page, file.workers ?? 0).catch(() => harm.push('a worker that runs on'));
  const client = await page.context().newCDPSession(page);
  await client.send('Performance.enable');
  const metrics = await metricsOf(client);
  const heap = Math.round((metrics.get('JSHeapUsedSize') ?? Infinity) / 1024 ** 2);
  const nodes = metrics.get('Nodes') ?? Infinity;
  if (heap > most.heapMegabytes) harm.push(`${heap} MB of heap`);
  if (nodes > most.nodes) harm.push(`${nodes} nodes`);
  return harm;
}

async function look(file: HostileFile): Promise<string[]> {
  const page = await openPage(viewers.browser, { viewport: { width: 390, height: 800 } });
  const harm = watch(page, viewers.stand.host);
  page.on('dialog', (dialog) => {
    harm.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  try {
    if (file.isDeadlineShort) await page.addInitScript(shortDeadline);
    await page.goto(viewers.stand.show(file.name, await file.make()));
    for (const name of file.press ?? []) await page.getByRole('button', { name }).click();
    await seen(page, file.see).catch(() => harm.push('not seen'));
    harm.push(...(await harmOf(page, file)));
  } catch (error) {
    harm.push(String(error));
  } finally {
    page.removeAllListeners();
    await page.context().close();
  }
  return harm.map((one) => `${file.name}: ${one}`);
}

test('no hostile file does harm: bounded, without a dialog, an error or a foreign request', async () => {
  // Text that unpacks to hundreds of times its size keeps a worker busy for half a minute beside others.
  const isLong = ({ name }: HostileFile) => name.endsWith('.txt.zst');
  const left = hostileFiles.filter((file) => !isLong(file)).values();
  const work = async (files = left) => {
    const harm: string[] = [];
    for (const file of files) harm.push(...(await look(file)));
    return harm;
  };
  const harm = await Promise.all([work(), work(), work()]);
  harm.push(await work(hostileFiles.filter(isLong).values()));
  expect(harm.flat()).toEqual([]);
});

import type { Browser } from 'playwright-core';

/** What opening a page took. Times are milliseconds from the beginning of its navigation. */
export interface PageFigures {
  /** A frame after something of the content was in the page. */
  contentMs: number;
  /** The end of the last task of the main thread over 50 ms (Long Tasks API). */
  lastLongTaskMs: number;
  longestTaskMs: number;
  /** As sent, with the first script of each worker. */
  scriptBytes: number;
  /** Of the page, after collecting garbage. */
  heapBytes: number;
}

interface Seen {
  contentMs: number;
  tasks: { start: number; end: number }[];
}

/** Nothing has happened for this long: the page is at rest. */
const restMs = 1500;
/** Drawing a model without a graphics card may never let it rest. */
const mostRestMs = 20_000;
const mostMs = 90_000;

const sentBytes = `performance.getEntriesByType('resource')
  .filter(({ name }) => /\\.(?:js|wasm)$/.test(name))
  .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`;

const atRest = (whole: string) => `(({ contentMs, tasks }) => {
  if (!(contentMs > 0) || !(${whole})) return false;
  const quietMs = performance.now() - Math.max(contentMs, tasks.at(-1)?.end ?? 0);
  return quietMs > ${restMs} || performance.now() - contentMs > ${mostRestMs};
})(window.benchFigures)`;

/** Runs in the page before anything of it. */
const watching = (seen: string) => `(() => {
  const figures = { contentMs: NaN, tasks: [] };
  window.benchFigures = figures;
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries())
      figures.tasks.push({ start: startTime, end: startTime + duration });
  }).observe({ type: 'longtask', buffered: true });
  const look = () => {
    if (document.body !== null && ${seen})
      requestAnimationFrame(() => { figures.contentMs = performance.now(); });
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})()`;

/** Opens an address in a new profile, with the main thread's processor slowed, until it is at rest. */
export async function measurePage(
  browser: Browser,
  url: string,
  { seen, whole = 'true', slowness }: { seen: string; whole?: string; slowness: number },
): Promise<PageFigures> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  try {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowness });
    await page.addInitScript(watching(seen));
    await page.goto(url, { waitUntil: 'commit' });
    await untilTrue(() => page.evaluate<boolean>(atRest(whole)));
    const { contentMs, tasks } = await page.evaluate<Seen>('window.benchFigures');
    const scriptBytes = await page.evaluate<number>(sentBytes);
    await session.send('HeapProfiler.collectGarbage');
    const { usedSize } = await session.send('Runtime.getHeapUsage');
    return {
      contentMs,
      lastLongTaskMs: tasks.at(-1)?.end ?? 0,
      longestTaskMs: Math.max(0, ...tasks.map(({ start, end }) => end - start)),
      scriptBytes,
      heapBytes: usedSize,
    };
  } finally {
    await context.close();
  }
}

/** The page's policy forbids it to poll by itself. */
async function untilTrue(isTrue: () => Promise<boolean>): Promise<void> {
  const until = performance.now() + mostMs;
  while (!(await isTrue())) {
    if (performance.now() > until) throw new Error(`the page is not at rest after ${mostMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

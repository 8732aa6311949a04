import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { exampleProject } from '../../contract/examples.ts';
import { anEmail, signIn } from '../fixtures/accounts/accounts.ts';
import { created } from '../fixtures/projects/projects.ts';
import { openPage } from './support/chromium.ts';
import { signInOn, untilRead, viewAt } from './support/dashboard.ts';
import { browser } from './support/own-browser.ts';

let page: Page;

beforeEach(async () => {
  page = await openPage(browser);
});
afterEach(() => page.context().close());

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);

/** Answers a request of the app as the service would answer a much larger account. */
async function answer(pattern: RegExp, bodyOf: (query: URLSearchParams) => object): Promise<void> {
  await page.route(pattern, (route) => {
    const { searchParams } = new URL(route.request().url());
    const body = JSON.stringify(bodyOf(searchParams));
    return route.fulfill({ contentType: 'application/json', body });
  });
}

/** Scrolls to the end until it shows a text; returns the most rows that were elements at once. */
async function scrollToEnd(
  label: string,
  until: string,
): Promise<{ rows: number; slowestMs: number }> {
  const program = `(async () => {
    const list = document.querySelector(${JSON.stringify(`[aria-label="${label}"]`)});
    let rows = 0;
    let slowestMs = 0;
    for (let turn = 0; turn < 1000; turn += 1) {
      if (list.textContent.includes(${JSON.stringify(until)})) break;
      scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' });
      const before = performance.now();
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      slowestMs = Math.max(slowestMs, performance.now() - before);
      await new Promise((done) => setTimeout(done, 50));
      rows = Math.max(rows, list.children.length);
    }
    return { rows, slowestMs };
  })()`;
  return (await page.evaluate(program)) as { rows: number; slowestMs: number };
}

test('a list of 10,000 projects, 2,000 files and 100 versions stay small in the page', async () => {
  const email = anEmail();
  await page.goto(viewAt('/'));
  await signInOn(page, email);
  await page.getByText('Nothing here yet').waitFor();
  const { projectId } = await created(await signIn(email));
  const pad = (number: number) => String(number).padStart(12, '0');
  await answer(/\/v1\/projects\?/, (query) => {
    const from = Number(query.get('cursor') ?? 0);
    const projects = Array.from({ length: 100 }, (_, index) => ({
      ...exampleProject,
      id: `0b7e4c1a-5f60-4c39-9d0e-${pad(from + index)}`,
      title: `Project ${from + index}`,
    }));
    const nextCursor = from + 100 < 10_000 ? String(from + 100) : null;
    return { status: 'success', data: { projects, nextCursor, limit: 100, offset: 0 } };
  });
  await answer(/\/v1\/projects\/[^/]+\/files\?/, (query) => {
    const from = Number(query.get('cursor') ?? 0);
    const files = Array.from({ length: 1000 }, (_, index) => ({
      path: `assets/file-${from + index}.css`,
      size: 10,
      hash: 'AAAABBBBCCCCDDDD',
      contentType: 'text/css',
      url: null,
    }));
    const nextCursor = from + 1000 < 2000 ? String(from + 1000) : null;
    return {
      status: 'success',
      data: { version: 100, fileCount: 2000, bytes: 1, files, nextCursor },
    };
  });
  await answer(/\/v1\/projects\/[^/]+\/status/, () => ({
    status: 'success',
    data: Array.from({ length: 100 }, (_, index) => ({
      deploymentId: `dep_v${100 - index}`,
      version: 100 - index,
      status: index === 0 ? 'active' : 'ready',
      sizeBytes: 10,
      createdAt: '2026-01-01T00:00:00.000Z',
      publishedBy: { kind: 'key', id: null, name: 'CI' },
    })),
  }));
  const paths = Array.from({ length: 2000 }, (_, index) => `assets/file-${index}.css`);
  await answer(/\/versions\/\d+\/diff/, () => ({
    status: 'success',
    data: { against: 100, added: [], changed: paths, removed: [], sizeDelta: 0 },
  }));

  await page.goto(viewAt('/'));
  await page.getByRole('link', { name: 'Project 0', exact: true }).waitFor();
  const projects = await scrollToEnd('Your projects', 'Project 9999');
  await page.getByText('10,000 projects').waitFor();
  await page.getByRole('link', { name: 'Project 9999', exact: true }).waitFor();
  await page.goto(viewAt(`/projects/${projectId}/files`));
  await page.getByText('assets/file-0.css').waitFor();
  const files = await scrollToEnd('Files of this project', 'file-1999.css');
  await page.getByText('assets/file-1999.css').waitFor();
  await page.goto(viewAt(`/projects/${projectId}/versions`));
  await page.getByText('Version 100').waitFor();
  const before = Date.now();
  await page.getByRole('button', { name: 'Compare' }).nth(1).click();
  await page.getByText('Changed: 2000 files').waitFor();
  console.log(
    `10,000 projects: ${projects.rows} rows, slowest two frames ${Math.round(projects.slowestMs)} ms; ` +
      `2,000 files: ${files.rows} rows, ${Math.round(files.slowestMs)} ms; ` +
      `a comparison of 2,000 files: ${Date.now() - before} ms`,
  );
  expect(projects.rows).toBeLessThan(80);
  expect(files.rows).toBeLessThan(80);
});

/** What a slow phone sees: a quarter of the processor, 1.6 Mbit/s and 150 ms to the service. */
async function slowDown(): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 150,
    downloadThroughput: (1.6 * 1024 * 1024) / 8,
    uploadThroughput: (750 * 1024) / 8,
  });
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 });
}

/** The largest paint so far in milliseconds, and the sum of all shifts of the layout. */
async function paintOf(): Promise<{ lcp: number; cls: number }> {
  const program = `new Promise((resolve) => {
    let lcp = 0;
    const shifts = [];
    new PerformanceObserver((list) => {
      for (const { startTime } of list.getEntries()) lcp = startTime;
    }).observe({ type: 'largest-contentful-paint', buffered: true });
    new PerformanceObserver((list) => {
      for (const shift of list.getEntries()) if (!shift.hadRecentInput) shifts.push(shift.value);
    }).observe({ type: 'layout-shift', buffered: true });
    setTimeout(() => resolve({ lcp, shifts }), 500);
  })`;
  const { lcp, shifts } = (await page.evaluate(program)) as { lcp: number; shifts: number[] };
  return { lcp: Math.round(lcp), cls: sum(shifts) };
}

test('on a slow phone nothing jumps; the times of the largest paint are printed', async () => {
  const email = anEmail();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(viewAt('/'));
  await signInOn(page, email);
  await page.getByText('Nothing here yet').waitFor();
  const { projectId } = await created(await signIn(email));
  const paints: Record<string, { lcp: number; cls: number }> = {};
  for (const path of ['/', `/projects/${projectId}`, '/account']) {
    // A page of its own has an empty cache.
    const { cookies } = await page.context().storageState();
    const former = page.context();
    page = await openPage(browser, { viewport: { width: 390, height: 844 } });
    await page.context().addCookies(cookies);
    await former.close();
    await slowDown();
    await page.goto(viewAt(path));
    await untilRead(page);
    paints[path.replace(projectId, 'id')] = await paintOf();
  }
  console.log(`on a slow phone: ${JSON.stringify(paints)}`);
  expect(Object.entries(paints).filter(([, { cls }]) => cls > 0.02)).toEqual([]);
});

test.each(['/', '/projects/id', '/account'])(
  'what %s shows is requested before the app is there, and once',
  async (view) => {
    const email = anEmail();
    await page.goto(viewAt('/'));
    await signInOn(page, email);
    await page.getByText('Nothing here yet').waitFor();
    const { projectId } = await created(await signIn(email));
    const reads = { '/': '/v1/projects?', '/account': '/v1/user', '/projects/id': projectId };
    const needed = ['/v1/session', '/config.json', '-view-', Object(reads)[view]];
    const requested: string[] = [];
    page.on('request', (request) => requested.push(request.url()));
    const isLacking = (part: string) => !requested.some((url) => url.includes(part));
    // The rest of the app arrives when everything else was requested, or should have been.
    const lacking: string[][] = [];
    await page.route('**/assets/app-*.js', async (route) => {
      const until = Date.now() + 10_000;
      while (needed.some(isLacking) && Date.now() < until) {
        await new Promise((done) => setTimeout(done, 50));
      }
      lacking.push(needed.filter(isLacking));
      await route.continue();
    });
    await page.goto(viewAt(view.replace('id', projectId)));
    await untilRead(page);
    expect(lacking).toEqual([[]]);
    expect(requested.filter((url, at) => requested.indexOf(url) !== at)).toEqual([]);
  },
);

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { baseUrl, file, published } from '../fixtures/clouds/client.ts';
import { picture } from './support/chromium.ts';
import { curlUpload } from './support/curl.ts';
import { writeDocumentation } from './support/documentation.ts';
import { zipFolder } from './support/folders.ts';
import { page } from './support/own-page.ts';
import { buildViteApp } from './support/vite-app.ts';
import { watch } from './support/watch.ts';

const folder = mkdtempSync(join(tmpdir(), 'slipway-built-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('an application built with Vite', () => {
  let url: string;
  let paths: string[];

  beforeAll(async () => {
    const app = join(folder, 'app');
    mkdirSync(app);
    const zip = join(app, 'dist.zip');
    paths = await zipFolder(await buildViteApp(app), zip);
    const answer = await curlUpload(zip);
    expect(answer).toMatchObject({ status: 'success' });
    url = answer.data?.url ?? '';
  });

  test('is built into many files with hashed names', () => {
    expect(paths.length).toBeGreaterThanOrEqual(9);
    for (const extension of ['js', 'css', 'png', 'woff2']) {
      expect(paths).toContainEqual(
        expect.stringMatching(new RegExp(`^assets/\\w+.*-[\\w-]{8}\\.${extension}$`)),
      );
    }
  });

  test('loads completely from one curl, without a single error', async () => {
    const pageErrors = watch(page, new URL(url).host);
    const loaded = new Set<string>();
    page.on('response', (response) => loaded.add(new URL(response.url()).pathname.slice(1)));
    await page.goto(url);
    await page.getByText('The worker says 42').waitFor();
    expect(await page.locator('#times li').allTextContents()).toEqual([
      'North pier at 08:15',
      'South pier at 09:40',
    ]);
    expect(await page.locator('#later').textContent()).toBe('Loaded later');
    await page.waitForFunction('document.images[0].complete');
    expect(await page.evaluate('document.images[0].naturalWidth')).toBe(64);
    await page.waitForFunction('document.fonts.status === "loaded"');
    expect(
      await page.evaluate(`({
        ground: getComputedStyle(document.body).backgroundColor,
        weight: getComputedStyle(document.querySelector('#later')).fontWeight,
        fonts: [...document.fonts].map(({ family, status }) => family + ' ' + status),
      })`),
    ).toEqual({ ground: 'rgb(217, 233, 234)', weight: '700', fonts: ['Signal loaded'] });
    await picture(page, 'vite-app');
    expect(pageErrors).toEqual([]);
    const hashed = paths.filter((path) => path.startsWith('assets/'));
    expect([...loaded]).toEqual(expect.arrayContaining(['', 'data/times.json', ...hashed]));
  });

  test('loads again from the browser’s cache', async () => {
    const pageErrors = watch(page, new URL(url).host);
    await page.goto(url);
    await page.getByText('The worker says 42').waitFor();
    await page.reload();
    await page.getByText('The worker says 42').waitFor();
    expect(pageErrors).toEqual([]);
  });
});

describe('a documentation in JSDoc’s shape', () => {
  let url: string;

  beforeAll(async () => {
    const site = join(folder, 'documentation');
    writeDocumentation(site);
    const zip = join(folder, 'documentation.zip');
    const paths = await zipFolder(site, zip);
    const refused = await curlUpload(zip);
    expect(refused).toMatchObject({ status: 'error', code: 'ZIP_MULTIPLE_HTML' });
    expect([...(refused.htmlPaths ?? [])].sort()).toEqual(paths.filter((p) => p.endsWith('.html')));
    const answer = await curlUpload(zip, { zipIndexHtmlPath: 'index.html' });
    expect(answer).toMatchObject({ status: 'success' });
    url = answer.data?.url ?? '';
  });

  test('opens at the page that was chosen, with its styles, fonts and scripts', async () => {
    const pageErrors = watch(page, new URL(url).host);
    await page.goto(url);
    await page.getByText('Berths and tides, documented.').waitFor();
    await page.waitForFunction('document.fonts.status === "loaded"');
    expect(await page.evaluate('getComputedStyle(document.body).fontFamily')).toContain(
      'Open Sans',
    );
    await picture(page, 'documentation');
    expect(pageErrors).toEqual([]);
  });

  test('leads from page to page and back', async () => {
    const pageErrors = watch(page, new URL(url).host);
    await page.goto(url);
    await page.getByRole('link', { name: 'harbour', exact: true }).click();
    await page.waitForURL(`${url}/module-harbour.html`);
    await page.getByText('Berths and the ships in them.').waitFor();
    await page.getByRole('link', { name: 'harbour.js' }).first().click();
    await page.waitForURL(`${url}/harbour.js.html`);
    // Made by its script: the source, cut into numbered lines.
    await page.locator('#line12').waitFor();
    await page.goBack();
    await page.goBack();
    await page.getByText('Berths and tides, documented.').waitFor();
    expect(pageErrors).toEqual([]);
  });
});

test('a broken page is detected', async () => {
  const url = await published([
    file(
      'index.html',
      `<h1>Broken</h1><img src="/missing.png"><script>console.error('alas')</script>
<script>throw new Error('thrown')</script><img src="${baseUrl}/health">`,
    ),
  ]);
  const pageErrors = watch(page, new URL(url).host);
  await page.goto(url, { waitUntil: 'load' });
  expect(pageErrors).toEqual(
    expect.arrayContaining([
      'console: alas',
      'uncaught: thrown',
      `404: ${url}/missing.png`,
      `foreign: ${baseUrl}/health`,
    ]),
  );
});

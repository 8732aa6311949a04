import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { temporaryLifetimeSeconds } from '../../contract/limits.ts';
import { ask, baseUrl } from '../fixtures/clouds/client.ts';
import { openPage, picture } from './support/chromium.ts';
import { dropOn } from './support/drop.ts';
import { writeFiles } from './support/folders.ts';
import { address, browser } from './support/own-browser.ts';
import { aPng, zipOf } from './support/sample-files.ts';
import { watch } from './support/watch.ts';

const folder = mkdtempSync(join(tmpdir(), 'slipway-landing-'));
let page: Page;
let pageErrors: string[];

afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeEach(async () => {
  // Three uploads a minute are allowed.
  address.change();
  await open();
});

afterEach(() => page.context().close());

async function open(options?: BrowserContextOptions): Promise<void> {
  await page?.context().close();
  page = await openPage(browser, options);
  pageErrors = watch(page, new URL(baseUrl).host);
  await page.goto(baseUrl);
}

test('the first view of the landing page is less than 15 kB of traffic', async () => {
  const network = await page.context().newCDPSession(page);
  await network.send('Network.enable');
  const requests = new Map<string, number>();
  network.on('Network.requestWillBeSent', ({ requestId }) => requests.set(requestId, 0));
  network.on('Network.loadingFinished', ({ requestId, encodedDataLength }) =>
    requests.set(requestId, encodedDataLength),
  );
  await page.goto(baseUrl, { waitUntil: 'networkidle' });
  const bytes = [...requests.values()].reduce((total, length) => total + length, 0);
  // The page is one document of 10 kB, and its icon.
  expect(bytes).toBeGreaterThan(5_000);
  expect(bytes).toBeLessThan(15_000);
});

const anHtml = {
  name: 'index.html',
  mimeType: 'text/html',
  buffer: Buffer.from('<h1>Afloat</h1>'),
};
const aZip = (buffer: Buffer) => ({ name: 'site.zip', mimeType: 'application/zip', buffer });
const link = () => page.locator('#link');

/** Waits for the link and gives the text of what it leads to. */
async function launched(): Promise<string> {
  await page.getByRole('heading', { name: 'Your link is live' }).waitFor();
  const url = (await link().getAttribute('href')) ?? '';
  return (await ask(url)).text;
}

const minutes = temporaryLifetimeSeconds / 60;
const clock = new RegExp(`^(?:${minutes}:00|${minutes - 1}:\\d\\d)$`);

describe('a chosen file', () => {
  test('is published, shows its remaining time, and opens from its link', async () => {
    await page.locator('#files').setInputFiles(anHtml);
    expect(await launched()).toBe('<h1>Afloat</h1>');
    expect(await page.evaluate('document.activeElement.id')).toBe('live-title');
    expect(await page.locator('#clock').textContent()).toMatch(clock);
    const claimUrl = await page.locator('#claim').textContent();
    expect(claimUrl).toMatch(/\/claim\/[\w-]{43}$/);
    expect(await page.locator('#keep').getAttribute('href')).toBe(claimUrl);
    await picture(page, 'landing-live');
    const [opened] = await Promise.all([page.context().waitForEvent('page'), link().click()]);
    await opened.getByRole('heading', { name: 'Afloat' }).waitFor();
    expect(await opened.evaluate('window.opener')).toBeNull();
    await page.getByRole('button', { name: 'Publish something else' }).click();
    await page.getByRole('heading', { name: 'Drop files, a folder or a ZIP here' }).waitFor();
    expect(pageErrors).toEqual([]);
  });

  test('is not published with hidden files beside it, unless somebody asks for them', async () => {
    const hidden = { name: '.env', mimeType: 'text/plain', buffer: Buffer.from('MODE=test') };
    await page.locator('#files').setInputFiles([anHtml, hidden]);
    expect(await launched()).toBe('<h1>Afloat</h1>');
    await page.getByText('1 file was left out: .env').waitFor();
    await picture(page, 'landing-left-out');
    const first = (await link().getAttribute('href')) ?? '';
    expect((await ask(`${first}/.env`)).status).toBe(404);
    await page.getByRole('button', { name: 'Publish them too' }).click();
    await page.getByText('left out').waitFor({ state: 'hidden' });
    await page.locator(`#link:not([href="${first}"])`).waitFor();
    await page.getByRole('heading', { name: 'Your link is live' }).waitFor();
    const second = (await link().getAttribute('href')) ?? '';
    expect((await ask(`${second}/.env`)).text).toBe('MODE=test');
  });

  test('shows how much of it has been sent, and can be cancelled', async () => {
    // 200 kB a second: slow enough to be seen.
    const network = await page.context().newCDPSession(page);
    await network.send('Network.enable');
    await network.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: 200_000,
    });
    const big = { ...anHtml, name: 'big.html', buffer: Buffer.alloc(2_000_000, '<p>ahoi') };
    await page.locator('#files').setInputFiles(big);
    await page.getByRole('status').getByText('Sending').waitFor();
    expect(await page.locator('#what').textContent()).toBe('1 file, 1.9 MB');
    await page.locator('#progress:not([value="0"])').waitFor();
    await picture(page, 'landing-sending');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Nothing was published.').waitFor();
    expect(pageErrors).toEqual([]);
  });

  test('is copied to the clipboard by its button', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.locator('#files').setInputFiles(anHtml);
    await launched();
    await page.getByRole('button', { name: 'Copy link' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await page.evaluate('navigator.clipboard.readText()');
    expect(copied).toBe(await link().getAttribute('href'));
    expect(pageErrors).toEqual([]);
  });
});

describe('a ZIP with several HTML pages', () => {
  const pages = { 'about.html': 'About', 'index.html': 'Home', 'deep/<i>a.html': 'Awkward' };

  beforeEach(async () => {
    await page.locator('#files').setInputFiles(aZip(await zipOf(pages)));
    await page.getByRole('heading', { name: 'Choose the start page' }).waitFor();
  });

  test('asks for the home page, and starts there', async () => {
    expect(await page.locator('#paths label').allTextContents()).toEqual([
      'index.html',
      'about.html',
      'deep/<i>a.html',
      'No start page: list the files',
    ]);
    await picture(page, 'landing-choosing');
    await page.getByRole('radio', { name: 'about.html' }).check();
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    expect(await launched()).toBe('About');
    // The refusal that asks is the only thing the console may mention.
    expect(pageErrors.filter((error) => !error.includes('400'))).toEqual([]);
  });

  test('can be a list of files instead', async () => {
    await page.getByRole('radio', { name: 'No start page: list the files' }).check();
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    expect(await launched()).toContain('3 files');
  });
});

describe('a refusal', () => {
  test('by the service shows what happened and what to do next', async () => {
    const [response] = await Promise.all([
      page.waitForResponse(`${baseUrl}/v1/projects/temp`),
      page.locator('#files').setInputFiles(aZip(Buffer.from('PK, but no ZIP'))),
    ]);
    const { code, error } = await response.json();
    expect({ code, status: response.status() }).toEqual({ code: 'ARCHIVE_INVALID', status: 400 });
    const said = page.getByRole('alert');
    await said.getByText(error).waitFor();
    expect(await said.textContent()).toBe(
      `${error}Make it again from the original files, or drop the folder itself. Nothing was published.`,
    );
    await picture(page, 'landing-refused');
    expect(await page.evaluate('document.activeElement.id')).toBe('files');
  });

  test('for too many uploads keeps the files and says when they are sent', async () => {
    for (let upload = 0; upload < 3; upload += 1) {
      await page.locator('#files').setInputFiles(anHtml);
      await launched();
      await page.getByRole('button', { name: 'Publish something else' }).click();
    }
    await page.locator('#files').setInputFiles(anHtml);
    await page.getByText('Your files wait here').waitFor();
    await page.getByText(/Sent in \d+:\d\d\./).waitFor();
    await picture(page, 'landing-limited');
  });

  test('of a file that is too large happens before anything is sent', async () => {
    const buffer = Buffer.alloc(2_097_153);
    await page.locator('#files').setInputFiles({ ...anHtml, buffer });
    await page.getByRole('alert').getByText('; without an account 2 MB.').waitFor();
    expect(pageErrors).toEqual([]);
  });
});

describe('a folder', () => {
  const site = {
    'index.html': '<link rel="stylesheet" href="css/site.css"><h1>Folder</h1><img src="img/1.png">',
    'css/site.css': 'h1{color:rgb(1,2,3)}',
    'about.html': 'About',
    ...Object.fromEntries([1, 2, 3, 4].map((n) => [`img/${n}.png`, aPng(n * 10, 10, [0, n, 0])])),
    '.DS_Store': 'clutter',
  };
  const path = join(folder, 'my site');

  beforeAll(() => writeFiles(path, site));

  test('that is chosen becomes one site, with any number of files', async () => {
    await page.locator('#folder').setInputFiles(path);
    expect(await launched()).toBe(site['index.html']);
    await visitFolder();
  });

  test('that is dropped becomes one site too', async () => {
    await dropOn(page, '#launch', [path]);
    expect(await launched()).toBe(site['index.html']);
    await visitFolder();
  });

  test('of few files without a page becomes a list', async () => {
    writeFiles(join(folder, 'notes'), { 'a.txt': 'a', 'deep/b.txt': 'b' });
    await dropOn(page, '#launch', [join(folder, 'notes')]);
    expect(await launched()).toContain('deep');
    expect(pageErrors).toEqual([]);
  });

  test('that is empty is refused before anything is sent', async () => {
    mkdirSync(join(folder, 'empty'));
    await dropOn(page, '#launch', [join(folder, 'empty')]);
    await page.getByRole('alert').getByText('No files were found.').waitFor();
    expect(pageErrors).toEqual([]);
  });

  async function visitFolder(): Promise<void> {
    const url = (await link().getAttribute('href')) ?? '';
    expect((await ask(`${url}/.DS_Store`)).status).toBe(404);
    const visitor = await page.context().newPage();
    const inSite = watch(visitor, new URL(url).host);
    await visitor.goto(url);
    await visitor.waitForFunction('document.images[0].naturalWidth === 10');
    const colour = "getComputedStyle(document.querySelector('h1')).color";
    expect(await visitor.evaluate(colour)).toBe('rgb(1, 2, 3)');
    expect([...pageErrors, ...inSite]).toEqual([]);
  }
});

test('files that are dropped together are published together', async () => {
  const names = ['one.txt', 'two.txt'];
  writeFiles(folder, Object.fromEntries(names.map((name) => [name, name])));
  await dropOn(
    page,
    '#launch',
    names.map((name) => join(folder, name)),
  );
  expect(await launched()).toContain('2 files');
  expect(pageErrors).toEqual([]);
});

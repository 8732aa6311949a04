import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  jest,
  test,
} from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { anEmail } from '../fixtures/accounts/accounts.ts';
import { baseUrl } from '../fixtures/clouds/client.ts';
import { temporary } from '../fixtures/projects/projects.ts';
import { openPage, startChromium } from './support/chromium.ts';
import { askForCode, claimed, keepIt, press } from './support/claim-steps.ts';
import { signInOn, viewAt } from './support/dashboard.ts';
import { type OwnAddress, ownAddress } from './support/own-address.ts';
import { watch } from './support/watch.ts';

jest.setTimeout(600_000);

let address: OwnAddress;
let browser: Browser;
let page: Page;
let pageErrors: string[];

beforeAll(async () => {
  address = await ownAddress();
  browser = await startChromium(address);
}, 600_000);

afterAll(() => browser?.close());

beforeEach(async () => {
  // A person without an account may publish three times a minute.
  address.change();
  page = await openPage(browser);
  pageErrors = watch(page, new URL(baseUrl).host);
});

afterEach(() => page.context().close());

const titled = (name: string) => page.getByRole('heading', { name }).waitFor();
const anHtml = {
  name: 'index.html',
  mimeType: 'text/html',
  buffer: Buffer.from('<title>Tide table</title><h1>Afloat</h1>'),
};

describe('without an account', () => {
  test('the code that claims a project signs in, and the next one needs one button', async () => {
    const first = await temporary();
    await page.goto(first.claimUrl);
    await keepIt(page, await askForCode(page, baseUrl, anEmail()));
    await claimed(page);
    expect(new URL(page.url()).pathname).toBe(`/dashboard/projects/${first.projectId}`);
    await page.reload();
    await page.getByRole('link', { name: 'Versions' }).waitFor();
    expect(await page.getByRole('heading', { name: 'It’s yours' }).count()).toBe(0);
    const second = await temporary();
    await page.goto(second.claimUrl);
    await press(page, 'Keep it');
    await claimed(page);
    expect(new URL(page.url()).pathname).toBe(`/dashboard/projects/${second.projectId}`);
    expect(pageErrors).toEqual([]);
  });

  test('the front page keeps its links over a reload', async () => {
    await page.goto(baseUrl);
    await page.locator('#files').setInputFiles(anHtml);
    await titled('Your link is live');
    const first = await page.locator('#link').getAttribute('href');
    await page.reload();
    await titled('Your link is live');
    expect(await page.locator('#link').getAttribute('href')).toBe(first);
    expect(await page.locator('#keep').getAttribute('href')).toMatch(/\/claim\/[\w-]{43}$/);
    await press(page, 'Publish something else');
    await titled('Published before');
    expect(await page.locator('#earlier-links a').first().getAttribute('href')).toBe(first);
    expect(pageErrors).toEqual([]);
  });

  test('source code is recognised, and published only on request', async () => {
    await page.goto(baseUrl);
    const manifest = JSON.stringify({ scripts: { build: 'vite build' } });
    const source = [
      anHtml,
      { name: 'package.json', mimeType: 'application/json', buffer: Buffer.from(manifest) },
    ];
    await page.locator('#files').setInputFiles(source);
    await titled('This looks like source code');
    await press(page, 'Choose again');
    await titled('Drop files, a folder or a ZIP here');
    await page.locator('#files').setInputFiles(source);
    await titled('This looks like source code');
    await page.locator('#source').getByRole('button', { name: 'Publish anyway' }).click();
    await titled('Your link is live');
    expect(pageErrors).toEqual([]);
  });

  test('files that are too large stay through the sign-in, and are published then', async () => {
    await page.goto(baseUrl);
    const maxBytes = Number(await page.locator('#launch').getAttribute('data-max-bytes'));
    const page1 = { ...anHtml, name: 'large.html', buffer: Buffer.alloc(maxBytes + 1, '<p>ahoi') };
    await page.locator('#files').setInputFiles(page1);
    await page.getByText('; without an account').waitFor();
    await page.getByText('Sign in to publish up to').waitFor();
    await press(page, 'Sign in and publish');
    await signInOn(page, anEmail());
    await titled('Your link is live');
    await page.locator('.upload .address a').waitFor();
  });

  test('at the rate limit the files stay, and are sent when the time is over', async () => {
    await page.goto(baseUrl);
    let count = 0;
    await page.route('**/v1/projects/temp', async (route) => {
      count += 1;
      if (count > 1) return route.continue();
      const body = { status: 'error', code: 'RATE_LIMITED', error: 'Later.', retryAfterSeconds: 3 };
      await route.fulfill({ status: 429, json: body });
    });
    await page.locator('#files').setInputFiles(anHtml);
    await page.getByText('Your files wait here').waitFor();
    await page.getByText(/Sent in 0:0\d\./).waitFor();
    await titled('Your link is live');
    expect(count).toBe(2);
  });
});

test('an upload of an account waits for the end of a rate limit too', async () => {
  await page.goto(viewAt('/'));
  await signInOn(page, anEmail());
  await titled('Projects');
  let count = 0;
  await page.route('**/v1/uploads', async (route) => {
    count += 1;
    if (count > 1) return route.continue();
    const body = { status: 'error', code: 'RATE_LIMITED', error: 'Later.', retryAfterSeconds: 2 };
    await route.fulfill({ status: 429, json: body });
  });
  await page.getByLabel('Choose files').setInputFiles(anHtml);
  await page.getByText('They are sent by themselves').waitFor();
  await titled('Your link is live');
});

import { afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { signIn } from '../fixtures/accounts/accounts.ts';
import { file } from '../fixtures/clouds/client.ts';
import { created } from '../fixtures/projects/projects.ts';
import { openPage } from './support/chromium.ts';
import { browser } from './support/own-browser.ts';
import { watch } from './support/watch.ts';

let page: Page;
let key: string;
beforeAll(async () => {
  key = await signIn();
}, 600_000);
afterEach(() => page.context().close());

/** Opens a page with this head as a person would, and gives what it tells and what goes wrong. */
async function open(head: string, { driven = false, policy = '' } = {}) {
  const files = [file('index.html', `<!doctype html><head>${head}</head><h1>Tides</h1>`)];
  if (policy !== '') files.push(file('_headers', `/*\n  Content-Security-Policy: ${policy}`));
  const { url } = await created(key, { files });
  page = await openPage(browser);
  if (!driven) {
    await page.addInitScript('Object.defineProperty(navigator, "webdriver", { get: () => false })');
  }
  const told: { path: string; id: string; r: string }[] = [];
  await page.route('**/_slipway/seen?*', async (route) => {
    const {
      id = '',
      path = '',
      r = '',
    } = Object.fromEntries(new URL(route.request().url()).searchParams);
    told.push({ id, path, r });
    await route.fulfill({ status: 204 });
  });
  const pageErrors = watch(page, new URL(url).host);
  await page.goto(`${url}/?a=b`, { waitUntil: 'load' });
  await page.waitForTimeout(500);
  return { told, pageErrors };
}

test.each([
  ['without a policy', ''],
  [
    'whose policy is its own site',
    `<meta http-equiv="content-security-policy" content="default-src 'self'">`,
  ],
  ['whose base is elsewhere', '<base href="https://elsewhere.test/">'],
])('a page %s reports once that it was opened', async (_, head) => {
  const { told, pageErrors } = await open(head);
  expect(told).toEqual([{ id: expect.stringMatching(/^[0-9a-f]{32}$/), path: '/', r: '' }]);
  expect(pageErrors).toEqual([]);
});

test.each([
  ['a browser that a program drives', '', { driven: true }],
  [
    'a page whose policy allows no script',
    `<meta http-equiv="content-security-policy" content="script-src 'none'">`,
    {},
  ],
])('%s reports nothing', async (_, head, how) => {
  expect(await open(head, how)).toEqual({ told: [], pageErrors: [] });
});

const ownScript = "<script nonce=abc>document.querySelector('h1')?.remove()</script>";
test.each([
  ["script-src 'nonce-abc'", ownScript],
  ["script-src 'strict-dynamic' 'nonce-abc'", ownScript],
  ["default-src 'none'", ''],
  ["script-src 'sha256-RFWPLDbv2BY+rCkDzsE+0fr8ylGr2R2faWMhq4lfEQc='", ''],
  ['sandbox', ''],
  ['sandbox allow-scripts', ''],
  ['sandbox allow-same-origin', ''],
])(
  'a page with the header %s gets no script that its browser would refuse (habit 10)',
  async (policy, head) => {
    expect(await open(head, { policy })).toEqual({ told: [], pageErrors: [] });
  },
);

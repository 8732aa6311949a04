import { afterEach, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { ask, baseUrl } from '../fixtures/clouds/client.ts';
import { openPage, picture } from './support/chromium.ts';
import { browser } from './support/own-browser.ts';
import { watch } from './support/watch.ts';

let page: Page;

afterEach(() => page.context().close());

async function open(options = {}): Promise<string[]> {
  page = await openPage(browser, options);
  const pageErrors = watch(page, new URL(baseUrl).host);
  await page.goto(baseUrl);
  return pageErrors;
}

test('without JavaScript the plain form publishes', async () => {
  const pageErrors = await open({ javaScriptEnabled: false });
  await page.getByRole('heading', { name: 'Choose files or a ZIP' }).waitFor();
  expect(await page.getByText('Choose a folder').isVisible()).toBe(false);
  await picture(page, 'landing-without-script', true);
  await page.locator('#files').setInputFiles({
    name: 'index.html',
    mimeType: 'text/html',
    buffer: Buffer.from('<h1>Plainly</h1>'),
  });
  const [answer] = await Promise.all([
    page.waitForNavigation(),
    page.getByRole('button', { name: 'Publish' }).click(),
  ]);
  expect(answer?.status()).toBe(200);
  const { data } = JSON.parse((await answer?.text()) ?? '');
  expect((await ask(data.url)).text).toBe('<h1>Plainly</h1>');
  expect(pageErrors).toEqual([]);
});

describe('the content security policy', () => {
  test('allows everything that the page does', async () => {
    const pageErrors = await open();
    await page.getByRole('heading', { name: 'Drop files, a folder or a ZIP here' }).waitFor();
    expect(pageErrors).toEqual([]);
  });

  test.each([
    [
      'script',
      "Object.assign(document.createElement('script'), { textContent: 'window.ran = 1' })",
    ],
    [
      'style',
      "Object.assign(document.createElement('style'), { textContent: 'body{margin:9px}' })",
    ],
    ['frame', "Object.assign(document.createElement('iframe'), { src: '/health' })"],
    ['base', "Object.assign(document.createElement('base'), { href: 'http://localhost:1/' })"],
  ])('blocks an injected %s', async (_, element) => {
    const pageErrors = await open();
    await Promise.all([
      page.waitForEvent('console', (message) => message.type() === 'error'),
      page.evaluate(`document.body.append(${element})`),
    ]);
    expect(pageErrors).toEqual([expect.stringMatching(/^console: .*Content Security Policy/)]);
    expect(await page.evaluate('window.ran')).toBeUndefined();
  });

  test('blocks requests to other hosts', async () => {
    const pageErrors = await open();
    const other = baseUrl.replace('//', '//other.');
    expect(await page.evaluate(`fetch('${other}').then(() => 'sent', () => 'refused')`)).toBe(
      'refused',
    );
    expect(pageErrors).toContainEqual(expect.stringMatching(/Content Security Policy/));
  });
});

describe('the keyboard', () => {
  /** What has the focus, and whether a person can see that: a native control shows it on its label. */
  const focused = `(() => {
    const at = document.activeElement;
    const shown = at.matches('.native') ? at.nextElementSibling : at;
    const { outlineStyle, outlineWidth } = getComputedStyle(shown);
    const { width, height } = shown.getBoundingClientRect();
    const visible = outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2 && width > 10 && height > 10;
    return { name: at.ariaLabel || at.textContent.trim(), visible };
  })()`;

  test('reaches every control in order, and shows where it is', async () => {
    await open();
    const reached: unknown[] = [];
    for (let step = 0; step < 10; step += 1) {
      await page.keyboard.press('Tab');
      reached.push(await page.evaluate(focused));
    }
    expect(reached).toEqual(
      [
        'Skip to upload',
        'Docs',
        'API',
        'Sign in',
        'Choose files',
        'Choose a folder',
        'Getting started',
        'Connect an agent',
        'Request',
        'Response',
      ].map((name) => ({ name, visible: true })),
    );
  });

  test('skips to the upload and chooses files there', async () => {
    const pageErrors = await open();
    // Asked for long before the key: the browser is told of it by a message of its own.
    const chooser = page.waitForEvent('filechooser');
    await page.keyboard.press('Tab');
    await picture(page, 'landing-skip');
    await page.keyboard.press('Enter');
    await page.waitForURL(/#launch$/);
    await page.locator(':target').waitFor({ state: 'attached' });
    await page.keyboard.press('Tab');
    await page.locator('#files:focus').waitFor({ state: 'attached' });
    await picture(page, 'landing-focus');
    await page.keyboard.press('Space');
    expect((await chooser).isMultiple()).toBe(true);
    expect(pageErrors).toEqual([]);
  });
});

import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { generatedGuides, guides, referencePages } from '../../contract/llms/guides.ts';
import { baseUrl } from '../fixtures/clouds/client.ts';
import { expectGoodLayout, openPage } from './support/chromium.ts';
import { browser } from './support/own-browser.ts';
import { watch } from './support/watch.ts';

let page: Page;
let pageErrors: string[];

beforeEach(async () => {
  page = await openPage(browser);
  pageErrors = watch(page, new URL(baseUrl).host);
});
afterEach(() => page.context().close());

describe('the documentation in a browser', () => {
  test('no page violates its content security policy, fails or calls another host', async () => {
    await page.goto(`${baseUrl}/docs`);
    for (const { slug } of [...guides, ...referencePages]) {
      await page.goto(`${baseUrl}/docs/${slug}`);
      // Without its styles, the list of pages would have bullets.
      const style = "getComputedStyle(document.querySelector('.pages ul')).listStyleType";
      expect(await page.evaluate(style)).toBe('none');
    }
    expect(pageErrors).toEqual([]);
  });

  test.each(['static-hosting', `${generatedGuides.api.slug}/projects`])(
    '%s fits into every width; wide code and tables scroll by keyboard',
    async (slug) => {
      await page.goto(`${baseUrl}/docs/${slug}`);
      await expectGoodLayout(page, `docs-${slug.replace('/', '-')}`);
      await page.setViewportSize({ width: 390, height: 844 });
      const unreachable = `[...document.querySelectorAll('pre, .scroll')]
        .filter((one) => one.scrollWidth > one.clientWidth && one.tabIndex !== 0).length`;
      expect(await page.evaluate(unreachable)).toBe(0);
      expect(pageErrors).toEqual([]);
    },
  );

  test('by keyboard, the first Tab stop is the skip link', async () => {
    await page.goto(`${baseUrl}/docs/connect`);
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to text');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('text');
  });

  test('the front page leads to the documentation and to the sign-in', async () => {
    await page.goto(baseUrl);
    await page.getByRole('navigation').getByRole('link', { name: 'Sign in' }).click();
    await page.getByLabel('E-mail address').waitFor();
    await page.goto(baseUrl);
    await page.getByRole('navigation').getByRole('link', { name: 'Docs' }).click();
    await page.getByRole('heading', { level: 1, name: 'Documentation' }).waitFor();
    // The dashboard asks who is signed in; nobody is.
    expect(pageErrors.filter((error) => !error.includes('401'))).toEqual([]);
  });
});

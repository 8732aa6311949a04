import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { anEmail, signIn } from '../fixtures/accounts/accounts.ts';
import { created } from '../fixtures/projects/projects.ts';
import { openPage, startChromium } from './support/chromium.ts';
import { signInOn, viewAt } from './support/dashboard.ts';

jest.setTimeout(600_000);

let browser: Browser;
let page: Page;

beforeAll(async () => {
  browser = await startChromium();
  page = await openPage(browser);
}, 600_000);
afterAll(() => browser?.close());

const focused = () => page.locator(':focus');
const press = (key: string) => page.keyboard.press(key);

/** Presses Tab until a control has the focus. */
async function tabTo(control: string): Promise<void> {
  const has = `document.activeElement.matches(${JSON.stringify(control)})`;
  for (let at = 0; at < 60 && !(await page.evaluate(has)); at += 1) await press('Tab');
  expect(await page.evaluate(has)).toBe(true);
}

test('with the keyboard alone, the focus stays where somebody works', async () => {
  const email = anEmail();
  await page.goto(viewAt('/'));
  await signInOn(page, email);
  await page.getByText('Nothing here yet').waitFor();
  const { projectId } = await created(await signIn(email));
  await page.goto(viewAt(`/projects/${projectId}/links`));
  await page.getByLabel('Who is it for?').waitFor();

  // The form of a new link is an empty one afterwards.
  for (const name of ['Anna', 'Tom']) {
    await tabTo('input[name="name"]');
    await page.keyboard.type(name);
    await press('Enter');
    await page.getByText(name, { exact: true }).waitFor();
    await page.getByRole('status').getByRole('code').waitFor();
    await page.locator('section.card :focus').waitFor();
  }

  // A row that is gone leaves the focus to the list; a question gives it back.
  await tabTo('.row button:last-child');
  await press('Enter');
  await page.getByRole('dialog').waitFor();
  await press('Escape');
  expect(await focused().textContent()).toBe('Delete');
  await press('Enter');
  await page.getByRole('dialog').waitFor();
  await press('Enter');
  await page.locator('.row').nth(1).waitFor({ state: 'detached' });
  await page.locator('.plain-rows :focus').waitFor();

  // A button that worked has the focus again.
  await page.goto(viewAt('/account'));
  await page.getByText('For programs').waitFor();
  await tabTo('details > summary');
  await press('Enter');
  await press('Tab');
  const button = await focused().textContent();
  const saved = page.waitForEvent('download');
  await press('Enter');
  await saved;
  await focused().waitFor();
  expect(await focused().textContent()).toBe(button);

  await press('Control+k');
  await page.getByRole('dialog').waitFor();
  await press('Escape');
  expect(await focused().textContent()).toBe(button);

  await page.setViewportSize({ width: 390, height: 844 });
  const menu = page.getByRole('button', { name: 'Menu' });
  await menu.focus();
  await press('Enter');
  await press('Tab');
  expect(await focused().textContent()).toBe('Projects');
  await press('Escape');
  expect(await focused().textContent()).toBe('Menu');
});

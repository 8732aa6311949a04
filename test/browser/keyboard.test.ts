import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { anEmail, signIn } from '../fixtures/accounts/accounts.ts';
import { created } from '../fixtures/projects/projects.ts';
import { Receiver } from '../fixtures/webhooks/receiver.ts';
import { openPage } from './support/chromium.ts';
import { signInOn, viewAt } from './support/dashboard.ts';
import { browser } from './support/own-browser.ts';

let page: Page;
let receiver: Receiver;

beforeAll(async () => {
  page = await openPage(browser);
  receiver = await new Receiver().start();
}, 600_000);
afterAll(() => receiver?.close());

const focused = () => page.locator(':focus');
const press = (key: string) => page.keyboard.press(key);

/** Presses Tab until a control has the focus. */
async function tabTo(control: string): Promise<void> {
  const has = `document.activeElement.matches(${JSON.stringify(control)})`;
  for (let at = 0; at < 60 && !(await page.evaluate(has)); at += 1) await press('Tab');
  expect(await page.evaluate(has)).toBe(true);
}

/** Presses Tab, on from where the focus is, until it is on a button of this name. */
async function tabToButton(name: string): Promise<void> {
  for (let at = 0; at < 60; at += 1) {
    await press('Tab');
    if ((await focused().count()) > 0 && (await focused().textContent()) === name) return;
  }
  throw new Error(`no button ${name}`);
}

/** Waits until the focus is on a button of this name. */
const expectFocus = (name: string) =>
  page
    .locator(':focus')
    .filter({ hasText: new RegExp(`^${name}$`) })
    .waitFor();

/** A closed dialog has no role any more; only then does the page hear of it and take it away. */
const dialogGone = () => page.locator('dialog').waitFor({ state: 'detached' });

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
  await dialogGone();
  await expectFocus('Delete');
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

  // A dialog is there at once, also while its code is on its way, and gives the focus back.
  let send = () => {};
  const sent = new Promise<void>((resolve) => (send = resolve));
  await page.route(/\/row-menu-[^/]*\.js$/, async (route) => {
    await sent;
    await route.continue();
  });
  await page.goto(viewAt('/'));
  await page.getByLabel('Select A title').waitFor();
  await tabTo('[aria-haspopup="dialog"][aria-label="More about A title"]');
  await press('Enter');
  const dialog = page.getByRole('dialog', { name: 'A title' });
  await dialog.getByRole('status', { name: 'Loading' }).waitFor();
  send();
  await dialog.getByRole('link', { name: 'Settings' }).waitFor();
  await press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(await focused().getAttribute('aria-label')).toBe('More about A title');

  await page.setViewportSize({ width: 390, height: 844 });
  const menu = page.getByRole('button', { name: 'Menu' });
  await menu.focus();
  await press('Enter');
  await press('Tab');
  expect(await focused().textContent()).toBe('Projects');
  await press('Escape');
  expect(await focused().textContent()).toBe('Menu');
});

test('with the keyboard alone, a program gets events, a test, a new secret, and its end', async () => {
  receiver.answer = (response) => response.writeHead(500).end('broken');
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(viewAt('/webhooks'));
  await page.getByText('Events are sent nowhere.').waitFor();
  await tabTo('input[name="url"]');
  await page.keyboard.type(receiver.url);
  await press('Enter');
  await page.locator('section [role=status] code').waitFor();
  await page.locator('section.card :focus').waitFor();

  const row = page.getByRole('main').getByRole('listitem').first();
  const act = async (name: string) => {
    await tabToButton(name);
    await press('Enter');
  };
  await act('Send a test');
  const failed = row.getByRole('listitem').filter({ hasText: 'answer 500: broken' });
  await failed.waitFor();
  await expectFocus('Send a test');

  receiver.answer = (response) => response.writeHead(204).end();
  await act('Send again');
  await row.getByText(/test · arrived/).waitFor({ timeout: 150_000 });
  await row.locator(':focus').waitFor();

  await act('What was sent');
  await row.getByRole('listitem').first().waitFor({ state: 'detached' });
  await expectFocus('What was sent');
  await act('New secret');
  await row.getByText('The new secret is shown only once.').waitFor();
  await expectFocus('New secret');
  await act('Copy');
  await act('Switch off');
  await row.getByText('Off', { exact: true }).waitFor();
  await expectFocus('Switch on');

  await act('Delete');
  const question = page.getByRole('dialog');
  await question.waitFor();
  await press('Escape');
  await dialogGone();
  await expectFocus('Delete');
  await press('Enter');
  await question.waitFor();
  await act('Delete');
  await page.getByText('Events are sent nowhere.').waitFor();
  await page.locator('main :focus, main:focus').waitFor();
});

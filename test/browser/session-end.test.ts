import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { anEmail, codeSentTo, get, signIn } from '../fixtures/accounts/accounts.ts';
import { created } from '../fixtures/projects/projects.ts';
import { expectGoodLayout, openPage } from './support/chromium.ts';
import { signInOn, viewAt } from './support/dashboard.ts';
import { browser } from './support/own-browser.ts';

let page: Page;
let email: string;
let key: string;
let projectId: string;

beforeEach(async () => {
  email = anEmail();
  key = await signIn(email);
  ({ projectId } = await created(key));
  page = await openPage(browser);
  await page.goto(viewAt(`/projects/${projectId}/settings`));
  await signInOn(page, email);
  await title().waitFor();
});
afterEach(() => page.context().close());

const title = () => page.getByLabel('Title', { exact: true });
const dialog = () => page.getByRole('dialog', { name: 'Your sign-in has ended' });
const press = (name: string) => page.getByRole('button', { name, exact: true }).click();

/** Types a title, and saves it after the session has ended. */
async function saveSignedOut(text: string): Promise<void> {
  await title().fill(text);
  await page.context().clearCookies();
  await press('Save');
  await dialog().waitFor();
}

test('a session that ended is opened again over the page, and what was typed is saved', async () => {
  await saveSignedOut('Spring fair');
  await expectGoodLayout(page, 'session-end');
  await press('Send the code');
  const code = dialog().getByLabel('Six-digit code');
  await code.waitFor();
  await code.fill('000000');
  await dialog().getByText('This is not the code that we sent.').waitFor();
  await code.fill(await codeSentTo(email));
  await page.getByRole('status').getByText('Saved').waitFor();
  await dialog().waitFor({ state: 'detached' });
  expect((await get(`/v1/projects/${projectId}`, key)).json.data.title).toBe('Spring fair');
});

test('Escape leaves the page as it is; a sign-in in another tab lets it go on', async () => {
  await saveSignedOut('Autumn fair');
  await page.keyboard.press('Escape');
  await page.getByText('You are signed out.').waitFor();
  expect(await title().inputValue()).toBe('Autumn fair');
  await press('Save');
  await dialog().waitFor();
  const tab = await page.context().newPage();
  await tab.goto(viewAt('/account'));
  await signInOn(tab, email);
  await tab.getByRole('heading', { name: 'Signed-in browsers' }).waitFor();
  await page.getByRole('status').getByText('Saved').waitFor();
  await dialog().waitFor({ state: 'detached' });
  expect((await get(`/v1/projects/${projectId}`, key)).json.data.title).toBe('Autumn fair');
});

const tides = {
  name: 'index.html',
  mimeType: 'text/html',
  buffer: Buffer.from('<h1>Tides</h1>'),
};
const chosenFiles = () => page.locator('main input[type=file]').first();

/** Signs in again in the dialog. */
async function goOn(): Promise<void> {
  await dialog().waitFor();
  const former = await codeSentTo(email);
  await press('Send the code');
  const field = dialog().getByLabel('Six-digit code');
  await field.waitFor();
  let code = former;
  while (code === former) code = await codeSentTo(email);
  await field.fill(code);
}

test('files that are chosen after the session has ended are published after the sign-in', async () => {
  await page.goto(viewAt(`/projects/${projectId}/versions`));
  await page.getByText('Version 1').waitFor();
  await page.context().clearCookies();
  await chosenFiles().setInputFiles(tides);
  await goOn();
  await page.getByText('Version 2').first().waitFor();
});

test('a session that ends while files are stored is opened again, and the draft is shown', async () => {
  await page.goto(viewAt(`/projects/${projectId}/versions`));
  await page.getByText('Version 1').waitFor();
  let isOver = false;
  await page.route(/\/v1\/uploads\/[^/]+$/, async (route) => {
    if (!isOver) await page.context().clearCookies();
    isOver = true;
    await route.continue();
  });
  await chosenFiles().setInputFiles(tides);
  await goOn();
  await page.getByRole('heading', { name: 'Version 2 is a draft' }).waitFor();
  expect(await page.getByText('This is not here any more.').count()).toBe(0);
});

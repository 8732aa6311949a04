import { afterAll, afterEach, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { anEmail, codeSentTo, get, post, signIn } from '../fixtures/accounts/accounts.ts';
import { commandClientId, oauthPaths } from '../../contract/oauth/oauth-paths.ts';
import { ask, baseUrl } from '../fixtures/clouds/client.ts';
import { created } from '../fixtures/projects/projects.ts';
import { expectGoodLayout, openPage, startChromium } from './support/chromium.ts';
import { askForCode } from './support/claim-steps.ts';
import { signInOn, viewAt } from './support/dashboard.ts';
import { type OwnAddress, ownAddress } from './support/own-address.ts';

jest.setTimeout(600_000);

let address: OwnAddress;
let browser: Browser;
let page: Page;
let email: string;
let key: string;
let projectId: string;

beforeAll(async () => {
  address = await ownAddress();
  browser = await startChromium(address);
}, 600_000);
afterAll(() => browser?.close());
beforeEach(async () => {
  // An address gets ten codes in an hour.
  address.change();
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

const salaries = { ...tides, name: 'salaries.html', buffer: Buffer.from('<h1>Salaries</h1>') };
const uploadCards = () => page.getByRole('heading', { name: /^Publishing|^Your link/ });
const putOffSeconds = 3600;

/** Opens the projects, and chooses a file that the service refuses for an hour. */
async function chooseLater(): Promise<void> {
  await page.clock.install();
  await page.goto(viewAt('/'));
  await chosenFiles().setInputFiles(tides);
  await uploadCards().getByText('Your link is live').waitFor();
  await page.route('**/v1/uploads', (route) =>
    route.fulfill({
      status: 429,
      json: {
        status: 'error',
        code: 'RATE_LIMITED',
        error: 'Too many requests.',
        nextStep: 'Wait.',
        retryAfterSeconds: putOffSeconds,
      },
    }),
  );
  await chosenFiles().setInputFiles(salaries);
  await page.getByText('They are sent by themselves').waitFor();
  await page.unroute('**/v1/uploads');
}

/** The titles of the account whose session this browser has. */
function titles(): Promise<string[]> {
  return page.evaluate(
    `fetch('/v1/projects').then(async (answer) => (await answer.json()).data.projects.map(({ title }) => title))`,
  );
}

test('another address that signs in in the tab gets nothing of the former account', async () => {
  await chooseLater();
  await page.context().clearCookies();
  await chosenFiles().setInputFiles(tides);
  await dialog().waitFor();
  await press('Use another address');
  await signInOn(page, anEmail());
  await page.getByText('Nothing here yet').waitFor();
  expect(await uploadCards().allTextContents()).toEqual([]);
  const kept = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])');
  expect(kept).not.toMatch(/thumbnail|salaries/);
  expect(kept).not.toContain(email);
  await page.clock.fastForward(putOffSeconds * 1000);
  await page.waitForTimeout(3000);
  expect(await uploadCards().allTextContents()).toEqual([]);
  expect(await titles()).toEqual([]);
});

test('the same address that signs in again in the tab goes on with its uploads', async () => {
  await chooseLater();
  await page.context().clearCookies();
  await chosenFiles().setInputFiles(tides);
  await dialog().waitFor();
  await press('Use another address');
  await signInOn(page, email);
  await page.getByText('They are sent by themselves').waitFor();
  await page.clock.fastForward(putOffSeconds * 1000);
  await page.getByRole('link', { name: 'salaries' }).first().waitFor();
  expect(await titles()).toContain('salaries');
});

test('an upload is not published by an account that signs in elsewhere in the browser', async () => {
  await chooseLater();
  const next = anEmail();
  await post('/v1/auth/otp/request', { email: next });
  // Like the forms of other pages, this tells no tab of the app.
  const tab = await page.context().newPage();
  await tab.goto(baseUrl);
  const session = { email: next, code: await codeSentTo(next) };
  const request = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(session),
  };
  expect(
    await tab.evaluate(
      `fetch('/v1/session', ${JSON.stringify(request)}).then(({ status }) => status)`,
    ),
  ).toBe(200);
  await page.clock.fastForward(putOffSeconds * 1000);
  await page.getByRole('alert').getByText('Another account is signed in').waitFor();
  expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
  expect(await titles()).toEqual([]);
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))");
  await page.getByRole('navigation').getByText(next).waitFor();
  expect(await uploadCards().allTextContents()).toEqual([]);
});

test('a tab that is looked at notices at once who has signed in on the page of a program', async () => {
  const { json } = await ask(baseUrl + oauthPaths.deviceAuthorization, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: `client_id=${commandClientId}`,
  });
  const tab = await page.context().newPage();
  await tab.goto(json.verification_uri_complete);
  await tab.getByRole('button', { name: 'Use another account' }).click();
  const looks = "document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))";
  await page.evaluate(looks);
  await dialog().waitFor();
  const next = anEmail();
  await tab.getByLabel('Code from the e-mail').fill(await askForCode(tab, baseUrl, next));
  await tab.keyboard.press('Enter');
  await tab.getByRole('button', { name: 'Allow', exact: true }).waitFor();
  await page.evaluate(looks);
  await page.getByRole('navigation').getByText(next).waitFor();
  expect(await dialog().count()).toBe(0);
});

test('files that wait for the sign-in of another tab are not published by this one', async () => {
  await page.context().clearCookies();
  const tab = await page.context().newPage();
  for (const [at, name] of [
    [page, 'mine.html'],
    [tab, 'theirs.html'],
  ] as const) {
    await at.goto(baseUrl);
    const maxBytes = Number(await at.locator('#launch').getAttribute('data-max-bytes'));
    await at
      .locator('#files')
      .setInputFiles({ ...tides, name, buffer: Buffer.alloc(maxBytes + 1, 'a') });
    await at.getByRole('button', { name: 'Sign in and publish' }).click();
    await at.getByLabel('E-mail address').waitFor();
  }
  await signInOn(page, anEmail());
  await page.getByText('Nothing here yet').waitFor();
  await page.waitForTimeout(3000);
  expect(await uploadCards().allTextContents()).toEqual([]);
  expect(await titles()).toEqual([]);
});

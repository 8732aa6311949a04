import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { anEmail, get, signIn } from '../fixtures/accounts/accounts.ts';
import { baseUrl } from '../fixtures/clouds/client.ts';
import { created, temporary } from '../fixtures/projects/projects.ts';
import { expectGoodLayout, openPage } from './support/chromium.ts';
import {
  askForCode,
  claimed,
  heading,
  keepIt,
  pageErrorsExcept,
  wrongCodeFor,
} from './support/claim-steps.ts';
import { browser } from './support/own-browser.ts';
import { watch } from './support/watch.ts';

let page: Page;
let pageErrors: string[];

beforeAll(async () => {
  page = await openPage(browser);
  pageErrors = watch(page, new URL(baseUrl).host);
}, 600_000);

const aClaimUrl = async (): Promise<string> => (await temporary()).claimUrl;

test('every page fits in both color schemes and widths', async () => {
  const email = anEmail();
  const claimUrl = await aClaimUrl();
  await page.goto(claimUrl);
  await look('page', 'Keep this project');
  const code = await askForCode(page, baseUrl, email);
  await look('code', 'Enter the code');
  await keepIt(page, wrongCodeFor(code));
  await page.getByRole('alert').waitFor();
  await look('code-wrong', 'Enter the code');
  await keepIt(page, code);
  await claimed(page);
  // The project's page may still be reading, and must not do so signed out.
  await page.goto('about:blank');
  await page.context().clearCookies();
  expect(pageErrorsExcept(pageErrors, 401)).toEqual([]);

  pageErrors.length = 0;
  expect((await page.goto(claimUrl))?.status()).toBe(409);
  await look('used', 'This project is in an account already');
  expect(pageErrorsExcept(pageErrors, 409)).toEqual([]);

  pageErrors.length = 0;
  const unknown = `${baseUrl}/claim/${'A'.repeat(43)}`;
  expect((await page.goto(unknown))?.status()).toBe(404);
  await look('unknown', 'This link does not work');
  expect(pageErrorsExcept(pageErrors, 404)).toEqual([]);

  pageErrors.length = 0;
  await fill(email);
  await page.goto(await aClaimUrl());
  await keepIt(page, await askForCode(page, baseUrl, email));
  await look('no-room', 'Your plan’s project limit is reached');
  expect(pageErrorsExcept(pageErrors, 403)).toEqual([]);
  await page.getByRole('link', { name: 'Try again' }).click();
  await heading(page, 'Keep this project');
});

/** Creates as many projects as the plan still allows. */
async function fill(email: string): Promise<void> {
  const key = await signIn(email);
  const { limit, used } = (await get('/v1/user', key)).json.data.quota.projects;
  await Promise.all(Array.from({ length: limit - used }, () => created(key)));
}

async function look(name: string, title: string): Promise<void> {
  await heading(page, title);
  await expectGoodLayout(page, `claim-${name}`);
}

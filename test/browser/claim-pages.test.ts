import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { anEmail } from '../fixtures/accounts/accounts.ts';
import { LocalCloud } from '../fixtures/clouds/local-cloud.ts';
import { temporary } from '../fixtures/projects/projects.ts';
import { expectWhole, openPage, startChromium } from './support/chromium.ts';
import { askForCode, heading, keepIt, troublesBut, wrong } from './support/claim-steps.ts';
import { watch } from './support/watch.ts';

jest.setTimeout(60_000);

/** Of its own, because an account on trial can keep a single project here. */
const cloud = new LocalCloud('plans.pro.maxProjects=1');
let browser: Browser;
let page: Page;
let troubles: string[];

beforeAll(async () => {
  [browser] = await Promise.all([startChromium(), cloud.start()]);
  page = await openPage(browser);
  troubles = watch(page, new URL(cloud.baseUrl).host);
}, 180_000);

afterAll(async () => {
  await browser?.close();
  await cloud.remove();
});

const aClaimUrl = async (): Promise<string> => (await temporary(undefined, cloud.baseUrl)).claimUrl;

test('every page is whole in both schemes and widths', async () => {
  const email = anEmail();
  const claimUrl = await aClaimUrl();
  await page.goto(claimUrl);
  await look('page', 'Keep this project');
  const code = await askForCode(page, cloud.baseUrl, email);
  await look('code', 'Enter the code');
  await keepIt(page, wrong(code));
  await page.getByRole('alert').waitFor();
  await look('code-wrong', 'Enter the code');
  await keepIt(page, code);
  await look('kept', 'The project is yours');
  expect(troublesBut(troubles, 401)).toEqual([]);

  troubles.length = 0;
  expect((await page.goto(claimUrl))?.status()).toBe(409);
  await look('used', 'This project is kept already');
  expect(troublesBut(troubles, 409)).toEqual([]);

  troubles.length = 0;
  const unknown = `${cloud.baseUrl}/claim/${'A'.repeat(43)}`;
  expect((await page.goto(unknown))?.status()).toBe(404);
  await look('unknown', 'This claim link does not work');
  expect(troublesBut(troubles, 404)).toEqual([]);

  troubles.length = 0;
  await page.goto(await aClaimUrl());
  await keepIt(page, await askForCode(page, cloud.baseUrl, email));
  await look('no-room', 'Your plan holds no more projects');
  expect(troublesBut(troubles, 403)).toEqual([]);
  await page.getByRole('link', { name: 'Try again' }).click();
  await heading(page, 'Keep this project');
});

async function look(name: string, title: string): Promise<void> {
  await heading(page, title);
  await expectWhole(page, `claim-${name}`);
}

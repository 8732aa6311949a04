import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { anEmail, mailsTo } from '../fixtures/accounts/accounts.ts';
import { operators } from '../fixtures/clouds/cloud-settings.ts';
import { expectNoOverflow, openPage, startChromium } from './support/chromium.ts';
import { seriousFindings, signInOn, viewAt } from './support/dashboard.ts';

jest.setTimeout(600_000);

let browser: Browser;
let page: Page;
const press = (name: string) => page.getByRole('button', { name, exact: true }).click();

beforeAll(async () => {
  browser = await startChromium();
  page = await openPage(browser);
  await page.goto(viewAt('/operator'));
  await signInOn(page, operators[2]);
  await page.getByRole('heading', { level: 1, name: 'Operator' }).waitFor();
}, 600_000);
afterAll(() => browser?.close());

test('an operator invites somebody, whose mail opens a page with the address', async () => {
  const email = anEmail();
  await page.getByText('Everybody can have an account.').waitFor();
  await page.getByLabel('E-mail address to invite').fill(email);
  await page.getByLabel('Plan').last().selectOption('Agency');
  await press('Invite');
  await page.getByText(`An invitation was sent to ${email}.`).waitFor();
  const row = page.locator('.row', { hasText: email });
  await row.getByText('Agency · invited').waitFor();
  expect(await seriousFindings(page, 'invitations')).toEqual([]);
  await expectNoOverflow(page, 'operator-invitations');
  const [mail] = await mailsTo(email);
  const [url = ''] = /https?:\S+sign-in\S+/.exec(mail.text) ?? [];
  const guest = await openPage(browser);
  await guest.goto(url);
  expect(await guest.getByLabel('E-mail address').inputValue()).toBe(email);
  await signInOn(guest, email);
  await guest.getByText('Nothing here yet').waitFor();
  await guest.context().close();
  await page.reload();
  await row.getByText('joined').waitFor();
});

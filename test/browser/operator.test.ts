import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { anEmail, get, mailsTo, signIn } from '../fixtures/accounts/accounts.ts';
import { ask, file } from '../fixtures/clouds/client.ts';
import { operators } from '../fixtures/clouds/cloud-settings.ts';
import { created } from '../fixtures/projects/projects.ts';
import { expectGoodLayout, openPage } from './support/chromium.ts';
import { signInOn, viewAt } from './support/dashboard.ts';
import { browser } from './support/own-browser.ts';

let page: Page;
const press = (name: string) => page.getByRole('button', { name, exact: true }).click();

beforeAll(async () => {
  page = await openPage(browser);
  await page.goto(viewAt('/operator'));
  await signInOn(page, operators[2]);
  await page.getByRole('heading', { level: 1, name: 'Operator' }).waitFor();
}, 600_000);
// Pictures leave the page narrow and dark.
beforeEach(async () => page.setViewportSize({ width: 1280, height: 844 }));

test('an operator invites somebody, whose mail opens a page with the address', async () => {
  const email = anEmail();
  await page.getByText('Everybody can have an account.').waitFor();
  await page.getByLabel('E-mail address to invite').fill(email);
  await page.getByLabel('Plan').last().selectOption('Agency');
  await press('Invite');
  await page.getByText(`An invitation was sent to ${email}.`).waitFor();
  const row = page.locator('.row', { hasText: email });
  await row.getByText('Agency · invited').waitFor();
  await expectGoodLayout(page, 'operator-invitations');
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

test('an operator looks at a reported page in a frame, takes it down with a reason, and finds it under “Handled”', async () => {
  const email = anEmail();
  const key = await signIn(email);
  const files = [file('index.html', '<h1>Your bank</h1>')];
  const { url, projectId } = await created(key, { fields: { title: 'A bank' }, files });
  const headers = { 'content-type': 'application/json' };
  const message = `Not a bank ${projectId}`;
  const body = JSON.stringify({ reason: 'phishing', message, url: `${url}/login` });
  expect((await ask(`${url}/_slipway/report`, { method: 'POST', headers, body })).status).toBe(202);
  await page.reload();
  await page.getByRole('link', { name: /^Operator \d+\+? reported projects?$/ }).waitFor();
  const row = page.locator('.row', { hasText: message });
  await row.getByText('Phishing: A bank').waitFor();
  await row.getByRole('button', { name: 'Show the page' }).click();
  const frame = row.locator('iframe');
  expect(await frame.getAttribute('sandbox')).toBe('allow-scripts');
  await row.frameLocator('iframe').getByRole('heading', { name: 'Your bank' }).waitFor();
  await expectGoodLayout(page, 'operator-report');

  await page.setViewportSize({ width: 1280, height: 844 });
  await row.getByRole('button', { name: email }).click();
  const account = page.locator('.row', { hasText: '1 project' });
  await account.getByLabel(`Plan of ${email}`).selectOption('Scale');
  await account.locator('select:enabled').waitFor();
  await account.locator('option:checked', { hasText: 'Scale' }).waitFor({ state: 'attached' });
  expect((await get('/v1/user', key)).json.data.plan).toMatchObject({ tier: 'scale' });

  await row.getByRole('button', { name: 'Take down' }).click();
  const reason = page.getByLabel('Reason, for the owner');
  expect(await reason.inputValue()).toBe('Phishing.');
  await reason.fill('It asks for the password of a bank.');
  await expectGoodLayout(page, 'operator-decision');
  await page.getByRole('dialog').getByRole('button', { name: 'Take down' }).click();
  await row.waitFor({ state: 'detached' });
  expect((await ask(url)).status).toBe(451);
  await press('Handled');
  await row.getByText('It asks for the password of a bank.').first().waitFor();

  const owner = await openPage(browser);
  await owner.goto(viewAt(`/projects/${projectId}`));
  await signInOn(owner, email);
  await owner.getByText('It asks for the password of a bank.').waitFor();
  await owner.getByRole('link', { name: 'Write to security@slipway.example' }).waitFor();
  await expectGoodLayout(owner, 'taken-down');
  await owner.context().close();
});

test('a suspended person reads why at the sign-in, and whom to write to', async () => {
  const email = anEmail();
  await created(await signIn(email), { files: [file('index.html')] });
  await page.reload();
  await page.getByLabel('E-mail address or account id').fill(email);
  await press('Find');
  const account = page.locator('.row', { hasText: '1 project ·' }).filter({ hasText: email });
  await account.getByRole('button', { name: 'Suspend' }).click();
  await page.getByLabel('Reason, for the owner').fill('It sends spam.');
  await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click();
  await account.getByRole('button', { name: 'Lift the suspension' }).waitFor();
  const owner = await openPage(browser);
  await owner.goto(viewAt('/'));
  await signInOn(owner, email);
  await owner.getByText('This account is suspended: It sends spam.').waitFor();
  await owner.getByRole('link', { name: 'Write to security@slipway.example' }).waitFor();
  await expectGoodLayout(owner, 'suspended');
  await owner.context().close();
});

import { expect, test } from '@jest/globals';
import { anEmail, signIn } from '../fixtures/accounts/accounts.ts';
import { baseUrl } from '../fixtures/clouds/client.ts';
import { created } from '../fixtures/projects/projects.ts';
import { expectGoodLayout, openPage } from './support/chromium.ts';
import { signInOn, viewAt } from './support/dashboard.ts';
import { browser } from './support/own-browser.ts';
import { watch } from './support/watch.ts';

test('an owner trusts what the command fills in, gets the lines for the job, and removes it', async () => {
  const email = anEmail();
  const { projectId } = await created(await signIn(email), { fields: { title: 'Harbour' } });
  const page = await openPage(browser);
  await page.goto(viewAt(`/keys?repository=octo%2Fsite&project=${projectId}`));
  await signInOn(page, email);
  const errors = watch(page, new URL(baseUrl).host);
  const form = page.locator('#publishers form');
  const select = (label: string) =>
    form.locator('label', { hasText: new RegExp(`^${label}`) }).locator('select');
  await page.getByText('You trust no repository.').waitFor();
  expect(await page.getByLabel('Repository').inputValue()).toBe('octo/site');
  expect(await page.getByRole('checkbox', { name: 'Harbour' }).isChecked()).toBe(true);
  await select('For').selectOption('One environment');
  await page.getByLabel('Environment', { exact: true }).fill('prod');
  await page.getByRole('button', { name: 'Trust it' }).click();
  const lines = (await page.locator('[role=status] pre').textContent()) ?? '';
  expect(lines).toMatch(/id-token: write[^]*publisher: [0-9a-f-]{36}$/);
  const row = page.getByRole('listitem').filter({ hasText: 'octo/site' });
  await row.getByText('GitHub · environment prod · in one project · never used').waitFor();
  await expectGoodLayout(page, 'dashboard-publishers');
  await select('At').selectOption('GitLab');
  expect(await select('For').locator('option').allTextContents()).toEqual([
    'One branch',
    'Pull requests',
  ]);
  await row.getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByText('You trust no repository.').waitFor();
  expect(errors).toEqual([]);
});

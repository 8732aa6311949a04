import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { anEmail, signIn } from '../fixtures/accounts/accounts.ts';
import { ask, baseUrl } from '../fixtures/clouds/client.ts';
import { CustomerDomain } from '../fixtures/domains/customer-domain.ts';
import { created } from '../fixtures/projects/projects.ts';
import { expectGoodLayout, openPage } from './support/chromium.ts';
import { press } from './support/claim-steps.ts';
import { signInOn, viewAt } from './support/dashboard.ts';
import { browser } from './support/own-browser.ts';

let page: Page;

beforeAll(async () => {
  page = await openPage(browser);
}, 600_000);

test('a domain is added as it was pasted, its records are sent to others, and a project is put on it and at the bare domain', async () => {
  const email = anEmail();
  const key = await signIn(email);
  const domain = new CustomerDomain(baseUrl, key);
  const { projectId, slug } = await created(key, { fields: { title: 'Harbour report' } });
  await page.goto(viewAt('/domains'));
  await signInOn(page, email);
  const field = page.getByLabel('Domain', { exact: true });
  await field.fill('https://co.uk/');
  await press(page, 'Add');
  await page.getByText('Anybody can register names below this one.').waitFor();
  expect(await field.getAttribute('aria-invalid')).toBe('true');
  await field.fill(` https://www.${domain.name}/fair?x=1`);
  await press(page, 'Add');
  await page.getByRole('heading', { level: 1, name: domain.name }).waitFor();
  domain.id = page.url().split('/').at(-1) ?? '';
  const { records } = await domain.shown();
  const mail = page.getByRole('link', { name: 'Send these records to your IT' });
  const { searchParams } = new URL((await mail.getAttribute('href')) ?? '');
  expect(searchParams.get('subject')).toBe(`DNS records for ${domain.name}`);
  expect(searchParams.get('body')).toContain(
    `Type: TXT\r\nName: ${records[0].name}\r\nValue: ${records[0].value}`,
  );
  await page.getByText('You can add projects when the domain is verified.').waitFor();
  await domain.verify();
  await page.reload();
  await page.getByLabel('Add a project').selectOption('Harbour report');
  await page.getByText(`The new address will be https://${slug}.${domain.name}.`).waitFor();
  await press(page, 'Add it to this domain');
  await page.getByText(`${slug}.${domain.name}`, { exact: true }).waitFor();
  expect((await ask(`${domain.url(slug)}/`)).status).toBe(200);
  const changed = page.waitForResponse((answer) => answer.request().method() === 'PATCH');
  await page.getByLabel(`What visitors of ${domain.name} see`).selectOption('Harbour report');
  expect((await changed).status()).toBe(200);
  await page.getByText('Leads visitors of the bare domain here').waitFor();
  expect(await domain.shown()).toMatchObject({ rootProjectId: projectId });
  await expectGoodLayout(page, 'domain');
});

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { anEmail, get, signIn } from '../fixtures/accounts/accounts.ts';
import { baseUrl } from '../fixtures/clouds/client.ts';
import { created } from '../fixtures/projects/projects.ts';
import { Receiver } from '../fixtures/webhooks/receiver.ts';
import { expectGoodLayout, openPage } from './support/chromium.ts';
import { signInOn, viewAt } from './support/dashboard.ts';
import { browser } from './support/own-browser.ts';
import { watch } from './support/watch.ts';

let receiver: Receiver;
beforeAll(async () => {
  receiver = await new Receiver().start();
}, 600_000);
afterAll(() => receiver?.close());

test('an owner sends events to a program, tests it, sees the answer, and ends it', async () => {
  const email = anEmail();
  const apiKey = await signIn(email);
  const { projectId } = await created(apiKey);
  receiver.answer = (response) => response.writeHead(200).end('thank you');
  const page = await openPage(browser);
  await page.goto(viewAt('/account'));
  await signInOn(page, email);
  const errors = watch(page, new URL(baseUrl).host);
  await page.getByRole('link', { name: 'Choose programs and events' }).click();
  await page.getByText('Events are sent nowhere.').waitFor();
  await page.getByLabel('Address of the program').fill(receiver.url);
  await page.getByLabel('a limit of your plan is nearly reached').check();
  await page.getByLabel('Events of').selectOption({ label: 'A title' });
  expect(await page.getByLabel('a limit of your plan').count()).toBe(0);
  await page.getByLabel('the operator takes a project down').check();
  await page.getByLabel('people open a project').check();
  await page.getByRole('button', { name: 'Send events there' }).click();
  const secret = page.locator('section [role=status] code');
  expect(await secret.textContent()).toMatch(/^whsec_/);
  const row = page
    .getByRole('listitem')
    .filter({ hasText: new URL(receiver.url).host })
    .first();
  await row
    .getByText(
      'A title: a version is published · people open a project · the operator takes a project down',
    )
    .waitFor();
  const { webhooks } = (await get('/v1/webhooks', apiKey)).json.data;
  const events = ['version.published', 'project.opened', 'project.taken_down'];
  expect(webhooks).toMatchObject([{ projectId, events }]);
  await row.getByRole('button', { name: 'Send a test' }).click();
  await row.getByText('answer 200: thank you').waitFor();
  await row.getByText(/test · arrived/).waitFor();
  expect(receiver.got.map(({ json }) => json.type)).toEqual(['webhook.test']);
  receiver.answer = (response) => response.writeHead(500).end('broken');
  await row.getByRole('button', { name: 'Send a test' }).click();
  const refused = row.getByRole('listitem').filter({ hasText: 'answer 500: broken' });
  await refused.getByText(/test · waits .* next try/).waitFor();
  receiver.answer = (response) => response.writeHead(204).end();
  await refused.getByRole('button', { name: 'Send again' }).click();
  await refused.waitFor({ state: 'detached', timeout: 150_000 });
  expect(await row.getByText(/test · arrived/).count()).toBe(2);
  await row.getByRole('button', { name: 'New secret' }).click();
  await row.getByText('The new secret is shown only once.').waitFor();
  expect(await row.locator('[role=status] code').textContent()).toMatch(/^whsec_/);
  await expectGoodLayout(page, 'dashboard-webhooks');
  await row.getByRole('button', { name: 'Switch off' }).click();
  await row.getByText('Off', { exact: true }).waitFor();
  await row.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText('Events are sent nowhere.').waitFor();
  expect(errors).toEqual([]);
});

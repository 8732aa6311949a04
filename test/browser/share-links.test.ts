import { expect, test } from '@jest/globals';
import { anEmail, mailsTo, signIn } from '../fixtures/accounts/accounts.ts';
import { baseUrl, file } from '../fixtures/clouds/client.ts';
import { created } from '../fixtures/projects/projects.ts';
import { firefox } from '../fixtures/visits/hits.ts';
import { expectGoodLayout, openPage } from './support/chromium.ts';
import { signInOn, viewAt } from './support/dashboard.ts';
import { browser } from './support/own-browser.ts';
import { watch } from './support/watch.ts';

test('an owner creates a link, a reader opens it once, and the owner sees that and ends it', async () => {
  const email = anEmail();
  const key = await signIn(email);
  const { projectId, url } = await created(key, {
    files: [file('index.html', '<!doctype html><title>Calm</title><h1>For Anna')],
    fields: { access: 'private' },
  });
  const owner = await openPage(browser);
  await owner.goto(viewAt(`/projects/${projectId}/links`));
  await signInOn(owner, email);
  await owner.getByText('This project has no share links.').waitFor();
  const errors = watch(owner, new URL(baseUrl).host);
  await owner.getByLabel('Who is it for?').fill('Anna');
  await owner.getByLabel('Number of opens').fill('1');
  await owner.getByRole('button', { name: 'Create a link', exact: true }).click();
  const link = (await owner.locator('[role=status] code').textContent()) ?? '';
  expect(link.startsWith(`${url}/_slipway/share/`)).toBe(true);
  await owner.getByText('used 0 of 1 time').waitFor();
  await expectGoodLayout(owner, 'dashboard-links');

  // Headless browsers say so in their user agent, and are bots.
  const reader = await openPage(browser, { userAgent: firefox });
  await reader.goto(link);
  expect(await reader.title()).not.toContain('Calm');
  await reader.getByRole('button', { name: 'Open the page' }).click();
  await reader.getByRole('heading', { name: 'For Anna' }).waitFor();
  expect(reader.url()).toBe(`${url}/`);
  await reader.reload();
  await reader.getByRole('heading', { name: 'For Anna' }).waitFor();
  const late = await openPage(browser, { userAgent: firefox });
  await late.goto(link);
  await late.getByRole('heading', { name: 'This link has been used up' }).waitFor();

  await owner.reload();
  await owner.getByText('used 1 of 1 time').waitFor();
  await owner.getByRole('button', { name: 'Change', exact: true }).click();
  await owner.locator('li').getByLabel('Number of opens').fill('2');
  await owner.getByRole('button', { name: 'Save', exact: true }).click();
  await owner.getByText('used 1 of 2 times').waitFor();
  await owner.getByRole('button', { name: 'Delete', exact: true }).click();
  await owner.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await owner.getByText('This project has no share links.').waitFor();
  const ended = await reader.goto(`${url}/`);
  expect(ended?.status()).toBe(401);
  expect(errors).toEqual([]);
});

test('an owner sees by which link it was opened, and stops the e-mails about it', async () => {
  const email = anEmail();
  const { projectId } = await created(await signIn(email), {
    files: [file('index.html', '<!doctype html><title>Calm</title>')],
    fields: { access: 'private' },
  });
  const owner = await openPage(browser);
  await owner.goto(viewAt(`/projects/${projectId}/links`));
  await signInOn(owner, email);
  await owner.getByLabel('Who is it for?').fill('Anna');
  await owner.getByLabel('E-mail me').selectOption('When it is opened for the first time');
  await owner.getByRole('button', { name: 'Create a link', exact: true }).click();
  const link = (await owner.locator('[role=status] code').textContent()) ?? '';
  const reader = await openPage(browser, { userAgent: firefox });
  const content = "Object.defineProperty(Navigator.prototype, 'webdriver', { get: () => false })";
  await reader.addInitScript({ content });
  await reader.goto(link);
  // An open is known within a minute, and a mail is sent then.
  const isTold = async () =>
    (await mailsTo(email)).find(({ text }) => text.includes('/mails/stop/'));
  for (let tries = 0; tries < 120 && (await isTold()) === undefined; tries += 1) {
    await owner.waitForTimeout(500);
  }
  await owner.reload();
  await owner.getByText('1 open · last opened').waitFor();
  await owner.getByRole('link', { name: 'Overview' }).click();
  await owner.getByRole('columnheader', { name: 'Who' }).waitFor();
  await owner.getByRole('cell', { name: 'Anna', exact: true }).waitFor();
  await owner.getByRole('link', { name: 'Versions' }).click();
  await owner.getByText('Version 1').waitFor();
  // A feed reader cannot read the feed of a private project.
  expect(await owner.getByRole('link', { name: 'feed reader' }).count()).toBe(0);
  const [stop = ''] = /\S+\/mails\/stop\/\S+/.exec((await isTold())?.text) ?? [];
  const elsewhere = await openPage(browser);
  await elsewhere.goto(stop);
  await elsewhere.getByRole('button', { name: 'Stop these e-mails' }).click();
  await elsewhere.getByRole('heading', { name: 'No more of these e-mails' }).waitFor();
  await owner.goto(viewAt(`/projects/${projectId}/links`));
  await owner.getByRole('button', { name: 'Change', exact: true }).click();
  expect(await owner.locator('li').getByLabel('E-mail me').inputValue()).toBe('off');
});

import { expect, test } from '@jest/globals';
import { anEmail, codeSentTo, signIn } from '../fixtures/accounts/accounts.ts';
import { baseUrl, file } from '../fixtures/clouds/client.ts';
import { created } from '../fixtures/projects/projects.ts';
import { firefox } from '../fixtures/visits/hits.ts';
import { expectGoodLayout, openPage } from './support/chromium.ts';
import { signInOn, viewAt } from './support/dashboard.ts';
import { browser } from './support/own-browser.ts';
import { watch } from './support/watch.ts';

test('an owner lets some people in, one of them comes with a code, and the owner sees that and ends it', async () => {
  const [email, visitorEmail] = [anEmail(), anEmail()];
  const { projectId, url } = await created(await signIn(email), {
    files: [file('index.html', '<!doctype html><title>Calm</title><h1>For Anna')],
  });
  const owner = await openPage(browser);
  await owner.goto(viewAt(`/projects/${projectId}`));
  await signInOn(owner, email);
  const errors = watch(owner, new URL(baseUrl).host);
  await owner.getByLabel('Who can see it').selectOption('Only these people');
  await owner.getByLabel('E-mail addresses').fill(`${visitorEmail}\n@example.com`);
  await owner.getByRole('button', { name: 'Let these people in' }).click();
  await owner.getByText('Nobody has proved an address yet.').waitFor();
  await expectGoodLayout(owner, 'dashboard-people');

  const reader = await openPage(browser, { userAgent: firefox });
  await reader.goto(`${url}/items/9?x=1#frag`);
  expect(await reader.title()).not.toContain('Calm');
  await expectGoodLayout(reader, 'visitor-address');
  await reader.getByLabel('E-mail address').fill(visitorEmail);
  await reader.getByRole('button', { name: 'Send me a code' }).click();
  await reader.getByRole('heading', { name: 'Enter the code' }).waitFor();
  await expectGoodLayout(reader, 'visitor-code');
  const code = await codeSentTo(visitorEmail);
  await reader.getByLabel('Code from the e-mail').fill(code === '000000' ? '111111' : '000000');
  await reader.getByRole('button', { name: 'Open the page' }).click();
  await reader.getByText('This is not the code').waitFor();
  await expectGoodLayout(reader, 'visitor-code-wrong');
  await reader.getByLabel('Code from the e-mail').fill(` ${code.slice(0, 3)} ${code.slice(3)}`);
  await reader.getByRole('button', { name: 'Open the page' }).click();
  await reader.getByRole('heading', { name: 'For Anna' }).waitFor();
  expect(reader.url()).toBe(`${url}/items/9?x=1#frag`);
  await reader.reload();
  await reader.getByRole('heading', { name: 'For Anna' }).waitFor();

  const colleagueEmail = visitorEmail.replace('.org', '.com');
  const colleague = await openPage(browser, { userAgent: firefox });
  await colleague.goto(url);
  await colleague.getByLabel('E-mail address').fill(colleagueEmail);
  await colleague.getByRole('button', { name: 'Send me a code' }).click();
  await colleague.getByLabel('Code from the e-mail').waitFor();
  await colleague.getByLabel('Code from the e-mail').fill(await codeSentTo(colleagueEmail));
  await colleague.getByRole('button', { name: 'Open the page' }).click();
  await colleague.getByRole('heading', { name: 'For Anna' }).waitFor();

  await owner.reload();
  await owner.getByText(visitorEmail, { exact: true }).first().waitFor();
  await expectGoodLayout(owner, 'dashboard-people-came');
  await owner.getByRole('button', { name: `End access of ${visitorEmail}` }).click();
  await owner.getByRole('dialog').getByRole('button', { name: 'End access' }).click();
  await owner.getByText(visitorEmail, { exact: true }).waitFor({ state: 'detached' });
  expect((await reader.goto(`${url}/items/9`))?.status()).toBe(401);
  expect((await colleague.reload())?.status()).toBe(200);

  await owner.getByLabel('Who can see it').selectOption('Anyone who proves an e-mail address');
  await owner.getByText('Saved').waitFor();
  await owner.getByText('Never let in').first().click();
  await owner.getByRole('textbox', { name: 'Never let in' }).fill(colleagueEmail);
  const saved = owner.waitForResponse((answer) => answer.request().method() === 'PATCH');
  await owner.getByRole('button', { name: 'Save', exact: true }).click();
  expect((await saved).status()).toBe(200);
  expect((await colleague.reload())?.status()).toBe(401);
  await expectGoodLayout(owner, 'dashboard-identify');
  expect(errors).toEqual([]);
});

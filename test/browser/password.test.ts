import { expect, jest, test } from '@jest/globals';
import { signIn } from '../fixtures/accounts/accounts.ts';
import { file } from '../fixtures/clouds/client.ts';
import { created } from '../fixtures/projects/projects.ts';
import { openPage } from './support/chromium.ts';
import { browser } from './support/own-browser.ts';

jest.setTimeout(120_000);

test('the password leads to the whole address, with query and fragment, also after a wrong one (fault 4)', async () => {
  const { url } = await created(await signIn(), {
    files: [file('index.html', '<!doctype html><title>App</title><h1>App</h1>')],
    fields: { access: 'password', password: 'open sesame' },
  });
  const page = await openPage(browser, {});
  await page.goto(`${url}/items/9?x=1#frag`);
  for (const password of ['wrong', 'open sesame']) {
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Open the page' }).click();
    if (password === 'wrong') await page.getByText('The password is wrong').waitFor();
  }
  await page.getByRole('heading', { name: 'App' }).waitFor();
  expect(page.url()).toBe(`${url}/items/9?x=1#frag`);
  await page.context().close();
});

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

test('a page at a neighbouring address gets nothing of a site that its visitor may see', async () => {
  const { url } = await created(await signIn(), {
    files: [
      file(
        'index.html',
        '<!doctype html><title>Plan</title><h1>Plan</h1><script src="own.js"></script>',
      ),
      file('own.js', 'document.title = "Ours"; globalThis.stolen = "the plan";'),
      file('own.css', 'h1 { color: rgb(1, 2, 3) }'),
    ],
    fields: { access: 'password', password: 'open sesame' },
  });
  const thief = await created(await signIn(), {
    files: [
      file(
        'index.html',
        `<!doctype html><title>Thief</title><link rel="stylesheet" href="${url}/own.css"><h1>Thief</h1><script src="${url}/own.js"></script><iframe src="${url}/"></iframe><script>document.title = String(globalThis.stolen) + getComputedStyle(document.querySelector("h1")).color</script>`,
      ),
    ],
  });
  const page = await openPage(browser, {});
  await page.goto(url);
  await page.getByLabel('Password').fill('open sesame');
  await page.getByRole('button', { name: 'Open the page' }).click();
  await page.waitForFunction('document.title === "Ours"');
  await page.goto(thief.url);
  await page.waitForFunction('document.readyState === "complete"');
  expect(await page.title()).toBe('undefinedrgb(0, 0, 0)');
  expect(await page.frameLocator('iframe').getByRole('heading').count()).toBe(0);
  // A link to it opens it.
  await page.evaluate(`location.href = ${JSON.stringify(url)}`);
  await page.waitForFunction('document.title === "Ours"');
  await page.context().close();
});

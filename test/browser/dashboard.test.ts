import { afterAll, afterEach, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { anEmail, codeSentTo, get } from '../fixtures/accounts/accounts.ts';
import { baseUrl } from '../fixtures/clouds/client.ts';
import { openPage, picture, startChromium } from './support/chromium.ts';
import { watch } from './support/watch.ts';

jest.setTimeout(600_000);

let browser: Browser;
let page: Page;
let pageErrors: string[];

beforeAll(async () => {
  browser = await startChromium();
}, 600_000);
afterAll(() => browser?.close());
beforeEach(async () => {
  page = await openPage(browser);
  pageErrors = watch(page, new URL(baseUrl).host);
});
afterEach(() => page.context().close());

const at = (path: string) => `${baseUrl}/dashboard${path}`;
const button = (name: string) => page.getByRole('button', { name, exact: true });

/** Signs in on the page that is open. */
async function signIn(email: string): Promise<void> {
  await page.getByLabel('E-mail address').fill(email);
  await button('Send the code').click();
  const code = page.getByLabel('Six-digit code');
  await code.waitFor();
  await code.fill(await codeSentTo(email));
  await button('Sign in').click();
}

/** What axe finds in both colour schemes, with the view's name. */
async function seriousFindings(view: string): Promise<string[]> {
  const findings: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    // The page's policy lets nobody add a script; the browser itself may.
    const { violations } = (await page.evaluate(`${axe.source}; axe.run()`)) as any;
    for (const { id, impact, nodes } of violations) {
      if (!/serious|critical/.test(impact)) continue;
      findings.push(`${view} (${colorScheme}): ${id} ${nodes[0].html}`);
    }
  }
  return findings;
}

test('a person signs in, publishes, makes and deletes a key, and leaves nothing for the next one', async () => {
  const email = anEmail();
  await page.goto(at('/keys'));
  await signIn(email);
  await page.getByRole('heading', { name: 'API keys', exact: true }).waitFor();
  await page.getByLabel('Name').fill('<img src=x onerror=alert(1)>');
  await button('Create a key').click();
  const key = (await page.locator('.address code').first().textContent()) ?? '';
  expect((await get('/v1/user', key)).status).toBe(200);
  await page.getByText('<img src=x onerror=alert(1)>').first().waitFor();
  await button('Delete').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('You have no keys.').waitFor();
  expect((await get('/v1/user', key)).status).toBe(401);
  await page.getByRole('link', { name: 'Projects', exact: true }).click();
  await page.getByLabel('Choose files').setInputFiles({
    name: 'harbour.html',
    mimeType: 'text/html',
    buffer: Buffer.from('<title>Harbour</title><h1>Calm</h1>'),
  });
  await page.getByRole('heading', { name: 'Your link is live' }).waitFor();
  await page.getByRole('link', { name: 'Manage' }).click();
  await page.getByRole('heading', { name: 'harbour' }).waitFor();
  expect(await page.evaluate('document.activeElement.tagName')).toBe('H1');
  await picture(page, 'dashboard-project');
  const address = page.url();
  await button('Sign out').click();
  await signIn(anEmail());
  await page.getByText('Nothing here yet').waitFor();
  expect(await page.content()).not.toContain('harbour');
  await page.goto(address);
  await page.getByRole('alert').waitFor();
  expect(await page.content()).not.toContain('harbour');
  // Files go straight to storage, which has an origin of its own.
  const expected = /40[14]|^foreign: \S+\/_local\/s3\//;
  expect(pageErrors.filter((one) => !expected.test(one))).toEqual([]);
});

test('no view has a serious fault for people with disabilities, in light and dark', async () => {
  const context = page.context();
  await page.goto(at('/'));
  const findings = await seriousFindings('sign-in');
  await signIn(anEmail());
  await page.getByText('Nothing here yet').waitFor();
  const views = ['', 'keys', 'upload-links', 'workspaces', 'connect', 'account'];
  for (const view of views) {
    await page.goto(at(`/${view}`));
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.locator('.skeleton').first().waitFor({ state: 'detached' });
    findings.push(...(await seriousFindings(view)));
  }
  expect(findings).toEqual([]);
  await context.clearCookies();
});

import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { anEmail, get, signIn } from '../fixtures/accounts/accounts.ts';
import { ask, baseUrl } from '../fixtures/clouds/client.ts';
import { expectRefusal } from '../fixtures/clouds/refusals.ts';
import { created } from '../fixtures/projects/projects.ts';
import { PictureHost } from '../fixtures/uploads/picture-host.ts';
import { openPage, picture } from './support/chromium.ts';
import { signInOn, viewAt } from './support/dashboard.ts';
import { browser } from './support/own-browser.ts';
import { watch } from './support/watch.ts';

let page: Page;
let pageErrors: string[];

beforeEach(async () => {
  page = await openPage(browser);
  pageErrors = watch(page, new URL(baseUrl).host);
});
afterEach(() => page.context().close());

const button = (name: string) => page.getByRole('button', { name, exact: true });

test('a key that is made before the list has come is in the list', async () => {
  await page.goto(viewAt('/'));
  await signInOn(page, anEmail());
  await page.getByText('Nothing here yet').waitFor();
  let [tellRead, send] = [() => undefined as void, () => undefined as void];
  const isRead = new Promise<void>((resolve) => (tellRead = resolve));
  const isMade = new Promise<void>((resolve) => (send = resolve));
  let isHeld = false;
  await page.route('**/v1/keys', async (route) => {
    if (isHeld || route.request().method() !== 'GET') return route.continue();
    isHeld = true;
    const response = await route.fetch();
    tellRead();
    await isMade;
    // The page may have stopped waiting for it.
    await route.fulfill({ response }).catch(() => undefined);
  });
  await page.getByRole('link', { name: 'API keys' }).click();
  await isRead;
  await page.getByLabel('Name').fill('Laptop');
  await button('Create a key').click();
  await page.getByText('Copy this key now.').waitFor();
  send();
  await button('Delete').waitFor();
  await page.unroute('**/v1/keys');
});

test('a person signs in, publishes, makes and deletes a key, and leaves nothing for the next one', async () => {
  const email = anEmail();
  await page.goto(viewAt('/keys'));
  await signInOn(page, email);
  await page.getByRole('heading', { name: 'API keys', exact: true }).waitFor();
  await page.getByLabel('Name').fill('<img src=x onerror=alert(1)>');
  await page.getByLabel('It may').selectOption('Publish and read');
  await page.getByLabel('Works for').selectOption('30 days');
  await button('Create a key').click();
  const key = (await page.locator('.address code').first().textContent()) ?? '';
  // It may do what was chosen, and nothing else.
  expect((await get('/v1/projects', key)).status).toBe(200);
  expectRefusal(await get('/v1/user', key), 403, 'FORBIDDEN');
  await page.getByText(/· Publish and read · .* · works until /).waitFor();
  await picture(page, 'dashboard-api-keys');
  await page.getByText('<img src=x onerror=alert(1)>').first().waitFor();
  await button('Delete').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('You have no keys.').waitFor();
  expect((await get('/v1/projects', key)).status).toBe(401);
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
  await signInOn(page, anEmail());
  await page.getByText('Nothing here yet').waitFor();
  expect(await page.content()).not.toContain('harbour');
  await page.goto(address);
  await page.getByRole('heading', { name: 'There is no page at this address' }).waitFor();
  expect(await page.content()).not.toContain('harbour');
  // Files go straight to storage, which has an origin of its own.
  const expected = /40[14]|^foreign: \S+\/_local\/s3\//;
  expect(pageErrors.filter((one) => !expected.test(one))).toEqual([]);
});

test('an address without a page keeps the frame and the brand, and Escape closes the menu of a phone', async () => {
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto(viewAt('/nowhere'));
  await page.locator('input[name=email]:focus').waitFor();
  await signInOn(page, anEmail());
  await page.getByRole('heading', { name: 'There is no page at this address' }).waitFor();
  expect(await page.title()).toMatch(/^There is no page at this address · .+/);
  await button('Menu').click();
  await page.getByRole('link', { name: 'Account', exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Account', exact: true }).waitFor({ state: 'hidden' });
  await page.getByRole('link', { name: 'Go to your projects' }).click();
  await page.getByText('Nothing here yet').waitFor();
});

test('a person duplicates a project, and is told why where they cannot', async () => {
  const email = anEmail();
  const key = await signIn(email);
  const { projectId, url } = await created(key, { fields: { title: 'Fair', access: 'private' } });
  await page.goto(viewAt(`/projects/${projectId}`));
  await signInOn(page, email);
  await button('Duplicate').click();
  await page.getByRole('heading', { name: 'Fair (copy)', exact: true }).waitFor();
  expect(page.url()).not.toContain(projectId);
  await button('Duplicate').waitFor();
  const { projects } = (await get('/v1/projects', key)).json.data;
  expect(projects).toHaveLength(2);
  const [copy] = projects;
  expect(copy).toMatchObject({ title: 'Fair (copy)', access: 'private' });
  expect(page.url()).toContain(copy.id);
  expect(copy.url).not.toBe(url);
  await page.route('**/duplicate', (route) =>
    route.fulfill({
      status: 403,
      json: {
        status: 'error',
        code: 'PROJECT_LIMIT_REACHED',
        error: 'The plan allows 5 active projects; 5 are in use.',
        nextStep: 'Check your usage.',
      },
    }),
  );
  await button('Duplicate').click();
  await page.getByRole('alert').getByText('5 active projects').waitFor();
  expect(pageErrors.filter((one) => !/40[13]/.test(one))).toEqual([]);
});

test('files that seem to contain keys are published only if a person says so', async () => {
  // In two parts, so that this file has no key.
  const token = ['ghp_zQWBuTSOoRi4A9spHcVY5n', 'cnsDkxkJ0mLq17'].join('');
  const script = {
    name: 'app.js',
    mimeType: 'text/javascript',
    buffer: Buffer.from(`\n"${token}"`),
  };
  const home = { name: 'index.html', mimeType: 'text/html', buffer: Buffer.from('<h1>Hi</h1>') };
  await page.goto(viewAt('/'));
  await signInOn(page, anEmail());
  const question = page.getByRole('alert').filter({ hasText: 'These files seem to contain keys' });
  await page.getByLabel('Choose files').setInputFiles([home, script]);
  await question.waitFor();
  expect(await question.textContent()).toContain('app.js, line 2: github token');
  expect(await page.content()).not.toContain(token);
  await picture(page, 'dashboard-keys');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('Nothing here yet').waitFor();

  await page.getByLabel('Choose files').setInputFiles([home, script]);
  await question.getByRole('button', { name: 'Publish anyway' }).click();
  await page.getByRole('heading', { name: 'Your link is live' }).waitFor();
  const url = (await page.locator('.upload .address a').getAttribute('href')) ?? '';
  expect((await ask(`${url}/app.js`)).text).toContain(token);
});

test('hidden files are neither sent nor published, unless a person asks for them', async () => {
  const home = { name: 'index.html', mimeType: 'text/html', buffer: Buffer.from('<h1>Hi</h1>') };
  const hidden = { name: '.env', mimeType: 'text/plain', buffer: Buffer.from('MODE=test') };
  const sent: string[] = [];
  await page.goto(viewAt('/'));
  await signInOn(page, anEmail());
  page.on('request', (request) => {
    if (request.url().endsWith('/v1/uploads')) sent.push(request.postData() ?? '');
  });
  await page.getByLabel('Choose files').setInputFiles([home, hidden]);
  await page.getByRole('heading', { name: 'Your link is live' }).waitFor();
  await page.getByText('1 file was left out: .env').waitFor();
  await picture(page, 'dashboard-left-out');
  const url = (await page.locator('.upload .address a').getAttribute('href')) ?? '';
  expect((await ask(`${url}/.env`)).status).toBe(404);
  expect(sent.join()).not.toContain('.env');

  await button('Publish them too').click();
  await page.getByRole('heading', { name: 'The new version is live' }).waitFor();
  expect(await page.locator('.upload .address a').getAttribute('href')).toBe(url);
  expect((await ask(`${url}/.env`)).text).toBe('MODE=test');
  expect(await page.getByText('left out').count()).toBe(0);
  await page.getByRole('link', { name: 'Manage' }).click();
  await page.getByRole('link', { name: 'Files' }).click();
  await page.getByText('Whoever may open the link can read .env.').waitFor();
});

test('pictures on other sites are named, and taken along by a button', async () => {
  const host = await new PictureHost().start();
  const text = `# Quay\n\n![A quay](${host.url('/quay.png')})\n`;
  const readme = { name: 'readme.md', mimeType: 'text/markdown', buffer: Buffer.from(text) };
  await page.goto(viewAt('/'));
  await signInOn(page, anEmail());
  await page.getByLabel('Choose files').setInputFiles([readme]);
  await page.getByText('1 picture is on another site and is not shown.').waitFor();
  await picture(page, 'dashboard-remote-pictures');
  const url = (await page.locator('.upload .address a').getAttribute('href')) ?? '';
  const shown = async () => {
    const visit = await openPage(browser);
    const errors = watch(visit, new URL(url).host);
    await visit.goto(url);
    await visit.getByRole('heading', { name: 'Quay' }).waitFor();
    const widths = await visit
      .locator('img')
      .evaluateAll((all) =>
        all.map((one) => (one as unknown as { naturalWidth: number }).naturalWidth),
      );
    await visit.context().close();
    return { widths, errors };
  };
  expect(await shown()).toEqual({ widths: [], errors: [] });
  expect(host.got).toEqual([]);
  await button('Copy it into the page').click();
  await page.getByRole('heading', { name: 'The new version is live' }).waitFor();
  expect(await page.getByText('on another site').count()).toBe(0);
  expect(host.got).toEqual(['/quay.png']);
  await host.close();
  expect(await shown()).toEqual({ widths: [1], errors: [] });
});

test('what was deleted comes back by keyboard, whatever happened meanwhile in another tab', async () => {
  const email = anEmail();
  const key = await signIn(email);
  const ids: Record<string, string> = {};
  for (const slug of ['ebb', 'flow', 'tide']) {
    const own = `${slug}-${randomUUID()}`;
    const { projectId } = await created(key, { fields: { title: slug, slug: own } });
    ids[slug] = projectId;
  }
  await page.goto(viewAt('/'));
  await signInOn(page, email);
  for (const title of Object.keys(ids)) await page.getByLabel(`Select ${title}`).check();
  await button('Delete').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('3 projects were deleted.').waitFor();
  await page.getByText('Nothing here yet').waitFor();
  // The offer stays while somebody is at it.
  await button('Undo').focus();

  const otherTab = await page.context().newPage();
  await otherTab.goto(viewAt('/deleted'));
  await otherTab.getByRole('button', { name: 'Restore ebb' }).click();
  await otherTab.getByText('ebb', { exact: true }).waitFor({ state: 'detached' });
  const projectAt = async (id = '') => (await get(`/v1/projects/${id}`, key)).json.data;
  const { slug } = (await get('/v1/projects/deleted', key)).json.data.projects.find(
    (one: any) => one.title === 'flow',
  );
  const { projectId: taker } = await created(key, { fields: { title: 'taker', slug } });

  const undo = async () => {
    await button('Undo').focus();
    await page.keyboard.press('Enter');
  };
  await undo();
  const refusal = page.locator('.undo').getByRole('alert');
  await refusal.waitFor();
  await page.getByLabel('Select tide').waitFor();
  await page.getByLabel('Select ebb').waitFor();
  expect(await page.getByLabel('Select flow').count()).toBe(0);
  await undo();
  await refusal.getByText(`The address is taken: ${slug}.`).waitFor();
  await button('Close').click();

  await page.getByRole('link', { name: 'Deleted projects' }).click();
  await button('Restore flow').click();
  const other = page.getByLabel('Another address');
  await other.fill(slug);
  const refused = page.waitForResponse((response) => response.url().endsWith('/restore'));
  await page.keyboard.press('Enter');
  expect((await refused).status()).toBe(409);
  await page.getByRole('alert').waitFor();
  // The form stayed, with what was entered and the focus.
  expect(await page.locator('li input:focus').inputValue()).toBe(slug);
  await other.fill(`${slug}-2`);
  await page.keyboard.press('Enter');
  await page.getByText('Nothing was deleted lately.').waitFor();
  expect((await projectAt(ids['flow'])).slug).toBe(`${slug}-2`);
  expect((await projectAt(taker)).slug).toBe(slug);
});

test('without a network, a view that was never open waits for it', async () => {
  await page.goto(viewAt('/'));
  await signInOn(page, anEmail());
  await page.getByText('Nothing here yet').waitFor();
  await page.context().setOffline(true);
  await page.getByRole('link', { name: 'Upload links' }).click();
  await page.getByText('You are offline.').waitFor();
  await page.context().setOffline(false);
  await page.getByRole('heading', { name: 'Upload links' }).waitFor();
});

test('while it is not known whether somebody is signed in, the page shows that it loads', async () => {
  let answer = () => undefined as void;
  const isKnown = new Promise<void>((resolve) => (answer = resolve));
  await page.route('**/v1/session', async (route) => {
    await isKnown;
    await route.continue();
  });
  await page.goto(viewAt('/account'));
  await page.getByRole('status', { name: 'Loading' }).waitFor();
  answer();
  await page.getByLabel('E-mail address').waitFor();
  expect(await page.getByRole('status', { name: 'Loading' }).count()).toBe(0);
});

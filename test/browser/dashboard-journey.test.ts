import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import JSZip from 'jszip';
import type { Page } from 'playwright-core';
import { anEmail, codeSentTo } from '../fixtures/accounts/accounts.ts';
import { baseUrl } from '../fixtures/clouds/client.ts';
import { Browser } from '../fixtures/visits/browser.ts';
import { whenCounted } from '../fixtures/visits/opens.ts';
import { expectGoodLayout, openPage } from './support/chromium.ts';
import { askForCode, claimed, keepIt } from './support/claim-steps.ts';
import { run } from './support/curl.ts';
import { signInOn, viewAt } from './support/dashboard.ts';
import { browser } from './support/own-browser.ts';

let page: Page;

const folder = mkdtempSync(join(tmpdir(), 'slipway-journey-'));
afterAll(() => rmSync(folder, { recursive: true }));

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const button = (name: string) => page.getByRole('button', { name, exact: true });
const inDialog = (name: string) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true }).click();

/** Opens a view by the menu, which a phone has folded away. */
async function openView(name: string, heading = name): Promise<void> {
  await button('Menu').click();
  await page.getByRole('link', { name, exact: true }).click();
  await page.getByRole('heading', { level: 1, name: heading }).waitFor();
}

function html(text: string) {
  const buffer = Buffer.from(`<!doctype html><title>Tides</title><h1>${text}</h1>`);
  return { name: 'index.html', mimeType: 'text/html', buffer };
}

/** What a visitor reads, in a browser that nobody seems to drive. */
async function visit(url: string): Promise<string> {
  const userAgent =
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
  const visitor = await openPage(browser, { userAgent });
  const content = "Object.defineProperty(Navigator.prototype, 'webdriver', { get: () => false })";
  await visitor.addInitScript({ content });
  await visitor.goto(url, { waitUntil: 'load' });
  const text = (await visitor.getByRole('heading').first().textContent()) ?? '';
  await visitor.context().close();
  return text;
}

/** Publishes without an account, and keeps it. Returns its address. */
async function publishAndClaim(email: string): Promise<string> {
  await page.goto(baseUrl);
  await page.locator('#files').setInputFiles(html('First'));
  await page.getByRole('heading', { name: 'Your link is live' }).waitFor();
  const url = (await page.locator('#link').getAttribute('href')) ?? '';
  await page.goto((await page.locator('#claim').textContent()) ?? '');
  await keepIt(page, await askForCode(page, baseUrl, email));
  await claimed(page);
  return url;
}

/** A file on the disk has the same time of change when it is chosen again. */
function onDisk({ name, buffer }: ReturnType<typeof html>): string {
  const file = join(mkdtempSync(join(folder, 'file-')), name);
  writeFileSync(file, buffer);
  return file;
}

/**
 * Sends a new version; the page is reloaded before anything has arrived, and then the network is cut. Looks at
 * what the version changes, makes it live, undoes that, and makes it live again.
 */
async function pushOverBrokenNetwork(url: string): Promise<void> {
  const context = page.context();
  let cuts = 0;
  await page.route('**/_local/s3/**', async (route) => {
    if (route.request().method() !== 'PUT') return route.continue();
    cuts += 1;
    // Never answered: the page is reloaded.
    if (cuts === 1) return;
    if (cuts > 2) return route.continue();
    await context.setOffline(true);
    await route.abort('internetdisconnected');
  });
  const file = onDisk(html('Second'));
  page.on('dialog', (dialog) => dialog.accept());
  const sending = page.waitForRequest((request) => request.method() === 'PUT');
  await page.getByLabel('Choose files').setInputFiles(file);
  await sending;
  await page.reload();
  await page.getByRole('heading', { name: 'was interrupted' }).waitFor();
  await page.getByLabel('Choose the same files').setInputFiles(onDisk(html('Other one')));
  await page.getByText('These are not the same files').waitFor();
  await page.getByLabel('Choose the same files').setInputFiles(file);
  await page.getByText('Waiting for the network').waitFor();
  await page.getByText('You are offline.').waitFor();
  await context.setOffline(false);
  await page.getByRole('heading', { name: 'Version 2 is a draft' }).waitFor();
  const card = page.locator('.upload');
  await card.getByText('~ index.html').waitFor();
  expect(await visit(url)).toBe('First');
  await card.getByRole('button', { name: 'Publish this version' }).click();
  await page.getByText('Version 2 is live.').waitFor();
  expect(await card.count()).toBe(0);
  expect(await visit(url)).toBe('Second');
  await button('Undo').click();
  await button('Undo').waitFor({ state: 'detached' });
  expect(await visit(url)).toBe('First');
  await button('Publish this version').click();
  await inDialog('Publish this version');
  await page.getByText('Version 2 is live.').waitFor();
  await page.unroute('**/_local/s3/**');
  expect(cuts).toBe(3);
  await button('Close').click();
}

async function setAccess(choice: string, password?: string): Promise<void> {
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByLabel(choice).check();
  const field = page.getByRole('textbox', { name: /^Password/ });
  if (password !== undefined) await field.fill(password);
  await button('Save').click();
  await page.getByRole('status').getByText('Saved').waitFor();
}

/** A key that curl uses until it is deleted. */
async function useAndDeleteKey(whileItWorks: (key: string) => Promise<void>): Promise<void> {
  await openView('API keys', 'API keys');
  await page.getByLabel('Name').fill('Laptop');
  await button('Create a key').click();
  const key = (await page.locator('.address code').first().textContent()) ?? '';
  const curl = (...args: string[]) =>
    run('curl', ['-s', '-H', `authorization: Bearer ${key}`, ...args, `${baseUrl}/v1/user`]);
  expect(JSON.parse(await curl())).toMatchObject({ status: 'success' });
  await whileItWorks(key);
  await button('Delete').click();
  await inDialog('Delete');
  await page.getByText('You have no keys.').waitFor();
  expect(JSON.parse(await curl())).toMatchObject({ code: 'API_KEY_INVALID' });
}

test('a person publishes, keeps, changes, protects, rolls back, watches, exports and leaves, on a phone', async () => {
  const [email, newEmail] = [anEmail(), anEmail()];
  page = await openPage(browser, phone);
  const url = await publishAndClaim(email);
  await page.getByRole('link', { name: 'Versions' }).waitFor();
  const projectId = /projects\/([^/]+)/.exec(page.url())?.[1] ?? '';
  await page.getByRole('link', { name: 'Versions' }).click();
  await pushOverBrokenNetwork(url);
  expect(await visit(url)).toBe('Second');

  await setAccess('Anyone with the password', 'open sesame');
  expect(await visit(url)).not.toBe('Second');
  await setAccess('Anyone with the link');
  await page.getByRole('link', { name: 'Versions' }).click();
  await button('Publish this version').click();
  await inDialog('Publish this version');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await button('Undo').focus();
  expect(await visit(url)).toBe('First');
  await button('Undo').click();
  await button('Undo').waitFor({ state: 'detached' });
  expect(await visit(url)).toBe('Second');

  await useAndDeleteKey(async (key) => {
    await whenCounted(key, projectId, ({ opens }) => opens.total >= 2);
  });
  await page.goto(viewAt(`/projects/${projectId}`));
  await page.getByRole('heading', { name: 'Latest opens' }).waitFor();
  expect(Number(await page.locator('.figure dd').first().textContent())).toBeGreaterThan(1);

  await openView('Account');
  await page.getByText('Trial until').waitFor();
  await page.getByLabel('New e-mail address').fill(newEmail);
  await button('Send the codes').click();
  await button('Change the address').waitFor();
  await page.getByLabel(`Code from ${email}`).fill(await codeSentTo(email));
  await page.getByLabel(`Code from ${newEmail}`).fill(await codeSentTo(newEmail));
  await button('Change the address').click();
  await page.getByText(`${newEmail} · You sign in with codes`).waitFor();

  const other = await new Browser(newEmail).signIn();
  await page.reload();
  await button('Sign out').last().click();
  await inDialog('Sign out');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect((await other.send('GET', '/v1/session')).status).toBe(401);

  // The dialog for the place of a file is the browser's own; without it, the file is a usual download.
  await page.evaluate('window.showSaveFilePicker = undefined');
  const [zip] = await Promise.all([
    page.waitForEvent('download'),
    button('Download everything as a ZIP').click(),
  ]);
  const files = await JSZip.loadAsync(await readFile(await zip.path()), { checkCRC32: true });
  expect(Object.keys(files.files)).toEqual(['Tides/index.html']);
  await page.getByText('The ZIP is ready').waitFor();
  await page.getByText('For programs', { exact: true }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    button('Export everything').click(),
  ]);
  const [exported] = JSON.parse(await readFile(await download.path(), 'utf8'));
  expect(exported.projects[0]).toMatchObject({ id: projectId });

  await button('Delete the account').click();
  await page.getByRole('dialog').getByRole('textbox').fill(newEmail);
  await inDialog('Delete the account');
  await page.getByRole('heading', { name: 'Your account is deleted' }).waitFor();
  await page.getByText('you can have everything back').waitFor();
  await signInOn(page, newEmail);
  await page.getByRole('heading', { name: 'Restore the account?' }).waitFor();
  await expectGoodLayout(page, 'restore');
  await button('Leave it deleted').click();
  await signInOn(page, newEmail);
  await button('Restore it').click();
  await page.locator('.row-title').waitFor();
});

/** Presses Tab until the focus is on what has this name. */
async function tabTo(name: string): Promise<void> {
  const focused = `(() => {
    const { activeElement: at } = document;
    const label = at?.labels?.[0]?.textContent;
    return (label || at?.getAttribute('aria-label') || at?.textContent || '').trim();
  })()`;
  const seen: string[] = [];
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab');
    const at = String(await page.evaluate(focused));
    if (at === name) return;
    seen.push(at);
  }
  throw new Error(`Tab never reached ${name}, but: ${seen.join(', ')}`);
}

test('a keyboard alone signs in, changes views, makes a key and deletes it', async () => {
  const email = anEmail();
  page = await openPage(browser);
  await page.goto(viewAt('/keys'));
  await page.getByLabel('E-mail address').waitFor();
  await tabTo('E-mail address');
  await page.keyboard.type(email);
  await page.keyboard.press('Enter');
  await page.getByLabel('Six-digit code').waitFor();
  await page.keyboard.insertText(await codeSentTo(email));
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor();
  const focus = () => page.evaluate('document.activeElement.textContent');
  expect(await focus()).toBe('API keys');
  await tabTo('Name');
  await page.keyboard.type('Laptop');
  await page.keyboard.press('Enter');
  await page.getByText('Copy this key now.').waitFor();
  await button('Delete').waitFor();
  await tabTo('Delete');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  // A closed dialog has no role any more; only then does the page hear of it and take it away.
  await page.locator('dialog').waitFor({ state: 'detached' });
  expect(await focus()).toBe('Delete');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  await tabTo('Delete');
  await page.keyboard.press('Enter');
  await page.getByText('You have no keys.').waitFor();
  await page.keyboard.press('Home');
  await page.evaluate('document.body.focus()');
  await page.getByRole('link', { name: 'Workspaces' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Workspaces' }).waitFor();
  expect(await focus()).toBe('Workspaces');
});

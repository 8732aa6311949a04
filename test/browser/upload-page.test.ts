import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { anEmail, get, signIn } from '../fixtures/accounts/accounts.ts';
import { ask, baseUrl, file } from '../fixtures/clouds/client.ts';
import { created } from '../fixtures/projects/projects.ts';
import { linked, type NewLink, uploadTo } from '../fixtures/uploads/upload-links.ts';
import { expectGoodLayout, openPage, picture } from './support/chromium.ts';
import { heading, pageErrorsExcept } from './support/claim-steps.ts';
import { signInOn } from './support/dashboard.ts';
import { dropOn } from './support/drop.ts';
import { writeFiles } from './support/folders.ts';
import { address, browser } from './support/own-browser.ts';
import { zipOf } from './support/sample-files.ts';
import { watch } from './support/watch.ts';

const folder = mkdtempSync(join(tmpdir(), 'slipway-upload-'));
let page: Page;
let pageErrors: string[];
let key = '';

beforeAll(async () => {
  key = await signIn();
}, 600_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

afterEach(() => page.context().close());

async function open(link: NewLink = {}, options?: BrowserContextOptions): Promise<string> {
  const { pageUrl } = await linked(key, link);
  // Each test has the attempts of an address that has made none.
  address.change();
  page = await openPage(browser, options);
  pageErrors = watch(page, new URL(baseUrl).host);
  await page.goto(pageUrl);
  return pageUrl;
}

const aFile = (name: string, buffer: Buffer) => ({ name, mimeType: 'text/html', buffer });
const anHtml = aFile('index.html', Buffer.from('<h1>Brought</h1>'));

/** Waits for the link and gives the text of what it leads to. */
async function published(): Promise<string> {
  await page.getByRole('heading', { name: 'It is published' }).waitFor();
  const url = (await page.locator('#link').getAttribute('href')) ?? '';
  return (await ask(url)).text;
}

/** What went wrong besides talking to storage, which is where large files go. */
async function foreign(uploads: number): Promise<string[]> {
  const [toStorage, rest] = [true, false].map((wanted) =>
    pageErrors.filter((error) => /^foreign: .*\/part-\d+\?X-Amz-/.test(error) === wanted),
  );
  // A preflight and the upload itself.
  expect(new Set(toStorage).size).toBe(uploads);
  return rest ?? [];
}

test('needs no mouse: what the keyboard chooses is published, and the link has a copy button', async () => {
  const pageUrl = await open({ title: 'Harbour survey' });
  await heading(page, 'Upload files for Harbour survey');
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement.id')).toBe('files');
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.keyboard.press('Space'),
  ]);
  expect(chooser.isMultiple()).toBe(true);
  await chooser.setFiles(anHtml);
  expect(await published()).toBe('<h1>Brought</h1>');
  expect(await page.evaluate('document.activeElement.id')).toBe('live-title');
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement.id')).toBe('link');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  const copied = await page.evaluate('navigator.clipboard.readText()');
  expect(copied).toBe(await page.locator('#link').getAttribute('href'));
  expect(pageErrors).toEqual([]);
  expect((await page.goto(pageUrl))?.status()).toBe(404);
  await heading(page, 'This upload link does not work');
  expect(pageErrorsExcept(pageErrors, 404)).toEqual([]);
});

test('a file of 6 MB goes straight to storage, and shows how much has been sent', async () => {
  await open();
  const network = await page.context().newCDPSession(page);
  await network.send('Network.enable');
  const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 1_500_000 };
  await network.send('Network.emulateNetworkConditions', slow);
  const buffer = Buffer.alloc(6_000_000, '<p>ahoy');
  await page.locator('#files').setInputFiles(aFile('big.html', buffer));
  await page.getByText(/^1 file, [1-5](?:\.\d)? MB of 5\.7 MB$/).waitFor();
  const value = Number(await page.locator('#progress').getAttribute('value'));
  expect(value).toBeGreaterThan(0);
  expect(value).toBeLessThan(100);
  await picture(page, 'upload-sending');
  await page.getByRole('heading', { name: 'It is published' }).waitFor();
  const url = (await page.locator('#link').getAttribute('href')) ?? '';
  // A file over 4 MB is a link to storage.
  const { location = '' } = (await ask(url)).headers;
  expect((await ask(url + location)).body.equals(buffer)).toBe(true);
  expect(await foreign(1)).toEqual([]);
});

test('a large file goes on after a reload: only the part that had not arrived is sent', async () => {
  await open();
  const buffer = randomBytes(8 * 1024 ** 2 + 100_000);
  writeFiles(folder, { 'film.bin': buffer });
  let sent: (string | null)[] = [];
  let isBroken = true;
  await page.route('**/_local/s3/**', (route) => {
    const part = new URL(route.request().url()).searchParams.get('partNumber');
    // Never answered: the page is reloaded.
    if (isBroken && part === '2') return;
    if (route.request().method() === 'PUT') sent.push(part);
    return route.continue();
  });
  await page.locator('#files').setInputFiles(join(folder, 'film.bin'));
  const kept = async () => String(await page.evaluate("sessionStorage.getItem('slipway-uploads')"));
  while (!(await kept()).includes('"complete":[0]')) await page.waitForTimeout(50);
  expect(sent).toEqual(['1']);
  await page.reload();
  await page.getByText('Your upload was interrupted.').waitFor();
  [isBroken, sent] = [false, []];
  await page.locator('#files').setInputFiles(join(folder, 'film.bin'));
  await page.getByRole('heading', { name: 'It is published' }).waitFor();
  expect(sent).toEqual(['2']);
  const url = `${await page.locator('#link').getAttribute('href')}/film.bin`;
  const { location = '' } = (await ask(url)).headers;
  expect((await ask(new URL(location, url).href)).body.equals(buffer)).toBe(true);
  expect(await kept()).toBe('[]');
});

test('a large upload can be cancelled, and the link still works', async () => {
  await open();
  const network = await page.context().newCDPSession(page);
  await network.send('Network.enable');
  const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 400_000 };
  await network.send('Network.emulateNetworkConditions', slow);
  await page.locator('#files').setInputFiles(aFile('big.html', Buffer.alloc(6_000_000)));
  await page.locator('#progress:not([value="0"])').waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('Nothing was published.').waitFor();
  await page.locator('#files').setInputFiles(anHtml);
  expect(await published()).toBe('<h1>Brought</h1>');
});

test('a folder that a worker publishes is followed until it is live', async () => {
  await open();
  const buffer = await zipOf({
    'index.html': '<h1>Worked</h1>',
    'a.bin': Buffer.alloc(17_000_000),
  });
  // Hardly anything of it is sent: the worker is needed for what it unpacks to.
  const padded = { name: 'site.zip', mimeType: 'application/zip', buffer };
  await page.evaluate("document.getElementById('launch').dataset.maxInline = '100'");
  await page.locator('#files').setInputFiles(padded);
  expect(await published()).toBe('<h1>Worked</h1>');
  expect(await foreign(1)).toEqual([]);
});

test('a dropped folder of many files becomes one version of the project', async () => {
  const project = await created(key, { fields: { title: 'Logbook' } });
  await open({ projectId: project.projectId });
  await heading(page, 'Upload files for Logbook');
  await page.getByText('It replaces what is online now.').waitFor();
  const files = Object.fromEntries(
    Array.from({ length: 250 }, (_, n) => [`logs/${n}.txt`, `${n}`]),
  );
  const path = join(folder, 'site');
  writeFiles(path, { 'index.html': '<h1>Log</h1>', ...files });
  await dropOn(page, '#launch', [path]);
  expect(await published()).toBe('<h1>Log</h1>');
  expect((await ask(`${project.url}/logs/249.txt`)).text).toBe('249');
  expect(pageErrors).toEqual([]);
});

test('a ZIP with several pages asks for the home page', async () => {
  await open();
  const buffer = await zipOf({ 'about.html': 'About', 'index.html': 'Home' });
  const zip = { name: 'site.zip', mimeType: 'application/zip', buffer };
  await page.locator('#files').setInputFiles(zip);
  await page.getByRole('heading', { name: 'Choose the start page' }).waitFor();
  await picture(page, 'upload-choosing');
  await page.getByRole('radio', { name: 'about.html' }).check();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  expect(await published()).toBe('About');
  expect(pageErrorsExcept(pageErrors, 400)).toEqual([]);
});

test('a refusal says what to do, and the link still works', async () => {
  await open();
  const broken = { name: 'a.zip', mimeType: 'application/zip', buffer: Buffer.from('PK') };
  await page.locator('#files').setInputFiles(broken);
  const said = page.getByRole('alert');
  await said.getByText('Make it again from the original files').waitFor();
  await picture(page, 'upload-refused');
  await page.locator('#files').setInputFiles(anHtml);
  expect(await published()).toBe('<h1>Brought</h1>');
  expect(await said.textContent()).toBe('');
  expect(pageErrorsExcept(pageErrors, 400)).toEqual([]);
});

test('needs no JavaScript', async () => {
  await open({ title: 'Plain' }, { javaScriptEnabled: false });
  await picture(page, 'upload-without-script', true);
  await page.locator('#files').setInputFiles(anHtml);
  await page.getByRole('button', { name: 'Publish' }).click();
  await heading(page, 'It is published');
  await picture(page, 'upload-published-without-script', true);
  const url = (await page.locator('main a').getAttribute('href')) ?? '';
  expect((await ask(url)).text).toBe('<h1>Brought</h1>');
  expect(pageErrors).toEqual([]);
});

test('fits in both color schemes and widths', async () => {
  const pageUrl = await open({ title: 'Harbour survey of the year 2026, with every drawing' });
  await look('page');
  await page.locator('#files').setInputFiles(anHtml);
  await published();
  await look('live');
  expect(pageErrors).toEqual([]);
  await page.goto(pageUrl);
  await look('used');
});

async function look(name: string): Promise<void> {
  await expectGoodLayout(page, `upload-${name}`);
}

test('on a phone, a sender of a file request says who they are, sends, and gets a receipt', async () => {
  const asked = { title: 'Fair', message: 'Your photos, please', askName: true, accept: ['.txt'] };
  await open({ ...asked, maxUploads: 2 }, { viewport: { width: 360, height: 640 } });
  await heading(page, 'Upload files for Fair');
  await page.getByText('Your photos, please').waitFor();
  const aText = (name: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from('ahoy') });
  await page.locator('#files').setInputFiles(aText('boat.txt'));
  await page.getByText('Your files are not sent yet.').waitFor();
  await page.getByText('Fill in “Your name”, then press “Send”.').waitFor();
  await picture(page, 'file-request');
  await expectGoodLayout(page, 'the file request');
  await page.getByLabel('Your name').fill('Anna <b>');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByRole('heading', { name: 'Your files arrived' }).waitFor();
  await page.getByText(/^Receipt number 1, .*1 file, 4/).waitFor();
  await page.getByText('boat.txt').waitFor();
  await page.getByRole('button', { name: 'Print' }).waitFor();
  await picture(page, 'file-request-receipt');
  await expectGoodLayout(page, 'the receipt');
  expect(pageErrors).toEqual([]);
});

test('an owner asks for files in the app, and sees who sent which', async () => {
  address.change();
  page = await openPage(browser);
  pageErrors = watch(page, new URL(baseUrl).host);
  await page.goto(`${baseUrl}/dashboard/upload-links`);
  const email = anEmail();
  const apiKey = await signIn(email);
  await created(apiKey);
  const { projectId } = await created(apiKey, {
    fields: { title: 'Photos', access: 'private' },
    files: [file('notes.txt', 'Photos, please')],
  });
  await signInOn(page, email);
  await page.getByText('Ask people for files').click();
  await page.getByLabel('Title of the project').last().fill('Summer fair');
  await page.getByLabel('What do you need?').fill('Please send <b>photos</b>.');
  await page.getByLabel('Number of uploads').fill('2');
  await page.getByLabel('Endings of the files').fill('TXT, .md');
  await expectGoodLayout(page, 'ask-for-files');
  await page.locator('details form').getByRole('button', { name: 'Make an upload link' }).click();
  const pageUrl = (await page.locator('.address a').getAttribute('href')) ?? '';
  const senders = page.getByRole('button', { name: 'Who sent files' });
  await senders.click();
  await page.getByText('Nobody has sent files yet.').waitFor();
  await page.getByText('0 of 2 uploads').waitFor();
  await page.getByText('Closes within a day').waitFor();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy a reminder' }).click();
  await page.getByText('Copied').first().waitFor();
  const reminder = await page.evaluate<string>('navigator.clipboard.readText()');
  expect(reminder).toMatch(/please send your files for “Summer fair”. .* works until .*20\d\d/);
  const uploadUrl = pageUrl.replace('/upload/', '/v1/upload-links/');
  const who = { name: 'senderName', body: '<i>Anna</i>' };
  expect((await uploadTo(uploadUrl, [file('boat.exe', 'x'), who])).status).toBe(400);
  expect((await uploadTo(uploadUrl, [file('boat.txt', 'ahoy'), who])).status).toBe(200);
  await page.reload();
  await page.getByText('1 of 2 uploads').waitFor();
  await senders.click();
  await page.getByText('<i>Anna</i>').waitFor();
  await page.getByText('boat.txt').waitFor();
  await expectGoodLayout(page, 'list-of-senders');
  await page.getByRole('link', { name: 'Look at the files' }).click();
  // Mail programs make links of addresses, so a stranger’s name keeps none of these signs in a title.
  await page.getByRole('heading', { name: 'Summer fair – i Anna i' }).waitFor();
  await page.goto(`${baseUrl}/dashboard/upload-links`);
  await page.getByText('Ask people for files').click();
  const into = page.getByLabel('Collect them in');
  await into.getByText('Photos').waitFor({ state: 'attached' });
  expect(await into.textContent()).not.toContain('A title');
  await into.selectOption('Photos');
  await page.getByLabel('Title of the project').last().fill('Photos');
  await page.locator('details form').getByRole('button', { name: 'Make an upload link' }).click();
  await page.locator('.address a').waitFor();
  const { uploadLinks } = (await get('/v1/upload-links', apiKey)).json.data;
  expect(uploadLinks[0].projectId).toBe(projectId);
  await page.setViewportSize({ width: 1280, height: 844 });
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('E-mail address').waitFor();
  await page.goto(pageUrl);
  await heading(page, 'Upload files for Summer fair');
  // Before the sign-in.
  expect(pageErrors.filter((one) => !one.includes('401'))).toEqual([]);
});

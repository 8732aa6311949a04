import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { anEmail, get, signIn } from '../fixtures/accounts/accounts.ts';
import { ask, baseUrl, file } from '../fixtures/clouds/client.ts';
import { buildZip } from '../fixtures/archives/zip-builder.ts';
import { patch, pushed } from '../fixtures/projects/versions.ts';
import { created, temporary } from '../fixtures/projects/projects.ts';
import { expectGoodLayout, openPage } from './support/chromium.ts';
import { askForCode, claimed, keepIt, press } from './support/claim-steps.ts';
import { seriousFindings, signInOn, viewAt } from './support/dashboard.ts';
import { address, browser } from './support/own-browser.ts';
import { watch } from './support/watch.ts';

let page: Page;
let pageErrors: string[];

beforeEach(async () => {
  // A person without an account may publish three times a minute.
  address.change();
  page = await openPage(browser);
  pageErrors = watch(page, new URL(baseUrl).host);
});

afterEach(() => page.context().close());

const titled = (name: string) => page.getByRole('heading', { name }).waitFor();
const anHtml = {
  name: 'index.html',
  mimeType: 'text/html',
  buffer: Buffer.from('<title>Tide table</title><h1>Afloat</h1>'),
};

const aLockedZip = {
  name: 'accounts.zip',
  mimeType: 'application/zip',
  buffer: Buffer.from(
    buildZip({ entries: [{ name: 'accounts.csv', content: 'sealed', flags: 1 }] }),
  ),
};

describe('without an account', () => {
  test('the code that claims a project signs in, and the next one needs one button', async () => {
    const first = await temporary();
    await page.goto(first.claimUrl);
    await keepIt(page, await askForCode(page, baseUrl, anEmail()));
    await claimed(page);
    expect(new URL(page.url()).pathname).toBe(`/dashboard/projects/${first.projectId}`);
    await page.reload();
    await page.getByRole('link', { name: 'Versions' }).waitFor();
    expect(await page.getByRole('heading', { name: 'It’s yours' }).count()).toBe(0);
    const second = await temporary();
    await page.goto(second.claimUrl);
    await press(page, 'Keep it');
    await claimed(page);
    expect(new URL(page.url()).pathname).toBe(`/dashboard/projects/${second.projectId}`);
    expect(pageErrors).toEqual([]);
  });

  test('the front page keeps its links over a reload', async () => {
    await page.goto(baseUrl);
    await page.locator('#files').setInputFiles(anHtml);
    await titled('Your link is live');
    const first = await page.locator('#link').getAttribute('href');
    await page.reload();
    await titled('Your link is live');
    expect(await page.locator('#link').getAttribute('href')).toBe(first);
    expect(await page.locator('#keep').getAttribute('href')).toMatch(/\/claim\/[\w-]{43}$/);
    await press(page, 'Publish something else');
    await titled('Published before');
    expect(await page.locator('#earlier-links a').first().getAttribute('href')).toBe(first);
    expect(pageErrors).toEqual([]);
  });

  test('source code is recognised, and published only on request', async () => {
    await page.goto(baseUrl);
    const manifest = JSON.stringify({ scripts: { build: 'vite build' } });
    const source = [
      anHtml,
      { name: 'package.json', mimeType: 'application/json', buffer: Buffer.from(manifest) },
    ];
    await page.locator('#files').setInputFiles(source);
    await titled('This looks like source code');
    await press(page, 'Choose again');
    await titled('Drop files, a folder or a ZIP here');
    await page.locator('#files').setInputFiles(source);
    await titled('This looks like source code');
    await page.locator('#source').getByRole('button', { name: 'Publish anyway' }).click();
    await titled('Your link is live');
    expect(pageErrors).toEqual([]);
  });

  test('a ZIP with a password is shared as one file on request', async () => {
    await page.goto(baseUrl);
    await page.locator('#files').setInputFiles(aLockedZip);
    await titled('This ZIP has a password');
    await page.locator('#locked').getByRole('button', { name: 'Back' }).click();
    await titled('Drop files, a folder or a ZIP here');
    await page.locator('#files').setInputFiles(aLockedZip);
    await titled('This ZIP has a password');
    await press(page, 'Share as one file');
    await titled('Your link is live');
    const url = await page.locator('#link').getAttribute('href');
    expect((await ask(`${url}`)).text).toContain('accounts.zip');
  });

  test('files that are too large stay through the sign-in, and are published then', async () => {
    await page.goto(baseUrl);
    const maxBytes = Number(await page.locator('#launch').getAttribute('data-max-bytes'));
    const page1 = { ...anHtml, name: 'large.html', buffer: Buffer.alloc(maxBytes + 1, '<p>ahoi') };
    await page.locator('#files').setInputFiles(page1);
    await page.getByText('; without an account').waitFor();
    await page.getByText('Sign in to publish up to').waitFor();
    await press(page, 'Sign in and publish');
    await signInOn(page, anEmail());
    await titled('Your link is live');
    await page.locator('.upload .address a').waitFor();
  });

  test('at the rate limit the files stay, and are sent when the time is over', async () => {
    await page.goto(baseUrl);
    let count = 0;
    await page.route('**/v1/projects/temp', async (route) => {
      count += 1;
      if (count > 1) return route.continue();
      const body = { status: 'error', code: 'RATE_LIMITED', error: 'Later.', retryAfterSeconds: 3 };
      await route.fulfill({ status: 429, json: body });
    });
    await page.locator('#files').setInputFiles(anHtml);
    await page.getByText('Your files wait here').waitFor();
    await page.getByText(/Sent in 0:0\d\./).waitFor();
    await titled('Your link is live');
    expect(count).toBe(2);
  });
});

test('an upload of an account waits for the end of a rate limit too', async () => {
  await page.goto(viewAt('/'));
  await signInOn(page, anEmail());
  await titled('Projects');
  let count = 0;
  await page.route('**/v1/uploads', async (route) => {
    count += 1;
    if (count > 1) return route.continue();
    const body = { status: 'error', code: 'RATE_LIMITED', error: 'Later.', retryAfterSeconds: 2 };
    await route.fulfill({ status: 429, json: body });
  });
  await page.getByLabel('Choose files').setInputFiles(anHtml);
  await page.getByText('They are sent by themselves').waitFor();
  await titled('Your link is live');
});

test('an account shares a ZIP with a password as one file', async () => {
  await page.goto(viewAt('/'));
  await signInOn(page, anEmail());
  await titled('Projects');
  await page.getByLabel('Choose files').setInputFiles(aLockedZip);
  await titled('This ZIP has a password');
  await press(page, 'Share as one file');
  await titled('Your link is live');
  const url = await page.locator('.upload .address a').getAttribute('href');
  expect((await ask(`${url}`)).text).toContain('accounts.zip');
});

/** A project of a new account that is signed in on the page; its page is open. */
async function openProject() {
  const email = anEmail();
  const key = await signIn(email);
  const { projectId, url } = await created(key);
  await page.goto(viewAt(`/projects/${projectId}`));
  await signInOn(page, email);
  await titled('Share');
  const state = async () => (await get(`/v1/projects/${projectId}`, key)).json.data;
  return { projectId, url, key, state };
}

/** Where an element is in the window. */
async function edgesOf(element: Locator) {
  const box = await element.boundingBox();
  if (box === null) throw new Error('it is not shown');
  return { top: box.y, bottom: box.y + box.height, right: box.x + box.width };
}

describe('the page of a project', () => {
  test('shares it: a password, copied once with the link, and an end', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const { projectId, url, state } = await openProject();
    const head = page.locator('.page-head [data-protection]');
    expect(await head.textContent()).toBe('Public');
    await page.getByLabel('Who can see it').selectOption('Anyone with the password');
    await page.getByLabel('Password').fill('calm-harbour-42');
    await press(page, 'Set the password');
    await press(page, 'Copy link and password');
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
      `${url}\nPassword: calm-harbour-42`,
    );
    await page.getByText('A password is set').waitFor();
    expect(await head.textContent()).toBe('Password');
    expect(await state()).toMatchObject({ access: 'password' });
    await page.getByLabel('Expiry').selectOption('On a date and time…');
    await page.getByLabel('Date and time').fill('2030-01-02T03:04');
    await press(page, 'Set the expiry');
    await page.getByText('Keep as it is (Jan 2, 2030').waitFor({ state: 'attached' });
    const expected = await page.evaluate("new Date('2030-01-02T03:04').toISOString()");
    expect((await state()).expiresAt).toBe(expected);
    const saved = page.waitForResponse((answer) => answer.request().method() === 'PATCH');
    await page.getByLabel('E-mail me').selectOption('When it is opened for the first time');
    expect((await saved).status()).toBe(200);
    await page.reload();
    expect(await page.getByLabel('E-mail me').inputValue()).toBe('first');
    expect(await state()).toMatchObject({ notify: 'first' });
    await page.getByText('A password is set').waitFor();
    expect(await page.getByRole('button', { name: 'Copy link and password' }).count()).toBe(0);
    await page.goto(viewAt('/'));
    await page.locator('.row [data-protection=password]').waitFor();
    await page.goto(viewAt(`/projects/${projectId}/settings`));
    await page.getByText('A password is set').waitFor();
  });

  test('its row in the list has a menu, and Ctrl+K finds it by its name', async () => {
    const { projectId, state } = await openProject();
    const { title } = await state();
    pageErrors.length = 0;
    await page.goto(viewAt('/'));
    await press(page, `More about ${title}`);
    const menu = page.getByRole('dialog');
    expect(await seriousFindings(page, 'the menu of a row')).toEqual([]);
    await menu.getByRole('button', { name: 'Archive' }).click();
    await menu.waitFor({ state: 'detached' });
    expect((await state()).status).toBe('archived');
    await press(page, 'Undo');
    await page.getByRole('link', { name: title }).waitFor();
    await page.keyboard.press('Control+k');
    const field = menu.getByRole('combobox');
    await field.fill('domains');
    await menu.getByRole('option', { name: 'Domains' }).waitFor();
    await field.fill(title.slice(1).toUpperCase());
    await menu.getByRole('option', { name: title }).waitFor();
    expect(await seriousFindings(page, 'the palette')).toEqual([]);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/projects/${projectId}`);
    expect(pageErrors).toEqual([]);
  });

  test('the list shows how often it was opened, and small what this browser published, until a sign-out', async () => {
    await openProject();
    pageErrors.length = 0;
    await page.goto(viewAt('/'));
    await page.getByText('0 opens').waitFor();
    const small = page.locator('.row .thumbnail img');
    expect(await small.count()).toBe(0);
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="90"><rect width="9" height="90" fill="#f00"/></svg>';
    const picture = { name: 'pier.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(svg) };
    for (const one of [picture, anHtml]) {
      await page.locator('main input[type=file]').first().setInputFiles(one);
      await page.locator('.upload .address').waitFor();
      await press(page, 'Dismiss');
    }
    await small.nth(1).waitFor();
    const sizes = '[...document.querySelectorAll(".thumbnail img")].map((one) => one.naturalWidth)';
    expect(await page.evaluate(sizes)).toEqual([160, 160]);
    expect(await seriousFindings(page, 'list with pictures')).toEqual([]);
    await press(page, 'Sign out');
    await page.getByLabel('E-mail address').waitFor();
    expect(await page.evaluate('localStorage.length')).toBe(0);
    expect(pageErrors.filter((one) => !one.includes('/_local/s3/'))).toEqual([]);
  });

  test('its settings say what is not saved, and ask before somebody leaves', async () => {
    const { projectId, state } = await openProject();
    await page.goto(viewAt(`/projects/${projectId}/settings`));
    const title = page.getByLabel('Title', { exact: true });
    await title.fill('Spring fair');
    await page.getByText('Unsaved changes').waitFor();
    await page.getByRole('link', { name: 'Versions' }).click();
    await titled('Leave without saving?');
    await press(page, 'Stay');
    expect(await title.inputValue()).toBe('Spring fair');
    const noIndex = page.getByLabel('Ask search engines to stay away');
    await noIndex.check();
    const [names, visitors] = ['Name and address', 'Visitors'].map((name) =>
      page.getByRole('form', { name }).getByRole('button', { name: 'Save', exact: true }),
    );
    await names?.click();
    await page.getByRole('status').getByText('Saved').waitFor();
    expect(await state()).toMatchObject({ title: 'Spring fair', noIndex: false });
    expect(await noIndex.isChecked()).toBe(true);
    await visitors?.click();
    await page.getByRole('status').getByText('Saved').nth(1).waitFor();
    expect(await state()).toMatchObject({ title: 'Spring fair', noIndex: true });
    await title.fill('Autumn fair');
    await press(page, 'Discard');
    expect(await title.inputValue()).toBe('Spring fair');
    await page.getByRole('link', { name: 'Versions' }).click();
    await page.getByText('Drop files anywhere').waitFor();
  });

  test('one press opens a preview of a version, whose link can be copied and works as long as chosen', async () => {
    const { projectId, url, key } = await openProject();
    pageErrors.length = 0;
    await pushed(key, projectId, [file('index.html', '<h1>Second</h1>')]);
    await page.goto(viewAt(`/projects/${projectId}/versions`));
    const row = page.locator('main li').filter({ hasText: 'Version 1' });
    const opened = page.context().waitForEvent('page');
    await row.getByRole('button', { name: 'Preview' }).click();
    const tab = await opened;
    await tab.waitForURL(`${url}/`);
    expect(await tab.locator('body').textContent()).not.toContain('Second');
    const link = row.getByRole('link', { name: 'Link to this version' });
    const first = await link.getAttribute('href');
    await row.getByLabel('It works').selectOption('Until another version is live');
    await row.getByText('At the latest until').waitFor();
    await row.locator('a[href*=".1~"]').waitFor();
    expect(await link.getAttribute('href')).not.toBe(first);
    await row.getByRole('button', { name: 'Copy' }).waitFor();
    const feed = page.getByRole('link', { name: 'Follow new versions in a feed reader (Atom)' });
    expect((await ask((await feed.getAttribute('href')) ?? '')).status).toBe(200);
    expect(pageErrors).toEqual([]);
  });

  test('the owner’s preview asks for no password', async () => {
    const { projectId, url, key } = await openProject();
    await pushed(key, projectId, [file('index.html', '<h1>Second</h1>')]);
    const access = { access: 'password', password: 'open sesame' };
    await patch(key, projectId, access);
    await page.goto(viewAt(`/projects/${projectId}/versions`));
    const row = page.locator('main li').filter({ hasText: 'Version 1' });
    const opened = page.context().waitForEvent('page');
    await row.getByRole('button', { name: 'Preview' }).click();
    const tab = await opened;
    await tab.waitForURL(`${url}/`);
    expect(await tab.locator('body').textContent()).not.toMatch(/password|Second/);
    expect((await ask(url)).status).toBe(401);
  });

  test('a draft says that nobody can open it, and is published by the button beside it', async () => {
    const { projectId, url, key } = await openProject();
    await patch(key, projectId, { status: 'private' });
    await page.goto(viewAt(`/projects/${projectId}`));
    await page.getByText('Nobody can open it before you publish it').waitFor();
    expect(await page.getByRole('button', { name: 'Open as owner' }).count()).toBe(0);
    await press(page, 'Publish it');
    await page.locator('.page-head [data-protection=public]').waitFor();
    await page.getByRole('button', { name: 'Open as owner' }).waitFor();
    expect((await ask(url)).status).toBe(200);
  });

  test('what is said of an upload and an offer to undo end with what makes them untrue, and not before', async () => {
    const { projectId } = await openProject();
    await page.goto(viewAt(`/projects/${projectId}/files`));
    const replace = page.getByLabel('Replace index.html').last();
    await replace.setInputFiles({ ...anHtml, buffer: Buffer.from('<h1>Second') });
    await titled('The files are live');
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByLabel('Title', { exact: true }).fill('Autumn fair');
    await press(page, 'Save');
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(await page.locator('.upload').count()).toBe(1);
    await page.getByLabel('Address', { exact: true }).fill(`autumn-${projectId.slice(0, 8)}`);
    await press(page, 'Save');
    await page.locator('.upload').waitFor({ state: 'detached' });
    // Until it is saved, whoever leaves is asked whether to stay.
    await page.getByText('Saved', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Versions' }).click();
    await page.getByLabel('Choose files').setInputFiles(anHtml);
    await titled('Version 3 is a draft');
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByLabel('Address', { exact: true }).fill(`winter-${projectId.slice(0, 8)}`);
    await press(page, 'Save');
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(await page.getByRole('heading', { name: 'Version 3 is a draft' }).count()).toBe(1);
    await press(page, 'Delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('The project was deleted.').waitFor();
    await page.getByRole('link', { name: 'Deleted projects' }).click();
    await press(page, 'Restore');
    await page.getByText('The project was deleted.').waitFor({ state: 'detached' });
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
    await page.goto(viewAt('/projects'));
    await page.getByRole('link', { name: 'Autumn fair' }).waitFor();
  });

  test('on a phone, the tab that is shown is in sight, and notices cover nothing for good', async () => {
    const { projectId } = await openProject();
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(viewAt(`/projects/${projectId}/settings`));
    await titled('Name and address');
    const tab = await edgesOf(page.getByRole('link', { name: 'Settings' }));
    expect(tab.right).toBeLessThanOrEqual(390);
    await page.goto(viewAt('/'));
    await page.getByLabel('Choose files').setInputFiles(anHtml);
    await titled('Your link is live');
    await page.getByRole('link', { name: 'A title' }).first().click();
    await page.getByText('Nobody has opened this link yet.').waitFor();
    await titled('Your link is live');
    await page.evaluate('scrollTo(0, 1e6)');
    const last = await edgesOf(page.getByRole('button', { name: 'Open as owner' }));
    const card = await edgesOf(page.locator('.notices'));
    expect(last.bottom).toBeLessThanOrEqual(card.top);
    await page.context().setOffline(true);
    const offline = await edgesOf(page.getByText('You are offline.'));
    expect(offline.top).toBeGreaterThan(0);
    expect(offline.bottom).toBeLessThan(844);
    await page.context().setOffline(false);
  });

  test('a new upload takes the place of what is said of the one before', async () => {
    const { projectId } = await openProject();
    await page.goto(viewAt(`/projects/${projectId}/files`));
    const replace = page.getByLabel('Replace index.html').last();
    await page.getByText(/^1 file, \d+ bytes$/).waitFor();
    for (const text of ['Second', 'Third']) {
      await replace.setInputFiles({ ...anHtml, buffer: Buffer.from(`<h1>${text}`) });
      await titled('The files are live');
      await page.getByText(`1 file, ${text.length + 4} bytes`).waitFor();
    }
    expect(await page.locator('.upload').count()).toBe(1);
    await page.setViewportSize({ width: 390, height: 844 });
    const name = await page.getByRole('link', { name: 'index.html' }).boundingBox();
    expect(name?.width).toBeGreaterThan(200);
  });

  test('a comparison of versions shows the lines that changed, and the list what their notes say', async () => {
    const { projectId, key } = await openProject();
    pageErrors.length = 0;
    const fields = { note: 'Prices of <b>spring</b>' };
    await pushed(key, projectId, [file('index.html', '<h1>First\n<p>Second')], { fields });
    await pushed(key, projectId, [file('index.html', '<h1>First\n<p>Third')]);
    await page.goto(viewAt(`/projects/${projectId}/versions`));
    const row = page.locator('main li').filter({ hasText: 'Version 2' });
    await row.getByText('Prices of <b>spring</b>', { exact: true }).waitFor();
    await row.getByRole('button', { name: 'Compare' }).click();
    await row.getByText('index.html').click();
    await row.locator('ins').waitFor();
    expect(await row.locator('.lines > *').allTextContents()).toEqual([
      '  <h1>First',
      '- <p>Third',
      '+ <p>Second',
    ]);
    expect(await seriousFindings(page, 'comparison')).toEqual([]);
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 844 });
      await expectGoodLayout(page, `comparison-${width}`);
    }
    expect(pageErrors).toEqual([]);
  });

  test('what a plan does not include is locked, and says so', async () => {
    const { projectId } = await openProject();
    pageErrors.length = 0;
    await page.route('**/v1/user', async (route) => {
      const answer = await route.fetch();
      const { data, ...rest } = await answer.json();
      const plan = { ...data.plan, tier: 'free', trialEndsAt: null };
      await route.fulfill({ json: { ...rest, data: { ...data, plan } } });
    });
    await page.goto(viewAt(`/projects/${projectId}`));
    await page.getByText('Changes of a project are not part of your plan.').waitFor();
    expect(await page.getByLabel('Who can see it').isDisabled()).toBe(true);
    await page.getByText('QR code', { exact: true }).click();
    await page.getByText('QR codes are not part of your plan.').waitFor();
    expect(await page.locator('.qr').count()).toBe(0);
    for (const [view, text] of [
      ['settings', 'Changes of settings are not part of your plan.'],
      ['versions', 'Earlier versions are not part of your plan.'],
      ['files', 'Changes of single files are not part of your plan.'],
    ] as const) {
      await page.goto(viewAt(`/projects/${projectId}/${view}`));
      await page.getByText(text).waitFor();
    }
    await page.goto(viewAt(`/projects/${projectId}/versions`));
    await page.getByRole('link', { name: 'Follow new versions' }).waitFor();
    await page.goto(viewAt('/workspaces'));
    await page.getByText('Workspaces are not part of your plan.').waitFor();
    expect(pageErrors).toEqual([]);
  });

  test('a reload of the list keeps its search and filters', async () => {
    await openProject();
    await page.goto(viewAt('/'));
    await page.getByRole('searchbox').fill('nothing like it');
    await page.getByText('No project matches.').waitFor();
    await page.getByLabel('Sort').selectOption('By title');
    await page.waitForURL(/\?q=nothing\+like\+it&sort=title$/);
    await page.reload();
    await page.getByText('No project matches.').waitFor();
    expect(await page.getByRole('searchbox').inputValue()).toBe('nothing like it');
    await page.getByRole('searchbox').fill('');
    await page.locator('.row-title').waitFor();
  });

  test('an archived project is made live again by the button of its banner', async () => {
    const { projectId, url, key } = await openProject();
    await ask(`${baseUrl}/v1/projects/${projectId}/archive`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
    });
    await page.reload();
    await page.locator('.page-head [data-protection=archived]').waitFor();
    await press(page, 'Make it live again');
    await page.locator('.page-head [data-protection=public]').waitFor();
    expect((await ask(url)).status).toBe(200);
  });
});

test('times are in the reader’s zone and format, and programs read them too', async () => {
  const email = anEmail();
  const { projectId } = await created(await signIn(email), { fields: { title: 'A clock' } });
  const reader = await openPage(browser, { locale: 'de-DE', timezoneId: 'Asia/Tokyo' });
  await reader.goto(viewAt(`/projects/${projectId}/versions`));
  await signInOn(reader, email);
  const time = reader.locator('main li time').first();
  const at = (await time.getAttribute('datetime')) ?? '';
  expect(Math.abs(Date.parse(at) - Date.now())).toBeLessThan(600_000);
  const form = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'Asia/Tokyo' } as const;
  const written = new Intl.DateTimeFormat('en-DE', form).format(new Date(at));
  expect((await time.textContent())?.replace(/\s/g, ' ')).toBe(written.replace(/\s/g, ' '));
  await reader.context().close();
});

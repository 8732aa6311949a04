import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { temporaryLifetimeSeconds } from '../../contract/limits.ts';
import { anEmail, codeSentTo, mailsTo, signIn } from '../fixtures/accounts/accounts.ts';
import { ask } from '../fixtures/clouds/client.ts';
import { LocalCloud } from '../fixtures/clouds/local-cloud.ts';
import { expectNoSite, remove, temporary, usage } from '../fixtures/projects/projects.ts';
import { openPage } from './support/chromium.ts';
import {
  askForCode,
  claimed,
  heading,
  keepIt,
  press,
  pageErrorsExcept,
  wrongCodeFor,
} from './support/claim-steps.ts';
import { browser } from './support/own-browser.ts';
import { watch } from './support/watch.ts';

/** Of its own, because its state is counted and its clock moved. */
const cloud = new LocalCloud();
let page: Page;
let pageErrors: string[];

beforeAll(() => cloud.start(), 600_000);

afterAll(() => cloud.remove());

afterEach(() => page.context().close());

async function open(url: string, options?: BrowserContextOptions): Promise<void> {
  page = await openPage(browser, options);
  pageErrors = watch(page, new URL(cloud.baseUrl).host);
  await page.goto(url);
}

const anHtml = {
  name: 'index.html',
  mimeType: 'text/html',
  buffer: Buffer.from('<title>Tide table</title><h1>Afloat</h1>'),
};
/** Autofocus comes a moment after the page has loaded. */
const focusIsOn = (id: string) => page.locator(`#${id}:focus`).waitFor();
const aClaimUrl = async (): Promise<string> => (await temporary(undefined, cloud.baseUrl)).claimUrl;

describe('a person without an account', () => {
  test('publishes a project, claims it by its link, and deletes it completely', async () => {
    const held = async () => {
      const { rows, keys } = await cloud.state();
      return { sites: rows['sites'], projects: rows['projects'], keys };
    };
    const before = await held();
    expect(before).toEqual({ sites: [], projects: [], keys: [] });
    await open(cloud.baseUrl);
    const [uploaded] = await Promise.all([
      page.waitForResponse(`${cloud.baseUrl}/v1/projects/temp`),
      page.locator('#files').setInputFiles(anHtml),
    ]);
    const { projectId, url, claimUrl } = (await uploaded.json()).data;
    const [claim] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('link', { name: 'Keep it' }).click(),
    ]);
    page = claim;
    const inClaim = watch(page, new URL(cloud.baseUrl).host);
    await heading(page, 'Keep this project');
    expect(page.url()).toBe(claimUrl);
    expect(await page.evaluate('window.opener')).toBeNull();

    const email = anEmail();
    await keepIt(page, await askForCode(page, cloud.baseUrl, email));
    await claimed(page);
    expect(new URL(page.url()).pathname).toBe(`/dashboard/projects/${projectId}`);
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    expect([...pageErrors, ...inClaim]).toEqual([]);

    await cloud.advance(temporaryLifetimeSeconds + 60);
    expect((await ask(url)).text).toContain('Afloat');
    const apiKey = await signIn(email, cloud.baseUrl);
    const bytes = anHtml.buffer.length;
    expect(await usage(apiKey, cloud.baseUrl)).toEqual({ projects: 1, bytes });
    expect((await cloud.state()).keys).toEqual([expect.stringContaining(projectId)]);

    expect((await remove(apiKey, projectId, cloud.baseUrl)).status).toBe(200);
    expect(await usage(apiKey, cloud.baseUrl)).toEqual({ projects: 0, bytes: 0 });
    await expectNoSite(url);
    // An operator could bring it back for thirty days; then nothing is left of it.
    expect((await cloud.state()).keys).toEqual([expect.stringContaining(projectId)]);
    await cloud.advance(31 * 86_400);
    const { sites, ...rest } = await held();
    expect({ ...rest, sites: [] }).toEqual(before);
    // Its address stays with the account, and tells nothing else.
    const { host } = new URL(url);
    expect(sites).toEqual([
      {
        host: { S: host.split(':')[0] },
        heldFor: { S: expect.any(String) },
        heldUntil: { S: expect.any(String) },
        ttl: { N: expect.any(String) },
      },
    ]);
    const state = await ask(`${cloud.baseUrl}/_local/state`);
    expect(state.text).not.toContain(projectId);
    expect(state.text).toContain(email);
  });

  test('needs no JavaScript', async () => {
    await open(cloud.baseUrl, { javaScriptEnabled: false });
    await page.locator('#files').setInputFiles(anHtml);
    const [answer] = await Promise.all([page.waitForNavigation(), press(page, 'Publish')]);
    const { data } = JSON.parse((await answer?.text()) ?? '');
    await page.goto(data.claimUrl);
    const email = anEmail();
    const code = await askForCode(page, cloud.baseUrl, email);
    await keepIt(page, wrongCodeFor(code));
    await page.getByRole('alert').getByText('This code is wrong.').waitFor();
    expect(pageErrorsExcept(pageErrors, 401)).toEqual([]);
    await keepIt(page, code);
    // From here on, the app needs it.
    await page.waitForURL('**/dashboard/projects/*');
  });

  test('needs no mouse', async () => {
    await open(await aClaimUrl());
    const email = anEmail();
    await focusIsOn('email');
    await page.keyboard.type(email);
    await page.keyboard.press('Enter');
    await heading(page, 'Enter the code');
    await focusIsOn('code');
    // As people and mail programs write it.
    await page.keyboard.type((await codeSentTo(email, cloud.baseUrl)).replace(/^.../, '$& '));
    await page.keyboard.press('Enter');
    await claimed(page);
    expect(pageErrors).toEqual([]);
  });
});

test('the keyboard reaches every control of both forms in order, and shows where it is', async () => {
  const at = `(() => {
    const at = document.activeElement;
    const { outlineStyle, outlineWidth } = getComputedStyle(at);
    return { name: at.id || at.textContent, visible: outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2 };
  })()`;
  const { claimUrl, url } = await temporary(undefined, cloud.baseUrl);
  const { host } = new URL(url);
  const walk = async (names: string[]) => {
    // A page that has just loaded focuses its first field a moment later.
    await page.locator(':focus').waitFor();
    const reached: unknown[] = [await page.evaluate(at)];
    while (reached.length < names.length) {
      await page.keyboard.press('Tab');
      reached.push(await page.evaluate(at));
    }
    expect(reached).toEqual(names.map((name) => ({ name, visible: true })));
  };
  await open(claimUrl);
  await walk(['email', 'Send me a code']);
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Shift+Tab');
  expect(await page.evaluate(at)).toEqual({ name: host, visible: true });
  await askForCode(page, cloud.baseUrl, anEmail());
  await walk(['code', 'Keep it', 'Send it again', 'Use another address', host]);
});

describe('wrong input', () => {
  test.each([
    ['wrong', wrongCodeFor, 401, 'This code is wrong. Attempts left: 4.'],
    ['incomplete', (code: string) => code.slice(0, 5), 400, 'Enter the six digits of the code.'],
  ])(
    'in a code that is %s is reported at its field, and the right code still works',
    async (...row) => {
      const [, mistake, status, said] = row;
      await open(await aClaimUrl());
      const code = await askForCode(page, cloud.baseUrl, anEmail());
      await page.evaluate("document.getElementById('code').removeAttribute('pattern')");
      await keepIt(page, mistake(code));
      await expectFault('code', said);
      await keepIt(page, code);
      await claimed(page);
      expect(pageErrorsExcept(pageErrors, status)).toEqual([]);
    },
  );

  test('in an email address is reported at its field, which keeps the input', async () => {
    await open(await aClaimUrl());
    await page.getByLabel('Your e-mail address').fill('ann@harbour');
    await press(page, 'Send me a code');
    await expectFault('email', 'Enter a valid e-mail address.');
    expect(await page.getByLabel('Your e-mail address').inputValue()).toBe('ann@harbour');
    expect(pageErrorsExcept(pageErrors, 400)).toEqual([]);
  });

  async function expectFault(id: string, said: string): Promise<void> {
    await page.getByRole('alert').getByText(said, { exact: true }).waitFor();
    const input = page.locator(`#${id}`);
    expect(await input.getAttribute('aria-invalid')).toBe('true');
    expect(await input.getAttribute('aria-describedby')).toBe(`${id}-error ${id}-hint`);
    expect(await page.locator(`#${id}-error`).textContent()).toBe(said);
    await focusIsOn(id);
  }
});

test('the code can be requested again once a minute', async () => {
  await open(await aClaimUrl());
  const email = anEmail();
  const code = await askForCode(page, cloud.baseUrl, email);
  await press(page, 'Send it again');
  await page.getByText(/The code can be sent again in \d+ seconds/).waitFor();
  expect(await mailsTo(email, cloud.baseUrl)).toHaveLength(1);
  await cloud.advance(61);
  await press(page, 'Send it again');
  await page.getByRole('status').getByText('The code was sent again.').waitFor();
  expect(await mailsTo(email, cloud.baseUrl)).toHaveLength(2);
  await keepIt(page, code);
  await claimed(page);
  expect(pageErrors).toEqual([]);
});

test('the link to the project does not reveal the claim link', async () => {
  const { claimUrl, url } = await temporary(undefined, cloud.baseUrl);
  await open(claimUrl);
  const [site] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('link', { name: new URL(url).host }).click(),
  ]);
  await site.getByRole('heading', { name: 'Mine' }).waitFor();
  expect(await site.evaluate('[document.referrer, window.opener]')).toEqual(['', null]);
  expect(pageErrors).toEqual([]);
});

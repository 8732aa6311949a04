import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { anEmail, codeSentTo, mailsTo, signIn } from '../fixtures/accounts.ts';
import { ask } from '../fixtures/client.ts';
import { LocalCloud } from '../fixtures/local-cloud.ts';
import { expectNoSite, remove, temporary, usage } from '../fixtures/projects.ts';
import { openPage, picture, startChromium } from './chromium.ts';
import { watch } from './watch.ts';

jest.setTimeout(60_000);

/** Of its own: its state is counted, its clock moved, and an account on trial holds one project. */
const cloud = new LocalCloud('plans.pro.maxProjects=1');
let browser: Browser;
let page: Page;
let troubles: string[];

beforeAll(async () => {
  [browser] = await Promise.all([startChromium(), cloud.start()]);
}, 180_000);

afterAll(async () => {
  await browser?.close();
  await cloud.remove();
});

afterEach(() => page.context().close());

async function open(url: string, options?: BrowserContextOptions): Promise<void> {
  page = await openPage(browser, options);
  troubles = watch(page, new URL(cloud.baseUrl).host);
  await page.goto(url);
}

const anHtml = {
  name: 'index.html',
  mimeType: 'text/html',
  buffer: Buffer.from('<title>Tide table</title><h1>Afloat</h1>'),
};
const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
const field = (name: string) => page.getByLabel(name);
const press = (name: string) => page.getByRole('button', { name }).click();
const focused = () => page.evaluate('document.activeElement.id');
const aClaimUrl = async (): Promise<string> => (await temporary(undefined, cloud.baseUrl)).claimUrl;
const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

async function askForCode(email: string): Promise<string> {
  await field('Your e-mail address').fill(email);
  await press('Send me a code');
  await heading('Enter the code');
  return codeSentTo(email, cloud.baseUrl);
}

async function keepIt(code: string): Promise<void> {
  await field('Code from the e-mail').fill(code);
  await press('Keep it');
}

/** What went wrong besides answers with this status, which the page shown is there for. */
function troublesBut(status: number): string[] {
  return troubles.filter(
    (trouble) =>
      !trouble.startsWith(`${status}: `) &&
      !trouble.startsWith(
        `console: Failed to load resource: the server responded with a status of ${status}`,
      ),
  );
}

describe('somebody new', () => {
  test('publishes, keeps it by the claim link, and deletes it without a trace', async () => {
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
    if (uploaded.status() !== 200)
      console.log(uploaded.status(), (await uploaded.text()).slice(0, 1500));
    const { projectId, url, claimUrl } = (await uploaded.json()).data;
    const [claim] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('link', { name: 'Keep it' }).click(),
    ]);
    page = claim;
    const inClaim = watch(page, new URL(cloud.baseUrl).host);
    await heading('Keep this project');
    expect(page.url()).toBe(claimUrl);
    expect(await page.evaluate('window.opener')).toBeNull();

    const email = anEmail();
    await keepIt(await askForCode(email));
    await heading('The project is yours');
    expect(await page.locator('main').textContent()).toContain(
      'It stays online until you delete it.',
    );
    expect([...troubles, ...inClaim]).toEqual([]);

    await cloud.advance(16 * 60);
    expect((await ask(url)).text).toContain('Afloat');
    const apiKey = await signIn(email, cloud.baseUrl);
    const bytes = anHtml.buffer.length;
    expect(await usage(apiKey, cloud.baseUrl)).toEqual({ projects: 1, bytes });
    expect((await cloud.state()).keys).toEqual([expect.stringContaining(projectId)]);

    expect((await remove(apiKey, projectId, cloud.baseUrl)).status).toBe(200);
    expect(await usage(apiKey, cloud.baseUrl)).toEqual({ projects: 0, bytes: 0 });
    await expectNoSite(url);
    // The edge is told twice, a minute apart; until then a row knows of it.
    await cloud.advance(180);
    expect(await held()).toEqual(before);
    const state = await ask(`${cloud.baseUrl}/_local/state`);
    expect(state.text).not.toContain(projectId);
    expect(state.text).toContain(email);
  });

  test('needs no JavaScript', async () => {
    await open(cloud.baseUrl, { javaScriptEnabled: false });
    await page.locator('#files').setInputFiles(anHtml);
    const [answer] = await Promise.all([page.waitForNavigation(), press('Publish')]);
    const { data } = JSON.parse((await answer?.text()) ?? '');
    await page.goto(data.claimUrl);
    const email = anEmail();
    const code = await askForCode(email);
    await keepIt(wrong(code));
    await page.getByRole('alert').getByText('This is not the code.').waitFor();
    await keepIt(code);
    await heading('The project is yours');
    expect(troublesBut(401)).toEqual([]);
  });

  test('needs no mouse', async () => {
    await open(await aClaimUrl());
    const email = anEmail();
    expect(await focused()).toBe('email');
    await page.keyboard.type(email);
    await page.keyboard.press('Enter');
    await heading('Enter the code');
    expect(await focused()).toBe('code');
    // As people and mail programs write it.
    await page.keyboard.type((await codeSentTo(email, cloud.baseUrl)).replace(/^.../, '$& '));
    await page.keyboard.press('Enter');
    await heading('The project is yours');
    expect(troubles).toEqual([]);
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
  await askForCode(anEmail());
  await walk(['code', 'Keep it', 'Send it again', 'Use another address', host]);
});

describe('a mistake', () => {
  test.each([
    ['wrong', wrong, 401, 'This is not the code. 4 more tries.'],
    ['incomplete', (code: string) => code.slice(0, 5), 400, 'The code is six digits.'],
  ])('in a code that is %s is told at its field, and the right one still works', async (...row) => {
    const [, mistake, status, said] = row;
    await open(await aClaimUrl());
    const code = await askForCode(anEmail());
    await page.evaluate("document.getElementById('code').removeAttribute('pattern')");
    await keepIt(mistake(code));
    await expectFault('code', said);
    await keepIt(code);
    await heading('The project is yours');
    expect(troublesBut(status)).toEqual([]);
  });

  test('in an address is told at its field, which keeps what was entered', async () => {
    await open(await aClaimUrl());
    await field('Your e-mail address').fill('ann@harbour');
    await press('Send me a code');
    await expectFault('email', 'This is not an e-mail address.');
    expect(await field('Your e-mail address').inputValue()).toBe('ann@harbour');
    expect(troublesBut(400)).toEqual([]);
  });

  async function expectFault(id: string, said: string): Promise<void> {
    await page.getByRole('alert').getByText(said, { exact: true }).waitFor();
    const input = page.locator(`#${id}`);
    expect(await input.getAttribute('aria-invalid')).toBe('true');
    expect(await input.getAttribute('aria-describedby')).toBe(`${id}-error ${id}-hint`);
    expect(await page.locator(`#${id}-error`).textContent()).toBe(said);
    expect(await focused()).toBe(id);
  }
});

test('the code is sent again on demand, once a minute', async () => {
  await open(await aClaimUrl());
  const email = anEmail();
  const code = await askForCode(email);
  await press('Send it again');
  await page.getByText(/It can be sent again in \d+ seconds/).waitFor();
  expect(await mailsTo(email, cloud.baseUrl)).toHaveLength(1);
  await cloud.advance(61);
  await press('Send it again');
  await page.getByRole('status').getByText('The code was sent again.').waitFor();
  expect(await mailsTo(email, cloud.baseUrl)).toHaveLength(2);
  await keepIt(code);
  await heading('The project is yours');
  expect(troubles).toEqual([]);
});

test('the link to the project tells it nothing of the claim', async () => {
  const { claimUrl, url } = await temporary(undefined, cloud.baseUrl);
  await open(claimUrl);
  const [site] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('link', { name: new URL(url).host }).click(),
  ]);
  await site
    .getByRole('heading', { name: 'Mine' })
    .waitFor({ timeout: 5000 })
    .catch(async (e) => {
      console.log(
        site.url(),
        (await site.content()).slice(0, 300) + (await site.locator('body').innerText()),
      );
      throw e;
    });
  expect(await site.evaluate('[document.referrer, window.opener]')).toEqual(['', null]);
  expect(troubles).toEqual([]);
});

test('every page is whole in both schemes and widths', async () => {
  await cloud.advance(3600);
  const email = anEmail();
  const claimUrl = await aClaimUrl();
  await open(claimUrl);
  await expectWhole('page', 'Keep this project');
  const code = await askForCode(email);
  await expectWhole('code', 'Enter the code');
  await keepIt(wrong(code));
  await page.getByRole('alert').waitFor();
  await expectWhole('code-wrong', 'Enter the code');
  await keepIt(code);
  await expectWhole('kept', 'The project is yours');
  expect(troublesBut(401)).toEqual([]);

  troubles.length = 0;
  expect((await page.goto(claimUrl))?.status()).toBe(409);
  await expectWhole('used', 'This project is kept already');
  expect(troublesBut(409)).toEqual([]);

  troubles.length = 0;
  const unknown = `${cloud.baseUrl}/claim/${'A'.repeat(43)}`;
  expect((await page.goto(unknown))?.status()).toBe(404);
  await expectWhole('unknown', 'This claim link does not work');
  expect(troublesBut(404)).toEqual([]);

  troubles.length = 0;
  await page.goto(await aClaimUrl());
  await keepIt(await askForCode(email));
  await expectWhole('no-room', 'Your plan holds no more projects');
  expect(troublesBut(403)).toEqual([]);
  await page.getByRole('link', { name: 'Try again' }).click();
  await heading('Keep this project');
});

async function expectWhole(name: string, title: string): Promise<void> {
  await heading(title);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 844 });
      const over = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
      expect(await page.evaluate(over)).toBe(0);
      await picture(page, `claim-${name}-${colorScheme}-${width}`, true);
    }
  }
}

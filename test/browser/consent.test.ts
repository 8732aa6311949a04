import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { anEmail, codeSentTo } from '../fixtures/accounts/accounts.ts';
import { baseUrl } from '../fixtures/clouds/client.ts';
import { listTools, OAuthApp, pkce, tokensOf } from '../fixtures/agents/oauth-app.ts';
import { expectGoodLayout, openPage } from './support/chromium.ts';
import { askForCode, pageErrorsExcept, wrongCodeFor } from './support/claim-steps.ts';
import { signInOn } from './support/dashboard.ts';
import { browser } from './support/own-browser.ts';
import { watch } from './support/watch.ts';

/** What a native app runs for a moment: it takes the callback and says that the page can be closed. */
class Loopback {
  readonly calls: string[] = [];
  readonly #server = http.createServer((request, response) => {
    if (request.url?.startsWith('/callback')) this.calls.push(request.url);
    response.setHeader('content-type', 'text/html');
    response.end('<link rel="icon" href="data:,"><h1>Back in the app</h1>');
  });

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  get redirectUri(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}/callback`;
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

/** With every character that a link in between could lose. */
const state = `a b+c%20d"'<é>&=#/?`;

let page: Page;
let pageErrors: string[];
let loopback: Loopback;
let app: OAuthApp;

beforeAll(async () => {
  loopback = await new Loopback().start();
  // Registered with no port, as native apps are told to: any port is theirs on this machine.
  app = await new OAuthApp(baseUrl, 'none', 'http://127.0.0.1/callback').register();
}, 600_000);
afterAll(() => loopback.stop());
afterEach(() => page.context().close());

/** Opens the page as a link of the app on another site does. */
async function arrive(more = {}, options?: BrowserContextOptions): Promise<{ verifier: string }> {
  const { verifier, challenge } = pkce();
  const { redirectUri: redirect_uri } = loopback;
  const url = app.authorizeUrl(challenge, { redirect_uri, state, ...more });
  page = await openPage(browser, options);
  pageErrors = watch(page, new URL(baseUrl).host);
  await page.goto(url);
  return { verifier };
}

async function signIn(email = anEmail()): Promise<string> {
  const code = await askForCode(page, baseUrl, email);
  await page.getByRole('textbox').fill(code);
  await page.getByRole('textbox').press('Enter');
  await page.getByRole('button', { name: 'Allow', exact: true }).waitFor();
  return email;
}

/** Presses a button and waits for the app’s own page; what it was called with. */
async function decide(name: string): Promise<URLSearchParams> {
  const before = loopback.calls.length;
  await page.getByRole('button', { name, exact: true }).click();
  await page.getByRole('heading', { name: 'Back in the app' }).waitFor();
  expect(loopback.calls).toHaveLength(before + 1);
  return new URL(loopback.calls.at(-1) ?? '', loopback.redirectUri).searchParams;
}

/** The app's own pages are the one foreign place that the browser may go to. */
const strange = () =>
  pageErrors.filter((error) => !error.startsWith(`foreign: ${loopback.redirectUri}`));

describe('a person whom an app sends', () => {
  test('signs in and allows the app with a click; the app gets a valid code', async () => {
    const { verifier } = await arrive();
    await signIn();
    await look('consent');
    const answer = await decide('Allow');
    expect(Object.fromEntries(answer)).toEqual({
      code: expect.stringMatching(/^[\w-]{32,}$/),
      state,
      iss: baseUrl,
    });
    expect(strange()).toEqual([]);
    const { redirectUri: redirect_uri } = loopback;
    const code = answer.get('code') ?? '';
    const tokens = tokensOf(await app.exchange({ code, verifier }, { redirect_uri }));
    expect((await listTools(tokens.access_token)).status).toBe(200);
  });

  test('refuses with a click, and the app gets the error', async () => {
    await arrive();
    await signIn();
    const answer = await decide('Don’t allow');
    expect(Object.fromEntries(answer)).toEqual({
      error: 'access_denied',
      error_description: expect.stringMatching(/\S{3}/),
      state,
      iss: baseUrl,
    });
    expect(strange()).toEqual([]);
  });

  test('who is signed in needs no new code, also after a link from another site', async () => {
    await arrive();
    const email = await signIn();
    await decide('Allow');
    const again = app.authorizeUrl(pkce().challenge, { redirect_uri: loopback.redirectUri, state });
    // A page of another site: a Strict cookie would not come along from there.
    await page.goto(`${loopback.redirectUri}2`);
    await page.evaluate(`location.href = ${JSON.stringify(again)}`);
    await page.getByRole('button', { name: 'Allow', exact: true }).waitFor();
    expect(await page.locator('main').textContent()).toContain(email);
    expect(await page.evaluate('document.cookie')).toBe('');
    await decide('Allow');
    expect(strange()).toEqual([]);
  });

  test('needs no script and no mouse', async () => {
    await arrive({}, { javaScriptEnabled: false });
    const email = anEmail();
    await page.getByLabel('Your e-mail address').fill(email);
    await page.keyboard.press('Enter');
    await page.getByLabel('Code from the e-mail').waitFor();
    const code = await codeSentTo(email);
    await page.getByRole('textbox').fill(wrongCodeFor(code));
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    await page.getByRole('textbox').fill(code);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Allow', exact: true }).waitFor();
    const focused = () => page.evaluate<string>('document.activeElement.textContent');
    for (let step = 0; step < 20 && (await focused()) !== 'Allow'; step += 1)
      await page.keyboard.press('Tab');
    const before = loopback.calls.length;
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Back in the app' }).waitFor();
    expect(loopback.calls.slice(before)).toEqual([expect.stringContaining('code=')]);
    expect(pageErrorsExcept(strange(), 401)).toEqual([]);
  });

  test('sees an app name that contains markup as plain text', async () => {
    const name = '<img src=x onerror=alert(1)>Tide & <b>table</b>';
    const hostile = await new OAuthApp(baseUrl, 'none', 'https://app.example/callback').register(
      name,
    );
    page = await openPage(browser);
    pageErrors = watch(page, new URL(baseUrl).host);
    await page.goto(
      hostile.authorizeUrl(pkce().challenge, { state: '"><script>alert(1)</script>' }),
    );
    await signIn();
    expect(await page.locator('main').textContent()).toContain(name);
    expect(await page.locator('main img, main script').count()).toBe(0);
    expect(await page.locator('main').textContent()).toContain('app.example');
    await look('consent-hostile-name');
    expect(pageErrors).toEqual([]);
  });
});

test('the list of connected apps is in the web app, also after a sign-in, and ends the app’s access', async () => {
  const { verifier } = await arrive();
  const email = await signIn();
  const code = (await decide('Allow')).get('code') ?? '';
  const exchanged = app.exchange({ code, verifier }, { redirect_uri: loopback.redirectUri });
  const { access_token: token } = tokensOf(await exchanged);
  await page.context().clearCookies();
  await page.goto(`${baseUrl}/oauth/connections`);
  await signInOn(page, email);
  await page.waitForURL('**/dashboard/account#access');
  const list = page.locator('#access');
  await list.getByText('It can see your projects; publish, change and delete projects').waitFor();
  await list.getByRole('button', { name: 'Disconnect' }).click();
  expect((await listTools(token)).status).toBe(200);
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
  await page.getByText('No app is connected.').waitFor();
  expect((await listTools(token)).status).toBe(401);
  expect(pageErrorsExcept(strange(), 401)).toEqual([]);
});

test('a request of an unknown app gets an error page', async () => {
  await arrive({ client_id: 'nobody' });
  await look('refused');
  expect(page.url()).toContain(`${baseUrl}/oauth/authorize`);
  expect(pageErrorsExcept(pageErrors, 400)).toEqual([]);
});

async function look(name: string): Promise<void> {
  await expectGoodLayout(page, `oauth-${name}`);
}

import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { anEmail } from '../fixtures/accounts/accounts.ts';
import { baseUrl } from '../fixtures/clouds/client.ts';
import { OAuthApp, pkce } from '../fixtures/agents/oauth-app.ts';
import { expectGoodLayout, openPage } from './support/chromium.ts';
import {
  askForCode,
  heading,
  press,
  pageErrorsExcept,
  wrongCodeFor,
} from './support/claim-steps.ts';
import { browser } from './support/own-browser.ts';
import { watch } from './support/watch.ts';

let page: Page;
let pageErrors: string[];

beforeAll(async () => {
  page = await openPage(browser);
  pageErrors = watch(page, new URL(baseUrl).host);
}, 600_000);

test('every page fits and is accessible', async () => {
  const name =
    'The app of a very long name that nobody has thought about twice, Tidetablesandcharts';
  const app = await new OAuthApp(
    baseUrl,
    'none',
    'cursor://anysphere.cursor-mcp/oauth/callback',
  ).register(name);
  const url = app.authorizeUrl(pkce().challenge, { scope: 'projects:read' });
  const email = anEmail();
  await page.goto(url);
  await checkPage('sign-in', `Sign in to connect ${name}`);
  expect(await focused()).toEqual(['textbox', 'Your e-mail address']);
  const code = await askForCode(page, baseUrl, email);
  await checkPage('code', 'Enter the code');
  await page.getByLabel('Code from the e-mail').fill(wrongCodeFor(code));
  await press(page, 'Sign in');
  expect(await page.getByRole('alert').textContent()).toBe('This code is wrong. Attempts left: 4.');
  expect(await page.getByLabel('Code from the e-mail').getAttribute('aria-describedby')).toBe(
    'code-error code-hint',
  );
  await checkPage('code-wrong', 'Enter the code');
  await page.getByLabel('Code from the e-mail').fill(code);
  await press(page, 'Sign in');
  await checkPage('consent', `Connect ${name}?`);
  expect(await page.locator('main').ariaSnapshot()).toBe(consent(name, email));
  expect(pageErrorsExcept(pageErrors, 401)).toEqual([]);

  pageErrors.length = 0;
  const other = await page.context().newPage();
  await other.goto(url);
  await other.getByRole('button', { name: 'Use another account' }).click();
  await heading(other, `Sign in to connect ${name}`);
  await page.getByRole('button', { name: 'Allow', exact: true }).click();
  await checkPage('begin-again', 'Please start again');
  expect(pageErrorsExcept(pageErrors, 403)).toEqual([]);
  await page.getByRole('link', { name: 'Start again' }).click();
  await heading(page, `Sign in to connect ${name}`);

  pageErrors.length = 0;
  await page.goto(app.authorizeUrl(pkce().challenge, { redirect_uri: 'https://evil.example/' }));
  await checkPage('unknown-redirect', 'This app’s return address is not registered');
  expect(pageErrorsExcept(pageErrors, 400)).toEqual([]);
});

const consent = (name: string, email: string) => `- main:
  - heading "Connect ${name}?" [level=1]
  - paragraph: ${name} asks to use Slipway on your behalf. The app chose this name itself. Slipway does not know who made it.
  - term: Account
  - definition: ${email}
  - term: Return address
  - definition:
    - text: the app on this device that opens
    - strong: cursor://
  - heading "It can" [level=2]
  - list:
    - listitem:
      - paragraph:
        - strong: See your projects
      - paragraph: Their names, addresses, settings and QR codes, and how often they were opened. Passwords stay hidden.
  - heading "It cannot" [level=2]
  - list:
    - listitem:
      - paragraph: Publish, change or delete anything.
    - listitem:
      - paragraph: See your e-mail address or your plan.
    - listitem:
      - paragraph: See or create API keys, or sign in as you.
    - listitem:
      - paragraph: Change your account or your plan.
  - paragraph:
    - text: Allow this only if you have just asked this app to connect. You can remove the access at any time under
    - link "connected apps":
      - /url: /oauth/connections
    - text: . It ends automatically if the app does not use it for 60 days.
  - button "Allow"
  - button "Don’t allow"
  - paragraph:
    - text: Not you?
    - button "Use another account"`;

/** Role and name of what has the focus. */
function focused(): Promise<string[]> {
  return page.evaluate(
    `[document.activeElement.tagName === 'INPUT' ? 'textbox' : document.activeElement.tagName, document.activeElement.labels?.[0]?.textContent]`,
  );
}

async function checkPage(name: string, title: string): Promise<void> {
  await heading(page, title);
  await expectGoodLayout(page, `authorize-${name}`);
}

import { afterAll, beforeAll, jest, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { anEmail, signIn } from '../fixtures/accounts/accounts.ts';
import { file } from '../fixtures/clouds/client.ts';
import { created } from '../fixtures/projects/projects.ts';
import { look, open, whenCounted } from '../fixtures/visits/opens.ts';
import { openPage, startChromium } from './support/chromium.ts';
import { signInOn, viewAt } from './support/dashboard.ts';

jest.setTimeout(600_000);

let browser: Browser;
let page: Page;

beforeAll(async () => {
  browser = await startChromium();
}, 600_000);
afterAll(() => browser?.close());

test('statistics say in one sentence how often a project was opened, and list its pages', async () => {
  const email = anEmail();
  const key = await signIn(email);
  const files = [file('index.html', '<h1>Home</h1>'), file('tide.html', '<h1>Tide</h1>')];
  const { projectId, url } = await created(key, { files });
  const referrer = 'https://news.example.org/';
  await look(url, { headers: { referer: referrer } });
  await look(url, { path: '/tide.html' });
  await open(url, { referrer });
  await open(url, { path: '/tide.html' });
  await whenCounted(key, projectId, ({ opens, visits }) => opens.total === 2 && visits.total >= 2);

  page = await openPage(browser);
  await page.goto(viewAt(`/projects/${projectId}`));
  await signInOn(page, email);
  await page.getByRole('heading', { name: 'Last 30 days' }).waitFor();
  await page.getByText(/^It was opened 2 times \(\d page requests?\)\.$/).waitFor();
  const list = (name: string) => page.locator(`h3:text-is("${name}") + ul`);
  await list('Pages and files').getByText('/tide.html').waitFor();
});

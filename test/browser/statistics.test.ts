import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { anEmail, signIn } from '../fixtures/accounts/accounts.ts';
import { file } from '../fixtures/clouds/client.ts';
import { created } from '../fixtures/projects/projects.ts';
import { firefox } from '../fixtures/visits/hits.ts';
import { cookieFrom } from '../fixtures/visits/access.ts';
import { look, open, whenCounted } from '../fixtures/visits/opens.ts';
import { follow, shared } from '../fixtures/visits/share-links.ts';
import { expectGoodLayout, openPage } from './support/chromium.ts';
import { signInOn, viewAt } from './support/dashboard.ts';
import { browser } from './support/own-browser.ts';

let page: Page;

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
  const link = await shared(key, projectId, { name: 'Anna, Example Ltd' });

  page = await openPage(browser);
  await page.goto(viewAt(`/projects/${projectId}`));
  await signInOn(page, email);
  await page.getByRole('heading', { name: 'Last 30 days' }).waitFor();
  await page.getByText(/^It was opened 2 times \(\d page views?\)\.$/).waitFor();
  const list = (name: string) => page.locator(`h3:text-is("${name}") + ul`);
  await list('Pages and files').getByText('/tide.html').waitFor();
  await list('Sources').getByText('news.example.org').waitFor();

  const meaning = page.getByRole('tooltip', { name: /^How often a page was asked for/ });
  expect(await meaning.isVisible()).toBe(false);
  await page.locator('.figures .term').last().focus();
  await meaning.waitFor();
  await page.keyboard.press('Tab');
  await expectGoodLayout(page, 'statistics');
  await page.setViewportSize({ width: 390, height: 844 });
  const top = async (selector: string) => (await page.locator(selector).first().boundingBox())?.y;
  expect(await top('.figures')).toBeLessThan(Number(await top('.preview')));

  // Of an open by a share link the owner sees by whom it was, on a phone too.
  expect(await page.getByRole('columnheader', { name: 'Who' }).count()).toBe(0);
  const cookie = cookieFrom(await follow(link.url));
  await look(url, { headers: { cookie } });
  await open(url, { headers: { cookie } });
  await whenCounted(key, projectId, ({ opens }) => opens.total === 3);
  await page.reload();
  await page.getByRole('columnheader', { name: 'Who' }).waitFor();
  expect(await page.getByRole('cell', { name: 'Anna, Example Ltd' }).isVisible()).toBe(true);
  await expectGoodLayout(page, 'statistics-who');
  await page.context().close();
});

test('who comes through a password page has come from the page before it', async () => {
  const key = await signIn();
  const locked = await created(key, {
    files: [file('index.html', '<!doctype html><title>Locked</title><h1>Locked</h1>')],
    fields: { access: 'password', password: 'open sesame' },
  });
  const news = await created(key, {
    files: [file('index.html', `<!doctype html><a href="${locked.url}">Read it</a>`)],
  });
  page = await openPage(browser, { userAgent: firefox });
  const content = "Object.defineProperty(Navigator.prototype, 'webdriver', { get: () => false })";
  await page.addInitScript({ content });
  await page.goto(news.url);
  await page.getByRole('link', { name: 'Read it' }).click();
  for (const password of ['wrong', 'open sesame']) {
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Open the page' }).click();
    if (password === 'wrong') await page.getByText('The password is wrong').waitFor();
  }
  await page.getByRole('heading', { name: 'Locked' }).waitFor();
  const { opens, recentOpens } = await whenCounted(
    key,
    locked.projectId,
    (data) => data.opens.total === 1 && data.recentOpens.length === 1,
  );
  expect(opens.total).toBe(1);
  expect(recentOpens[0].referrer).toBe(new URL(news.url).host);
  await page.reload();
  expect(await page.evaluate('sessionStorage.length')).toBe(0);
  await page.context().close();
});

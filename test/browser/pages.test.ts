import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { sendWith, signIn } from '../fixtures/accounts/accounts.ts';
import { file, publishTo } from '../fixtures/clouds/client.ts';
import { LocalCloud } from '../fixtures/clouds/local-cloud.ts';
import { created } from '../fixtures/projects/projects.ts';
import { openPage, picture } from './support/chromium.ts';
import { seriousFindings } from './support/dashboard.ts';
import { browser } from './support/own-browser.ts';
import { watch } from './support/watch.ts';

/** Of its own, because its clock is moved past the end of a site. */
const cloud = new LocalCloud();
let page: Page;
/** Where each page is to be seen. */
let addresses: Record<string, string>;

async function published(...names: string[]): Promise<string> {
  const { json } = await publishTo(
    cloud.baseUrl,
    names.map((name) => file(name, name)),
  );
  return json.data.url;
}

/**
 * The address of a site that has just ended.
 *
 * The sweep at every full minute makes a 404 of it: so it ends at the 20th second, and the sweep that
 * is due at its end is over by then.
 */
async function expired(): Promise<string> {
  await cloud.advance(80 - (await cloud.now()).getUTCSeconds());
  const { json } = await publishTo(cloud.baseUrl, [file('index.html')]);
  const { url, expiresAt } = json.data;
  const left = async () => (Date.parse(expiresAt) - (await cloud.now()).getTime()) / 1000;
  await cloud.advance((await left()) - 10);
  await cloud.advance((await left()) + 0.1);
  return url;
}

beforeAll(async () => {
  await cloud.start();
  const gone = await expired();
  const long = `${'a-very-long-name-'.repeat(8)}end.txt`;
  const list = await published('notes.txt', 'photos/bow.png', 'songs/shanty.mp3', long);
  const [label = ''] = new URL(list).host.split('.');
  addresses = {
    landing: cloud.baseUrl,
    list,
    offer: await published('Letter to the harbour master, second draft.odt'),
    'no-site': list.replace(label, 'no-such-site-here'),
    'no-file': `${list}/not/there.html`,
    gone,
  };
}, 600_000);

afterAll(() => cloud.remove());

afterEach(() => page.context().close());

/** The one that does not stay comes first. */
const pages = [
  ['gone', 410, 'This link has expired'],
  ['landing', 200, 'Drop files. Get a link.'],
  ['list', 200, '4 files'],
  ['offer', 200, 'Letter to the harbour master, second draft.odt'],
  ['no-site', 404, 'There is nothing at this address'],
  ['no-file', 404, 'This page does not exist'],
] as const;

const appearances = [
  ['light', 1280, 800],
  ['light', 390, 844],
  ['dark', 1280, 800],
  ['dark', 390, 844],
] as const;

/** How bright the ground and the text are, from 0 to 1. */
const brightness = `(() => {
  const { backgroundColor, color } = getComputedStyle(document.body);
  const of = (rgb) => rgb.match(/\\d+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0) / 765;
  return { ground: of(backgroundColor), text: of(color) };
})()`;

describe.each(pages)('the page %s', (name, status, heading) => {
  test.each(appearances)('fits in %s at %i px', async (colorScheme, width, height) => {
    page = await openPage(browser, { colorScheme, viewport: { width, height } });
    const url = addresses[name] ?? '';
    const pageErrors = watch(page, new URL(url).host);
    expect((await page.goto(url))?.status()).toBe(status);
    await page.getByRole('heading', { level: 1, name: heading }).waitFor();

    const { ground, text } = await page.evaluate<{ ground: number; text: number }>(brightness);
    expect(colorScheme === 'dark' ? text - ground : ground - text).toBeGreaterThan(0.6);
    const over = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await page.evaluate(over)).toBe(0);
    expect(await page.evaluate('document.documentElement.lang')).toBe('en');
    await picture(page, `${name}-${colorScheme}-${width}`, true);
    // The status of the page itself is what is asked for here.
    const expected = [
      `${status}: `,
      `console: Failed to load resource: the server responded with a status of ${status}`,
    ];
    expect(pageErrors.filter((error) => !expected.some((e) => error.startsWith(e)))).toEqual([]);
  });
});

test('no page for people without an account has what axe finds serious', async () => {
  page = await openPage(browser);
  const key = await signIn(undefined, cloud.baseUrl);
  const locked = { access: 'password', password: 'calm-harbour-42' };
  const { url } = await created(key, { fields: locked, service: cloud.baseUrl });
  const link = await sendWith(key, `${cloud.baseUrl}/v1/upload-links`, { title: 'Photos' });
  const others = {
    ...Object.fromEntries(
      ['connect', 'device', 'nowhere', 'mails/stop/x', 'claim/x'].map((path) => [
        path,
        `${cloud.baseUrl}/${path}`,
      ]),
    ),
    upload: link.json.data.pageUrl,
    locked: url,
    report: `${url}/_slipway/report`,
  };
  const findings: string[] = [];
  for (const [name, address] of Object.entries({ ...addresses, ...others })) {
    await page.goto(address);
    await page.getByRole('heading').first().waitFor();
    findings.push(...(await seriousFindings(page, name)));
  }
  expect(findings).toEqual([]);
});

test('the page of a missing file leads to the start of its site', async () => {
  page = await openPage(browser);
  await page.goto(addresses['no-file'] ?? '');
  await page.getByRole('link', { name: 'go to the start page of this site' }).click();
  await page.getByRole('heading', { name: '4 files' }).waitFor();
});

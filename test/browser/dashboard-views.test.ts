import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { anEmail, sendWith, signIn } from '../fixtures/accounts/accounts.ts';
import { baseUrl, file } from '../fixtures/clouds/client.ts';
import { created, remove } from '../fixtures/projects/projects.ts';
import { pushed } from '../fixtures/projects/versions.ts';
import { expectNoOverflow, openPage, startChromium } from './support/chromium.ts';
import { seriousFindings, signInOn, untilRead, viewAt } from './support/dashboard.ts';
import { watch } from './support/watch.ts';

jest.setTimeout(600_000);

/** Texts that break out of markup, of its direction, of its line, or of a template. */
const hostile = [
  '<img src=x onerror=alert(1)>',
  '"\'><script>alert(1)</script><svg onload=alert(1)>',
  '{{constructor.constructor("alert(1)")()}} ${alert(1)}',
  `\u{1F6A2}\u0301\u0301\u0301 مرحبا ${'W'.repeat(200)}`,
];
/** A path cannot have some characters that a title can. */
const hostilePaths = [
  '<img src=x onerror=alert(1)>.html',
  `${'long'.repeat(40)}.css`,
  "a'b&c=d#e?.txt",
];

let browser: Browser;
let page: Page;
let pageErrors: string[];
let projectId: string;
let domainId: string;

/** Fills an account with hostile texts wherever it takes any. */
async function fillAccount(key: string): Promise<void> {
  const files = [file('index.html', '<h1>Calm'), ...hostilePaths.map((path) => file(path, path))];
  for (const title of hostile) ({ projectId } = await created(key, { files, fields: { title } }));
  await pushed(key, projectId, [...files, file('new <b>.css', 'new')]);
  const { projectId: deleted } = await created(key, { fields: { title: hostile[0] ?? '' } });
  await remove(key, deleted);
  const send = (path: string, body: unknown, method = 'POST') =>
    sendWith(key, baseUrl + path, body, method);
  for (const name of hostile) {
    await send('/v1/workspaces', { name });
    await send('/v1/upload-links', { title: name });
  }
  const settings = { pageTitle: hostile[1], metaDescription: hostile[2] };
  await send(`/v1/projects/${projectId}`, settings, 'PATCH');
  domainId = (await send('/v1/domains', { domain: 'harbour.example.org' })).json.data.id;
}

beforeAll(async () => {
  browser = await startChromium();
  page = await openPage(browser);
  page.on('dialog', () => pageErrors.push('a text ran'));
  pageErrors = watch(page, new URL(baseUrl).host);
}, 600_000);
afterAll(() => browser?.close());

test('no view of a hostile account runs its texts, overflows, or has a serious fault, in light and dark', async () => {
  const email = anEmail();
  await page.goto(viewAt('/'));
  const findings = await seriousFindings(page, 'sign-in');
  await expectNoOverflow(page, 'dashboard-sign-in');
  await signInOn(page, email);
  await page.getByText('Nothing here yet').waitFor();
  await expectNoOverflow(page, 'dashboard-empty');
  for (const name of hostile) {
    await page.evaluate(
      `fetch('/v1/keys', { method: 'POST', headers: { 'content-type': 'application/json' }, body: ${JSON.stringify(JSON.stringify({ name: name.slice(0, 60) }))} })`,
    );
  }
  await fillAccount(await signIn(email));
  const views = {
    projects: '/',
    overview: `/projects/${projectId}`,
    files: `/projects/${projectId}/files`,
    versions: `/projects/${projectId}/versions`,
    settings: `/projects/${projectId}/settings`,
    deleted: '/deleted',
    keys: '/keys',
    'upload-links': '/upload-links',
    workspaces: '/workspaces',
    domains: '/domains',
    domain: `/domains/${domainId}`,
    connect: '/connect',
    account: '/account',
    missing: '/nowhere',
  };
  for (const [name, path] of Object.entries(views)) {
    await page.goto(viewAt(path));
    await untilRead(page);
    findings.push(...(await seriousFindings(page, name)));
    await expectNoOverflow(page, `dashboard-${name}`);
    await page.setViewportSize({ width: 1280, height: 844 });
  }
  expect(findings).toEqual([]);
  const expected = /40[14]|^console: Failed to load resource/;
  expect(pageErrors.filter((one) => !expected.test(one))).toEqual([]);
});

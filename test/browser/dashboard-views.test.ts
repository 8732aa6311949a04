import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { post, sendWith, signIn } from '../fixtures/accounts/accounts.ts';
import { OAuthApp } from '../fixtures/agents/oauth-app.ts';
import { Person } from '../fixtures/agents/oauth.ts';
import { baseUrl, file } from '../fixtures/clouds/client.ts';
import { operators } from '../fixtures/clouds/cloud-settings.ts';
import { created, remove } from '../fixtures/projects/projects.ts';
import { pushed } from '../fixtures/projects/versions.ts';
import { open, whenCounted } from '../fixtures/visits/opens.ts';
import { expectGoodLayout, openPage, painted } from './support/chromium.ts';
import { overlappingControls, signInOn, untilRead, viewAt } from './support/dashboard.ts';
import { browser } from './support/own-browser.ts';
import { watch } from './support/watch.ts';

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

/** Pages that link to a project. Their addresses are shown beside its opens. */
const hostileReferrers = [
  'https://a.example/<img src=x onerror=alert(1)>',
  `https://${'long.'.repeat(40)}example/"><script>alert(1)</script>`,
  "https://b.example/'{{constructor.constructor('alert(1)')()}}${alert(1)}",
];
/** The longest name that a domain can have. */
const longDomain = `${'w'.repeat(63)}.${'x'.repeat(63)}.example.org`;

let page: Page;
let pageErrors: string[];
let projectId: string;
let domainId: string;

/** Connects apps with hostile names, and opens a project from pages with hostile addresses. */
async function letOthersWrite(key: string, email: string, url: string): Promise<void> {
  const person = new Person(baseUrl, email);
  for (const name of hostile) {
    await (await new OAuthApp().register(name)).connect(person);
  }
  for (const referrer of hostileReferrers) await open(url, { referrer });
  await whenCounted(key, projectId, ({ opens }) => opens.total >= hostileReferrers.length);
}

/** Fills an account with hostile texts wherever it takes any. */
const previewName = 'pr-42';

async function fillAccount(key: string, email: string): Promise<void> {
  let url = '';
  const files = [file('index.html', '<h1>Calm'), ...hostilePaths.map((path) => file(path, path))];
  for (const title of hostile) {
    const project = await created(key, { files, fields: { title } });
    ({ projectId, url } = project);
    // The account is an operator too, and reads what strangers wrote.
    const email = `o'hara+${'long'.repeat(12)}@b.example`;
    const report = { reason: 'other', message: title, url: title, email };
    await post('/_slipway/report', report, { service: project.url });
  }
  await pushed(key, projectId, [...files, file('new <b>.css', 'new')]);
  await pushed(key, `${projectId}/previews/${previewName}`, files);
  const { projectId: deleted } = await created(key, { fields: { title: hostile[0] ?? '' } });
  await remove(key, deleted);
  const send = (path: string, body: unknown, method = 'POST') =>
    sendWith(key, baseUrl + path, body, method);
  for (const name of hostile) {
    await send('/v1/workspaces', { name });
    await send('/v1/upload-links', { title: name });
    await send(`/v1/projects/${projectId}/links`, { name: name.slice(0, 100) });
  }
  const settings = { pageTitle: hostile[1], metaDescription: hostile[2] };
  await send(`/v1/projects/${projectId}`, settings, 'PATCH');
  domainId = (await send('/v1/domains', { domain: longDomain })).json.data.id;
  await letOthersWrite(key, email, url);
}

beforeAll(async () => {
  page = await openPage(browser);
  page.on('dialog', async (dialog) => {
    // A reload while something is sent asks first.
    if (dialog.type() !== 'beforeunload') pageErrors.push('a text ran');
    await dialog.accept();
  });
  pageErrors = watch(page, new URL(baseUrl).host);
}, 600_000);

test('no view of a hostile account runs its texts, overflows, or has a serious fault, in light and dark', async () => {
  const [, email] = operators;
  await page.goto(viewAt('/'));
  const findings: string[] = [];
  await expectGoodLayout(page, 'dashboard-sign-in');
  await signInOn(page, email);
  await page.getByText('Nothing here yet').waitFor();
  await expectGoodLayout(page, 'dashboard-empty');
  for (const name of hostile) {
    await page.evaluate(
      `fetch('/v1/keys', { method: 'POST', headers: { 'content-type': 'application/json' }, body: ${JSON.stringify(JSON.stringify({ name: name.slice(0, 60) }))} })`,
    );
  }
  await fillAccount(await signIn(email), email);
  const views = {
    projects: '/',
    overview: `/projects/${projectId}`,
    links: `/projects/${projectId}/links`,
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
    webhooks: '/webhooks',
    'missing-project': `/projects/${randomUUID()}`,
    operator: '/operator',
    account: '/account',
    missing: '/nowhere',
  };
  for (const [name, path] of Object.entries(views)) {
    await page.goto(viewAt(path));
    await untilRead(page);
    await expectGoodLayout(page, `dashboard-${name}`);
    for (const width of [390, 700, 1280]) {
      await page.setViewportSize({ width, height: 844 });
      await painted(page);
      const pairs = await overlappingControls(page);
      findings.push(...pairs.map((pair) => `${name} at ${width}: ${pair}`));
    }
  }
  expect(findings).toEqual([]);
  const expected = /40[14]|^console: Failed to load resource/;
  expect(pageErrors.filter((one) => !expected.test(one))).toEqual([]);
});

/** The buttons that ask before they do something, and where they are. */
const dialogsAt = (id: string): [path: string, button: string][] => [
  ['/keys', 'Delete'],
  ['/account', 'Disconnect'],
  [`/projects/${id}/settings`, 'Delete'],
  ['/account', 'Delete the account'],
];

/** Reloads the page while a file is being sent. */
async function interruptUpload(): Promise<void> {
  await page.route('**/_local/s3/**', () => undefined);
  const sending = page.waitForRequest((request) => request.method() === 'PUT');
  const half = { name: 'index.html', mimeType: 'text/html', buffer: Buffer.from('<h1>Half') };
  await page.locator('main input[type=file]').first().setInputFiles(half);
  await sending;
  await page.reload();
  await page.getByRole('heading', { name: 'was interrupted' }).waitFor();
  await page.unroute('**/_local/s3/**');
}

test('dialogs, a draft, an interrupted upload and what can be taken back have no serious fault either; a keyboard takes it back', async () => {
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const look = async (name: string) => {
    await expectGoodLayout(page, `dashboard-${name}`);
    await page.setViewportSize({ width: 1280, height: 844 });
  };
  await page.goto(viewAt('/operator'));
  await untilRead(page);
  // Other files of tests have reports in the inbox too.
  const reported = page.locator('li.row', { hasText: hostile[0] ?? '' });
  await reported.getByRole('button', { name: 'Take down' }).click();
  await page.getByRole('dialog').waitFor();
  await look('takedown-dialog');
  await page.getByLabel('Reason, for the owner').fill(hostile[1] ?? '');
  await page.getByRole('dialog').getByRole('button', { name: 'Take down' }).click();
  await button('Handled').click();
  await reported.getByText('Taken down:').waitFor();
  await reported.getByRole('button', { name: 'Serve it again' }).click();
  await reported.getByText('Taken down:').waitFor({ state: 'detached' });
  await page.getByLabel('E-mail address or account id').fill(operators[1]);
  await button('Find').click();
  await page
    .locator('.row', { hasText: operators[1] })
    .getByRole('button', { name: 'Suspend' })
    .click();
  await page.getByLabel('Reason, for the owner').fill('Spam.');
  await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click();
  await page.getByText('The account belongs to an operator').waitFor();
  await look('suspension-dialog');

  await page.goto(viewAt(`/projects/${projectId}/versions`));
  await untilRead(page);
  expect(await page.getByText('published with the API key').count()).toBeGreaterThan(0);
  const changed = { name: 'index.html', mimeType: 'text/html', buffer: Buffer.from('<h1>Draft') };
  await page.locator('main input[type=file]').first().setInputFiles(changed);
  await page.getByRole('heading', { name: 'is a draft' }).waitFor();
  await look('draft');
  await button('Decide later').click();
  await interruptUpload();
  await look('interrupted');
  await page.locator('.upload').getByRole('button', { name: 'Cancel' }).click();

  for (const [path, name] of dialogsAt(projectId)) {
    await page.goto(viewAt(path));
    await untilRead(page);
    await button(name).first().click();
    await page.getByRole('dialog').waitFor();
    await look(`dialog-${name}`);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
  await page.goto(viewAt(`/projects/${projectId}/versions`));
  await button('End it').click();
  await page.getByText(`End the preview ${previewName}?`).waitFor();
  await look('end-preview');
  await page.getByRole('dialog').getByRole('button', { name: 'End it' }).click();
  await page.getByText('Named previews').waitFor({ state: 'detached' });
  await page.goto(viewAt('/domains'));
  await page.getByLabel('Domain').fill(hostile[0] ?? '');
  await button('Add').click();
  await page.getByRole('alert').waitFor();
  await look('refused-domain');

  await page.goto(viewAt(`/projects/${projectId}/settings`));
  await untilRead(page);
  await button('Archive').click();
  await page.locator('[aria-live=polite]').getByText('The project was archived.').waitFor();
  // It stays while somebody is at it.
  await button('Undo').focus();
  await look('undo');
  await button('Undo').focus();
  await page.keyboard.press('Enter');
  await button('Undo').waitFor({ state: 'detached' });
  expect(await page.evaluate('document.activeElement.id')).toBe('view');
  await button('Archive').waitFor();
});

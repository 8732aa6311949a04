import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { BrowserContext, Page } from 'playwright-core';
import { anEmail, signIn } from '../fixtures/accounts/accounts.ts';
import { file } from '../fixtures/clouds/client.ts';
import { LocalCloud } from '../fixtures/clouds/local-cloud.ts';
import { created, remove } from '../fixtures/projects/projects.ts';
import { startOwnChromium } from './support/chromium.ts';

jest.setTimeout(600_000);

const day = 86_400;
const cloud = new LocalCloud();
let service = '';

/** Answers every page, whatever its address, with the one that it kept when it was installed. */
const captor = `
addEventListener('install', (event) => {
  skipWaiting();
  event.waitUntil(caches.open('mine').then((cache) => cache.add('/')));
});
addEventListener('activate', (event) => event.waitUntil(clients.claim()));
addEventListener('fetch', (event) => {
  if (event.request.mode !== 'navigate') return;
  event.respondWith(caches.match('/').then((kept) => kept ?? fetch(event.request)));
});`;
const page = (title: string, script: string) =>
  `<!doctype html><title>${title}</title><h1>${title}</h1><script>${script}</script>`;
/** The same, which fetches the mark of a cleared browser before. */
const marking = captor.replace(
  "caches.match('/')",
  "fetch('/_slipway/cleared').then(() => caches.match('/'))",
);
const former = (worker: string) => [
  file(
    'index.html',
    page(
      'Former',
      `localStorage.setItem('former', 'x'); navigator.serviceWorker.register('/app.js');`,
    ),
  ),
  file('app.js', worker),
];

/** One person's browser, with what it kept. */
class Visitor {
  readonly profile = mkdtempSync(join(tmpdir(), 'slipway-profile-'));
  #context: BrowserContext | undefined;

  async open(url: string): Promise<Page> {
    this.#context ??= await startOwnChromium(this.profile);
    const opened = await this.#context.newPage();
    await opened.goto(url);
    return opened;
  }

  /** Waits for the mark that the browser was cleared: it comes beside the first page. */
  async marked(url: string): Promise<void> {
    const isMarked = async () =>
      (await this.#context?.cookies(url))?.some(({ name }) => name === '__Host-slipway-cleared');
    while (!(await isMarked())) await setTimeout(50);
  }

  async close(): Promise<void> {
    await this.#context?.close();
    this.#context = undefined;
  }
}

const visitors = new Map<string, { visitor: Visitor; url: string }>();
const slugs = ['without-script', 'with-script', 'with-mark', 'with-worker', 'nobody-there'];

/** Visits a site whose service worker keeps its page; then its owner deletes it. */
async function meetFormer(slug: string): Promise<void> {
  const key = await signIn(anEmail(), service);
  const files = former(slug === 'with-mark' ? marking : captor);
  const { projectId, url } = await created(key, { files, service, fields: { slug } });
  const visitor = new Visitor();
  const opened = await visitor.open(url);
  await opened.waitForFunction('navigator.serviceWorker.controller !== null');
  await visitor.close();
  expect((await remove(key, projectId, service)).status).toBe(200);
  visitors.set(slug, { visitor, url });
}

beforeAll(async () => {
  ({ baseUrl: service } = await cloud.start());
  for (const slug of slugs) await meetFormer(slug);
  await cloud.advance(91 * day);
}, 600_000);
afterAll(async () => {
  for (const { visitor } of visitors.values()) {
    await visitor.close();
    rmSync(visitor.profile, { recursive: true, force: true });
  }
  await cloud.remove();
});

/** What the visitor of a former site sees and keeps after another account took its address. */
async function returnTo(slug: string, files: Parameters<typeof file>[] = []) {
  const { visitor, url } = visitors.get(slug) ?? { visitor: new Visitor(), url: '' };
  if (files.length > 0) {
    const key = await signIn(anEmail(), service);
    const parts = files.map((part) => file(...part));
    await created(key, { files: parts, service, fields: { slug } });
  }
  return { visitor, url };
}

const isFree = 'navigator.serviceWorker.getRegistrations().then((all) => all.length === 0)';

/**
 * What the visitor sees once the worker is gone. It goes while its page is shown, which is then
 * loaded again; where Chromium asked the worker and the network at once, the network's answer
 * removed it, and the new page is what the next visit shows.
 */
async function shown(visitor: Visitor, url: string, title: string): Promise<Page> {
  const opened = await visitor.open(url);
  const isShown = `document.querySelector('h1')?.textContent === '${title}'`;
  const isOver = () => opened.evaluate(`${isShown} || ${isFree}`).catch(() => false);
  const endsAt = Date.now() + 60_000;
  while (Date.now() < endsAt && !(await isOver())) await setTimeout(50);
  const again = await visitor.open(url);
  await again.getByRole('heading', { name: title, exact: true }).waitFor();
  return again;
}

const count = `localStorage.setItem('loads', String(1 + Number(localStorage.getItem('loads'))));`;

describe('a service worker of a former site loses the address', () => {
  test('if the new site has no such script', async () => {
    const { visitor, url } = await returnTo('without-script', [
      ['index.html', page('Next', count)],
    ]);
    const opened = await shown(visitor, url, 'Next');
    const kept = `Promise.all([navigator.serviceWorker.getRegistrations(), caches.keys()])`;
    expect(await opened.evaluate(`${kept}.then((all) => all.flat().length)`)).toBe(0);
    expect(await opened.evaluate(`localStorage.getItem('former')`)).toBeNull();
  });

  test('if the new site has a script at the same path that is not a worker', async () => {
    const { visitor, url } = await returnTo('with-script', [
      ['index.html', page('Next', count)],
      ['app.js', 'document.title = "scripted";'],
    ]);
    const opened = await shown(visitor, url, 'Next');
    expect(await opened.evaluate(`localStorage.getItem('former')`)).toBeNull();
  });

  test('also if the former one fetched the mark of a cleared browser itself', async () => {
    const { visitor, url } = await returnTo('with-mark', [
      ['index.html', page('Next', count)],
      ['app.js', 'document.title = "scripted";'],
    ]);
    await visitor.open(url);
    await visitor.marked(url);
    await shown(visitor, url, 'Next');
  });

  test('and the new site keeps its own service worker and data', async () => {
    const register = `${count} navigator.serviceWorker.register('/own.js');`;
    const { visitor, url } = await returnTo('with-worker', [
      ['index.html', page('Next', register)],
      ['own.js', `addEventListener('activate', (event) => event.waitUntil(clients.claim()));`],
    ]);
    await shown(visitor, url, 'Next');
    await visitor.marked(url);
    await visitor.close();
    const again = await visitor.open(url);
    await again.waitForFunction('navigator.serviceWorker.controller !== null');
    const loads = Number(await again.evaluate(`localStorage.getItem('loads')`));
    await visitor.close();
    const third = await visitor.open(`${url}/?third`);
    expect(Number(await third.evaluate(`localStorage.getItem('loads')`))).toBe(loads + 1);
    expect(await third.evaluate('navigator.serviceWorker.controller !== null')).toBe(true);
  });

  test('while no site has the address', async () => {
    const { visitor, url } = await returnTo('nobody-there');
    await shown(visitor, url, 'There is nothing at this address');
  });
});

import { readFileSync } from 'node:fs';
import { createContext, runInContext } from 'node:vm';
import { describe, expect, test } from '@jest/globals';
import { transformSync } from 'esbuild';

const source = readFileSync(new URL('../../../../web/viewers/open.ts', import.meta.url), 'utf8');
const { code } = transformSync(source, { loader: 'ts', minify: true });
const origin = 'https://site.test';

/** A page as far as the script looks at it. */
function aPage(changes: Record<string, any> = {}) {
  const listeners = new Map<string, () => void>();
  const sent: { url: string; body: any; by: string }[] = [];
  const note = (by: string) => (url: string, body: string) => {
    sent.push({ url, body: JSON.parse(body), by });
    return true;
  };
  const page = {
    sent,
    listeners,
    document: {
      referrer: 'https://from.test/',
      visibilityState: 'visible',
      addEventListener: (name: string, listener: () => void) => listeners.set(name, listener),
      removeEventListener: (name: string) => listeners.delete(name),
      ...changes['document'],
    },
    globals: {
      self: { origin, ...changes['self'] },
      location: { origin, pathname: '/a/b', ...changes['location'] },
      navigator: {
        webdriver: false,
        userActivation: {},
        serviceWorker: { controller: null },
        sendBeacon: note('beacon'),
        ...changes['navigator'],
      },
      crypto: { getRandomValues: (bytes: Uint8Array) => crypto.getRandomValues(bytes) },
      fetch: async (url: string, { body }: { body?: string }) => {
        if (body !== undefined) note('fetch')(url, body);
        else {
          const { origin: site, pathname, searchParams } = new URL(url);
          sent.push({ url: site + pathname, body: Object.fromEntries(searchParams), by: 'get' });
        }
        return { status: changes['status'] ?? 204 };
      },
      Request,
      Blob,
      URLSearchParams,
      Uint8Array,
      ...changes['globals'],
    },
  };
  Reflect.deleteProperty(page.globals.navigator ?? {}, changes['without']);
  const context = createContext({ ...page.globals, document: page.document });
  const before = Object.keys(context);
  runInContext(code, context);
  expect(Object.keys(context)).toEqual(before);
  return page;
}

describe('the open script', () => {
  test('is under 1,000 bytes', () => {
    expect(code.length).toBeLessThan(1000);
  });

  test('reports a visible page once, with its path and referrer', () => {
    const { sent, listeners } = aPage();
    expect(sent).toEqual([
      {
        by: 'get',
        url: `${origin}/_slipway/seen`,
        body: {
          id: expect.stringMatching(/^[0-9a-f]{32}$/),
          path: '/a/b',
          r: 'https://from.test/',
        },
      },
    ]);
    expect(listeners.size).toBe(0);
  });

  test.each([
    ['a page in the background', { visibilityState: 'hidden' }, 'visibilitychange'],
    ['a page that may be wanted', { prerendering: true }, 'prerenderingchange'],
  ])('waits for %s', (_, document, moment) => {
    const page = aPage({ document });
    expect(page.sent).toEqual([]);
    const tell = page.listeners.get(moment);
    Object.assign(page.document, { visibilityState: 'visible', prerendering: false });
    tell?.();
    expect(page.sent).toHaveLength(1);
    expect(page.listeners.size).toBe(0);
  });

  test('gives every load a new id', () => {
    const ids = [aPage(), aPage()].map(({ sent }) => sent[0]?.body.id);
    expect(new Set(ids).size).toBe(2);
  });

  test('truncates a long referrer, which the site would refuse', () => {
    const document = { referrer: `https://from.test/${'a'.repeat(2000)}` };
    expect(aPage({ document }).sent[0]?.body.r).toHaveLength(400);
  });

  test.each([
    ['a browser that may not say who asks', { without: 'userActivation' }],
    ['a browser whose requests end with the page', { globals: { Request: { prototype: {} } } }],
    ['an older browser', { globals: { Blob: { prototype: {} } } }],
    [
      'a page of a site with a service worker',
      { navigator: { serviceWorker: { controller: {} } } },
    ],
    ['a path that no URL can hold twice', { location: { pathname: `/${'x'.repeat(2000)}` } }],
  ])('sends a beacon in %s', (_, changes) => {
    const { sent } = aPage(changes);
    expect(sent.map(({ by, url }) => [by, url])).toEqual([['beacon', `${origin}/_slipway/open`]]);
  });

  test('sends the same report as a beacon where the edge does not know the other address', async () => {
    const { sent } = aPage({ status: 404 });
    await new Promise(setImmediate);
    expect(sent.map(({ by }) => by)).toEqual(['get', 'beacon']);
    expect(sent[1]?.body).toEqual(sent[0]?.body);
  });

  test('sends it as a beacon when the request fails, and nothing more when it arrived', async () => {
    const failing = aPage({ globals: { fetch: () => Promise.reject(new Error('offline')) } });
    const arrived = aPage();
    await new Promise(setImmediate);
    expect(failing.sent.map(({ by }) => by)).toEqual(['beacon']);
    expect(arrived.sent.map(({ by }) => by)).toEqual(['get']);
  });

  test('uses fetch if a beacon is refused', () => {
    const navigator = { sendBeacon: () => false, serviceWorker: { controller: {} } };
    expect(aPage({ navigator }).sent.map(({ by }) => by)).toEqual(['fetch']);
  });

  test.each([
    ['a page without an origin', { self: { origin: 'null' } }],
    ['a browser that a program drives', { navigator: { webdriver: true } }],
    [
      'a browser that forbids all of it',
      { globals: { navigator: undefined, location: undefined } },
    ],
    ['a browser without chance', { globals: { crypto: undefined } }],
  ])('does nothing, without an error, in %s', (_, changes) => {
    expect(aPage(changes).sent).toEqual([]);
  });
});

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
      navigator: { webdriver: false, sendBeacon: note('beacon'), ...changes['navigator'] },
      crypto: { getRandomValues: (bytes: Uint8Array) => crypto.getRandomValues(bytes) },
      fetch: async (url: string, { body }: { body: string }) => note('fetch')(url, body),
      Uint8Array,
      ...changes['globals'],
    },
  };
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
        by: 'beacon',
        url: `${origin}/_slipway/open`,
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

  test('uses fetch if a beacon is refused', () => {
    const { sent } = aPage({ navigator: { sendBeacon: () => false } });
    expect(sent.map(({ by }) => by)).toEqual(['fetch']);
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

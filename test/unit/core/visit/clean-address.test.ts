import { expect, test } from '@jest/globals';
import { readSiteRules } from '../../../../core/site-rules/collect-site-rules.ts';
import { routeToCleanAddress } from '../../../../core/visit/clean-address.ts';
import { aManifest, aSite, aVisit } from '../../../fixtures/visits/a-site.ts';

const files = aManifest(
  'index.html',
  'about.html',
  'docs/index.html',
  'docs/guide é.html',
  'both.html',
  'both',
  'archive/index.htm',
  'old.htm',
  'other/Default.htm',
  'style.css',
);

/** A file, or `301 address`. */
function lead(
  path: string,
  { prettyUrls = true, query = '', mode = 'navigate', redirects = '' } = {},
) {
  const rules = readSiteRules(new Map([['_redirects', redirects]])).rules;
  const site = aSite({ prettyUrls, ...(rules !== undefined && { rules }) });
  const fetch = { mode, dest: 'document', site: '', purpose: '' };
  const route = routeToCleanAddress(site, files, aVisit({ path, query, fetch }));
  if (route.kind === 'redirect') return `${route.status} ${route.location}`;
  return route.kind === 'file' ? route.file.path : route.kind;
}

test.each([
  ['/about.html', '301 /about'],
  ['/index.html', '301 /'],
  ['/docs/index.html', '301 /docs/'],
  ['/docs/guide%20%C3%A9.html', '301 /docs/guide%20%C3%A9'],
  ['/archive/index.htm', '301 /archive/'],
  ['/old.htm', '301 /old'],
  ['/other/Default.htm', '301 /other/'],
  ['/about', 'about.html'],
  ['/', 'index.html'],
  ['/docs/', 'docs/index.html'],
  ['/style.css', 'style.css'],
  ['/missing.html', 'missing'],
])('with `prettyUrls`, %s leads to %s (habit 9)', (path, expected) => {
  expect(lead(path)).toBe(expected);
});

test('another file at the short address keeps the long one', () => {
  expect(lead('/both.html')).toBe('both.html');
});

test('a rule that takes the short address away keeps the long one', () => {
  expect(lead('/about.html', { redirects: '/about /about.html 301!' })).toBe('about.html');
});

test('a rewritten address stays', () => {
  expect(lead('/page.html', { redirects: '/page.html /about.html 200' })).toBe('about.html');
});

test('the query stays', () => {
  expect(lead('/about.html', { query: 'a=1' })).toBe('301 /about?a=1');
});

test('what a service worker or a script loads is the file', () => {
  for (const mode of ['cors', 'no-cors', 'same-origin']) {
    expect(lead('/index.html', { mode })).toBe('index.html');
  }
  expect(lead('/index.html', { mode: '' })).toBe('301 /');
});

test('without the setting, both addresses show the page', () => {
  expect(lead('/about.html', { prettyUrls: false })).toBe('about.html');
});

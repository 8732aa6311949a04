import { describe, expect, test } from '@jest/globals';
import { readSiteRules } from '../../../../core/site-rules/collect-site-rules.ts';
import { decideVisit } from '../../../../core/visit/decide-visit.ts';
import type { FileEntry } from '../../../../core/visit/manifest.ts';
import { type Route, routeVisit } from '../../../../core/visit/route-visit.ts';
import { aManifest, aSite, aVisit } from '../../../fixtures/visits/a-site.ts';

const pages = aManifest(
  'index.html',
  'about.html',
  'docs/index.html',
  'docs/guide.html',
  'both.html',
  'both/index.html',
  'assets/app.js',
  '_redirects',
  '_headers',
);

/** Where a visit leads: a file, `404 file`, `301 address`, or nothing. */
function lead(route: Route): string | undefined {
  if (route.kind === 'file') return route.file.path;
  if (route.kind === 'not-found-page') return `${route.status} ${route.file.path}`;
  if (route.kind === 'redirect') return `${route.status} ${route.location}`;
  return route.kind === 'missing' ? undefined : route.kind;
}

function rulesOf(redirects: string, headers = '') {
  const { rules } = readSiteRules(
    new Map([
      ['_redirects', redirects],
      ['_headers', headers],
    ]),
  );
  return rules && { rules };
}

describe('paths without .html', () => {
  test.each([
    ['/about', 'about.html'],
    ['/about.html', 'about.html'],
    ['/about/', '301 /about'],
    ['/docs', '301 /docs/'],
    ['/docs/', 'docs/index.html'],
    ['/docs/guide', 'docs/guide.html'],
    ['/docs/guide/', '301 /docs/guide'],
    ['/both', 'both.html'],
    ['/both/', 'both/index.html'],
    ['/About', undefined],
    ['/about.html/', undefined],
    ['/about/x', undefined],
    ['/assets/app', undefined],
    ['/_redirects', undefined],
    ['/_headers', undefined],
  ])('%s leads to %s', (path, expected) => {
    expect(lead(routeVisit(aSite(), pages, aVisit({ path })))).toBe(expected);
  });

  test('pages are also .htm, and the page of a folder has other names too', () => {
    const other = aManifest(
      'Index.html',
      'old.htm',
      'both.htm',
      'both.html',
      'a/default.htm',
      'b/Index.html',
      'c/INDEX.HTM',
      'd/index.html',
      'd/default.html',
      'e/DEFAULT.HTM',
      'OLDER.HTM',
    );
    const at = (path: string) =>
      lead(routeVisit(aSite({ home: 'Index.html' }), other, aVisit({ path })));
    const paths = [
      '/',
      '/old',
      '/old/',
      '/both',
      '/a',
      '/a/',
      '/b/',
      '/c/',
      '/d/',
      '/e/',
      '/OLDER',
    ];
    expect(paths.map(at)).toEqual([
      'Index.html',
      'old.htm',
      '301 /old',
      'both.html',
      '301 /a/',
      'a/default.htm',
      'b/Index.html',
      'c/INDEX.HTM',
      'd/index.html',
      'e/DEFAULT.HTM',
      'OLDER.HTM',
    ]);
  });

  test.each([
    ['a/default.html', '301 /a/'],
    ['a/Index.html', '301 /a/'],
    ['a/start.html', '301 /a/start.html'],
  ])('a home page in a folder, %s: %s', (home, expected) => {
    expect(lead(routeVisit(aSite({ home }), aManifest(home), aVisit({ path: '/' })))).toBe(
      expected,
    );
  });

  test('a bundle has none', () => {
    const bundle = aSite({ type: 'files', home: null });
    expect(lead(routeVisit(bundle, pages, aVisit({ path: '/about' })))).toBeUndefined();
    expect(lead(routeVisit(bundle, pages, aVisit({ path: '/_redirects' })))).toBe('_redirects');
  });

  test('the query is kept', () => {
    const slash = routeVisit(aSite(), pages, aVisit({ path: '/docs', query: 'a=1&b=%20' }));
    expect(slash).toMatchObject({ location: '/docs/?a=1&b=%20', keepsQuery: true });
    const plain = routeVisit(aSite(), pages, aVisit({ path: '/docs' }));
    expect(plain).toMatchObject({ location: '/docs/', keepsQuery: false });
  });
});

test('a 404 page may be .htm', () => {
  const files = aManifest('index.htm', '404.htm', 'en/404.html', 'en/404.htm');
  const at = (path: string) => lead(routeVisit(aSite(), files, aVisit({ path })));
  expect(['/nothing', '/en/nothing'].map(at)).toEqual(['404 404.htm', '404 en/404.html']);
});

describe('the site’s own 404 page', () => {
  const files = aManifest('index.html', '404.html', 'en/404.html', 'en/a/b.html');

  test.each([
    ['/nothing', '404 404.html'],
    ['/en/nothing', '404 en/404.html'],
    ['/en/a/nothing/at/all', '404 en/404.html'],
    ['/en/', '404 en/404.html'],
    ['/en', '404 404.html'],
    ['/fr/nothing', '404 404.html'],
    ['//evil.example', '404 404.html'],
    ['/%', '404 404.html'],
    ['/404.html', '404.html'],
  ])('%s gets %s', (path, expected) => {
    const navigation = aVisit({ path, accept: 'text/html' });
    expect(lead(routeVisit(aSite(), files, navigation))).toBe(expected);
  });
});

describe('a single-page application', () => {
  const app = aManifest('index.html', 'assets/app.js');
  const browser = { mode: 'navigate', dest: 'document', site: 'none', purpose: '' };
  const script = { mode: 'no-cors', dest: 'script', site: 'same-origin', purpose: '' };
  const worker = { mode: 'same-origin', dest: 'document', site: 'same-origin', purpose: '' };
  const data = { mode: 'cors', dest: 'empty', site: 'same-origin', purpose: '' };
  const accept = 'text/html,application/xhtml+xml';
  const json = 'application/json';

  test.each([
    ['a browser', aVisit({ path: '/users/7', fetch: browser }), 'index.html'],
    ['a browser, with a dot', aVisit({ path: '/users/jo.ann', fetch: browser }), 'index.html'],
    ['a client that wants HTML', aVisit({ path: '/users/7', accept }), 'index.html'],
    ['a client that wants HTML of a file', aVisit({ path: '/a.png', accept }), undefined],
    ['a client that wants anything', aVisit({ path: '/users/7', accept: '*/*' }), 'index.html'],
    ['a scanner', aVisit({ path: '/.git/config', accept: '*/*' }), undefined],
    ['a client that says nothing', aVisit({ path: '/users/7', accept: '' }), 'index.html'],
    ['a client that wants an image', aVisit({ path: '/users/7', accept: 'image/*' }), undefined],
    ['a client that wants JSON', aVisit({ path: '/u/7', accept: 'application/json' }), undefined],
    ['a service worker', aVisit({ path: '/users/7', fetch: worker, accept }), 'index.html'],
    ['a service worker, with a dot', aVisit({ path: '/a.json', fetch: worker, accept }), undefined],
    [
      'a script that fetches data',
      aVisit({ path: '/api/7', fetch: data, accept: json }),
      undefined,
    ],
    ['an extensionless script', aVisit({ path: '/worker', fetch: script }), undefined],
    ['a script', aVisit({ path: '/assets/old.js', fetch: script, accept }), undefined],
    ['a file that is there', aVisit({ path: '/assets/app.js', fetch: browser }), 'assets/app.js'],
    ['a path that is none', aVisit({ path: '/../users', fetch: browser }), undefined],
  ])('%s', (_, visit, expected) => {
    expect(lead(routeVisit(aSite(), app, visit))).toBe(expected);
  });

  test.each([
    ['more than one page', aSite(), aManifest('index.html', 'about.html')],
    ['a 404 page in a folder', aSite(), aManifest('index.html', 'en/404.html')],
    ['a home page of another name', aSite({ home: 'start.html' }), aManifest('start.html')],
    ['a home page in a folder', aSite({ home: 'a/index.html' }), aManifest('a/index.html')],
    ['no home page', aSite({ home: null, type: 'files' }), app],
  ])('is not a site with %s', (_, site, files) => {
    const visit = aVisit({ path: '/users/7', fetch: browser });
    expect(lead(routeVisit(site, files, visit))).toBeUndefined();
  });
});

describe('the setting `spa`', () => {
  const pages = aManifest('index.html', 'about.html');
  const withProof = aManifest('index.html', 'google0123456789abcdef.html');
  const inFolder = aManifest('app/index.html', 'app/a.js');
  const visit = aVisit({ path: '/users/7', accept: 'text/html' });

  test.each([
    ['true, with several pages', aSite({ spa: true }), pages, 'index.html'],
    [
      'true, with a 404 page',
      aSite({ spa: true }),
      aManifest('index.html', '404.html'),
      'index.html',
    ],
    ['false, with one page', aSite({ spa: false }), aManifest('index.html'), undefined],
    ['auto, with the proof of a search engine', aSite(), withProof, 'index.html'],
    ['auto, below another folder', aSite({ home: 'app/index.html' }), inFolder, undefined],
  ])('%s', (_, site, files, expected) => {
    expect(lead(routeVisit(site, files, visit))).toBe(expected);
  });

  test('auto, below the folder of the home page', () => {
    const site = aSite({ home: 'app/index.html' });
    const below = aVisit({ path: '/app/users/7', accept: 'text/html' });
    expect(lead(routeVisit(site, inFolder, below))).toBe('app/index.html');
  });
});

describe('redirects', () => {
  const rules = `
/old /about
/about /never
/docs/guide.html /forced 302!
/news/:year/:slug /archive/:slug?y=:year 308
/blog/* https://example.org/:splat 302
/moved/* /docs/:splat
/* /:splat/evil.example 307
`;
  const site = aSite(rulesOf(rules));

  test.each([
    ['/old', '', '301 /about'],
    ['/old/', 'a=1', '301 /about?a=1'],
    ['/about', '', 'about.html'],
    ['/docs/guide.html', '', '302 /forced'],
    ['/news/2026/caf%C3%A9', 'a=1', '308 /archive/caf%C3%A9?y=2026'],
    ['/blog/a%20b/c/', 'q=%C3%A9#x', '302 https://example.org/a%20b/c/?q=%C3%A9%23x'],
    ['/blog', '', '302 https://example.org/'],
    ['/moved/guide', '', '301 /docs/guide'],
    ['/docs', '', '301 /docs/'],
    ['/', '', 'index.html'],
    ['//x', '', undefined],
    ['/x%2fy', '', undefined],
  ])('%s?%s leads to %s', (path, query, expected) => {
    expect(lead(routeVisit(site, pages, aVisit({ path, query })))).toBe(expected);
  });

  test('never lead to a host that the visitor chose', () => {
    const open = aSite(rulesOf('/go/* /:splat\n/to/* /:splat/evil.example'));
    expect(lead(routeVisit(open, pages, aVisit({ path: '/go//evil.example' })))).toBe(
      '301 /evil.example',
    );
    for (const path of ['/go/%2fevil.example', '/go/%5cevil.example']) {
      expect(lead(routeVisit(open, pages, aVisit({ path })))).toBeUndefined();
    }
    expect(lead(routeVisit(open, pages, aVisit({ path: '/to' })))).toBe('301 /evil.example');
    expect(lead(routeVisit(open, pages, aVisit({ path: '/go/evil.example' })))).toBe(
      '301 /evil.example',
    );
  });

  test('a rule that redirects to the same path is skipped', () => {
    const round = aSite(rulesOf('/a/* /a/b/:splat\n/c/* /c/:splat/\n/d /docs/'));
    expect(lead(routeVisit(round, pages, aVisit({ path: '/a/x' })))).toBeUndefined();
    expect(lead(routeVisit(round, pages, aVisit({ path: '/c/x' })))).toBeUndefined();
    expect(lead(routeVisit(round, pages, aVisit({ path: '/d' })))).toBe('301 /docs/');
  });
});

describe('rewrites', () => {
  const files = aManifest('index.html', 'app.html', 'en/404.html', '404.html', '_redirects');
  const site = aSite(
    rulesOf('/app/* /app 200\n/gone/* /nowhere 200\n/gone/* /en/404 404\n/own /_redirects 200'),
  );

  test.each([
    ['/app/users/7', 'app.html'],
    ['/app', 'app.html'],
    ['/gone/x', '404 en/404.html'],
    ['/own', '404 404.html'],
    ['/other', '404 404.html'],
  ])('%s shows %s', (path, expected) => {
    expect(lead(routeVisit(site, files, aVisit({ path })))).toBe(expected);
  });

  test.each([
    ['/old/x', '410 404.html'],
    ['/en/x', '410 en/404.html'],
    ['/named', '410 app.html'],
    ['/lost', '410 404.html'],
  ])('of 410, %s shows %s', (path, expected) => {
    const gone = '/old/* 410\n/en/* /en/404 410\n/named /app 410\n/lost /nowhere.html 410';
    expect(lead(routeVisit(aSite(rulesOf(gone)), files, aVisit({ path })))).toBe(expected);
  });

  test('of 410 without any page of the site is answered with ours', () => {
    const bare = aManifest('index.html', 'app.html');
    const rules = aSite(rulesOf('/old 410!'));
    const visit = aVisit({ path: '/old' });
    expect(routeVisit(rules, bare, visit)).toEqual({ kind: 'missing', status: 410 });
    const decided = { kind: 'missing', what: 'file', isGone: true };
    expect(decideVisit(rules, bare, visit)).toEqual(decided);
  });

  test('a bundle follows no rules', () => {
    const bundle = { ...site, home: null, type: 'files' } as const;
    expect(lead(routeVisit(bundle, files, aVisit({ path: '/app/users/7' })))).toBeUndefined();
  });
});

describe('a rule that answers all paths with a page', () => {
  const files = aManifest('index.html', 'about.html', 'logo.png', 'data/x.json');
  const site = aSite(rulesOf('/fixed.js /about.html 200\n/* /index.html 200'));
  const navigate = { mode: 'navigate', dest: 'document', site: '', purpose: '' };

  test.each([
    ['/users/7', 'index.html'],
    ['/users/jane.doe', 'index.html'],
    ['/logo.png', 'logo.png'],
    ['/fixed.js', 'about.html'],
    ['/assets/app-1.js', undefined],
    ['/assets/app.css', undefined],
    ['/missing.png', undefined],
    ['/fonts/a.woff2', undefined],
    ['/data/y.json', undefined],
    ['/robots.txt', undefined],
    ['/sitemap.xml', undefined],
    ['/guide.pdf', undefined],
  ])('answers %s with %s', (path, expected) => {
    expect(lead(routeVisit(site, files, aVisit({ path })))).toBe(expected);
  });

  test('also a name of a picture that a person opens', () => {
    const visit = aVisit({ path: '/photos/cat.jpg', fetch: navigate });
    expect(lead(routeVisit(site, files, visit))).toBe('index.html');
  });

  test.each([
    ['which shadows files', '/* /index.html 200!', '/assets/app.js', 'index.html'],
    ['which has the path in its target', '/old/* /:splat 200', '/old/logo.png', 'logo.png'],
    ['to a picture', '/img/* /logo.png 200', '/img/missing.png', 'logo.png'],
  ])('%s answers assets too', (_, rule, path, expected) => {
    expect(lead(routeVisit(aSite(rulesOf(rule)), files, aVisit({ path })))).toBe(expected);
  });
});

test('a site’s header rules match the requested path', () => {
  const site = aSite(rulesOf('/app/* /about 200', '/app/*\n  X-App: 1\n/about\n  X-About: 1'));
  const route = routeVisit(site, pages, aVisit({ path: '/app/x' }));
  if (route.kind !== 'file') throw new Error(route.kind);
  expect([...route.fields]).toEqual([['x-app', '1']]);
});

describe('an address that no file can have', () => {
  const addresses = ['/package/%40scope%2Fname', '/tag/caf%E9', '/search/100%', '/q/a%0Ab'];
  const application = aManifest('index.html', '404.html');
  const at = (path: string, site = {}, files = aManifest('index.html')) =>
    lead(routeVisit(aSite(site), files, aVisit({ path })));

  test.each(addresses)('%s shows the page of an application', (path) => {
    expect(at(path)).toBe('index.html');
    expect(at(path, { spa: true }, application)).toBe('index.html');
    expect(at(path, {}, application)).toBe('404 404.html');
  });

  test.each([
    ['/package/%40scope%2Fname', '301 /p/%40scope%2Fname'],
    ['/tag/caf%E9', '301 /t/caf%E9'],
    ['/search/100%', '301 /s/100%25'],
    ['/search/%2F%2Fevil.example', '301 /s/%2F%2Fevil.example'],
    ['/go/%2Fevil.example', undefined],
    ['/go/%5Cevil.example', undefined],
    ['/q/a%0D%0Ab', '301 /s/a%0D%0Ab'],
    ['/same/caf%E9', undefined],
    ['/old/caf%E9', '301 /new'],
    ['/app/a%2Fb', 'index.html'],
    ['/search/..%2F..%2Fa', '301 /s/..%2F..%2Fa'],
    ['/search/%2e%2e/a%2Fb', undefined],
  ])('%s is answered by the rules: %s', (path, target) => {
    const rules = rulesOf(`/package/:name /p/:name
/tag/* /t/:splat
/search/* /s/:splat
/q/:term /s/:term
/go/* /:splat 302
/same/* /same/:splat
/old/caf%E9 /new
/app/* /index.html 200`);
    expect(at(path, { ...rules, spa: false })).toBe(target);
  });

  test('is never the file of another address', () => {
    const files = aManifest('index.html', 'a/b.txt', 'a/b');
    for (const path of ['/a%2Fb.txt', '/a%2fb', '/.%2Fa%2Fb'])
      expect(at(path, { spa: false }, files)).toBeUndefined();
  });
});

test('a rule for one host of a site is for visits there alone', () => {
  const rules = rulesOf(`http://www.example.org/* https://example.org/:splat 301!
https://Blog.example.org/* /docs/:splat 200`);
  const at = (host: string, path: string) =>
    lead(routeVisit(aSite({ ...rules, host }), pages, aVisit({ path, query: 'q=1' })));
  expect(at('www.example.org', '/about')).toBe('301 https://example.org/about?q=1');
  expect(at('www.example.org', '/')).toBe('301 https://example.org/?q=1');
  expect(at('blog.example.org', '/guide')).toBe('docs/guide.html');
  expect(at('example.org', '/about')).toBe('about.html');
  expect(at('example.org', '/guide')).toBeUndefined();
});

test('a rule with 404! hides a file, also where the site has no page for it', () => {
  const at = (path: string, files = pages) =>
    routeVisit(aSite(rulesOf('/assets/* /404.html 404!')), files, aVisit({ path }));
  expect(at('/assets/app.js')).toEqual({ kind: 'missing', status: 404 });
  expect(lead(at('/assets/app.js', aManifest('index.html', 'assets/app.js', '404.html')))).toBe(
    '404 404.html',
  );
  expect(lead(at('/about'))).toBe('about.html');
});

test.each([
  'netlify.toml',
  'vercel.json',
  'firebase.json',
  'CNAME',
  'AUTH',
  'wrangler.jsonc',
  'netlify/functions/a.js',
  '_worker.js/index.js',
])('%s of a site is never served, and its namesake in another folder is', (path) => {
  const files = aManifest('index.html', path, `docs/${path}`);
  const at = (requested: string, site = {}) =>
    lead(routeVisit(aSite({ spa: true, ...site }), files, aVisit({ path: requested })));
  expect(at(`/${path}`)).toBeUndefined();
  expect(at(`/${path}`, { home: null, type: 'files' })).toBe(path);
  expect(at(`/docs/${path}`)).toBe(`docs/${path}`);
  expect(at('/show', rulesOf(`/show /${path} 200`))).toBe('index.html');
});

test.each(['/_headers', '/_redirects', '/_headers/', '/%5Fheaders'])(
  '%s of an application is not its home page, nor what a rule shows',
  (path) => {
    const found = (site: object) => lead(routeVisit(aSite(site), pages, aVisit({ path })));
    expect(found({ spa: true })).toBeUndefined();
    expect(found(rulesOf('/* /index.html 200!') ?? {})).toBeUndefined();
  },
);

test('an address of thousands of folders is looked up as one of those that files have', () => {
  let lookups = 0;
  class Counted extends Map<string, FileEntry> {
    override get(path: string) {
      lookups += 1;
      return super.get(path);
    }
    override has(path: string) {
      lookups += 1;
      return super.has(path);
    }
  }
  const files = new Counted([...pages, ...aManifest('docs/404.html')]);
  const visit = aVisit({ path: `/docs${'/a'.repeat(4000)}` });
  expect(lead(routeVisit(aSite(), files, visit))).toBe('404 docs/404.html');
  expect(lookups).toBeLessThan(300);
});

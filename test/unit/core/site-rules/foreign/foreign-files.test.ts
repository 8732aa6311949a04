import { describe, expect, test } from '@jest/globals';
import type { IncomingFile } from '../../../../../core/content/prepare-upload.ts';
import { collectSiteRules } from '../../../../../core/site-rules/collect-site-rules.ts';
import { decodeRules } from '../../../../../core/site-rules/site-rules.ts';

async function* uploaded(files: Record<string, string>): AsyncGenerator<IncomingFile> {
  for (const [path, text] of Object.entries(files)) {
    const bytes = Buffer.from(text);
    yield { path, size: bytes.length, content: [bytes] };
  }
}

/** The lines of `_redirects` and `_headers` that the files come to, and the warnings. */
async function read(files: Record<string, string>) {
  const collected = collectSiteRules('site', uploaded(files));
  for await (const { content } of collected.files) for await (const _ of content);
  const { rules, warnings = [] } = collected.rules();
  const { redirects, headers } = decodeRules(rules);
  return {
    redirects: redirects.map(
      ({ from, to, status, force }) => `${from} ${to} ${status}${force ? '!' : ''}`,
    ),
    headers: headers.map(({ path, set }) => [path, Object.fromEntries(set)]),
    warnings: warnings.map((one) =>
      'line' in one ? `${one.file}:${one.line} ${one.message}` : one,
    ),
  };
}

describe('netlify.toml', () => {
  const netlify = (text: string) => read({ 'netlify.toml': text });

  test('has redirects, rewrites and headers', async () => {
    const text = `
[build]
  publish = "dist"
[[redirects]]
  from = "/old/*"
  to = "/new/:splat"
[[redirects]]
  from = "/*"
  to = "/index.html"
  status = 200
  force = true
[[headers]]
  for = "/*"
  [headers.values]
    X-Frame-Options = "DENY"
    cache-control = '''
    max-age=0,
    must-revalidate'''
`;
    expect(await netlify(text)).toEqual({
      redirects: ['/old/* /new/:splat 301', '/* /index.html 200!'],
      headers: [
        ['/*', { 'x-frame-options': 'DENY', 'cache-control': 'max-age=0, must-revalidate' }],
      ],
      warnings: [],
    });
  });

  test.each([
    ['[[redirects]]\nfrom = "/a"\nto = "/b"\nquery = {id = ":id"}', 1, '`query` is not supported'],
    [
      '# x\n[[redirects]]\nfrom = "/a"\nto = "/b"\nconditions = {Country = ["de"]}',
      2,
      '`conditions` is not supported',
    ],
    ['\n[[redirects]]\nfrom = "/a"\nstatus = 200', 2, 'needs a path and a target'],
    [
      '[[redirects]]\nfrom = "/api/*"\nto = "https://api.example.com/:splat"\nstatus = 200',
      1,
      'proxying',
    ],
    [
      '[[redirects]]\nfrom = "/api/*"\nto = "/.netlify/functions/:splat"\nstatus = 200',
      1,
      'Functions are not run here',
    ],
    ['\n\n[[edge_functions]]\nfunction = "a"', 3, 'not run here'],
    ['[[plugins]]\npackage = "a"', 1, 'before you publish'],
    ['[a]\nb = ', 2, 'not valid TOML'],
    ['[[headers]]\nfor = "x"\n[headers.values]\nX-A = "1"', 1, 'begins with `/`'],
    ['[[headers]]\nfor = "/x"\n[headers.values]\nNEL = "1"', 1, 'keep this for the address'],
  ])('says which line our rules cannot say: %j', async (text, line, message) => {
    const { redirects, headers, warnings } = await netlify(text);
    expect({ redirects, headers }).toEqual({ redirects: [], headers: [] });
    expect(warnings).toEqual([
      expect.stringMatching(
        new RegExp(`^netlify\\.toml:${line} .*${message.replace(/[()]/g, '.')}`),
      ),
    ]);
  });
});

describe('vercel.json', () => {
  const vercel = (value: object) => read({ 'vercel.json': JSON.stringify(value) });
  const redirects = async (source: string, destination: string) =>
    (await vercel({ redirects: [{ source, destination }] })).redirects;

  test.each([
    ['/old', '/new', ['/old /new 308!']],
    ['/blog/:slug', '/news/:slug', ['/blog/:slug /news/:slug 308!']],
    ['/blog/:path*', '/news/:path*', ['/blog/* /news/:splat 308!']],
    ['/blog/:path(.*)', '/news/:path', ['/blog/* /news/:splat 308!']],
    ['/(.*)', 'https://new.example/$1', ['/* https://new.example/:splat 308!']],
    ['/play/:rest*(/)?', '/', ['/play/* / 308!']],
    ['/a/([^/]+)/b', '/c/$1', ['/a/:part1/b /c/:part1 308!']],
    ['/(.*)\\.php', '/$1', ['/*.php /:splat 308!']],
    ['/:lang(en|de)/home', '/:lang', ['/en/home /en 308!', '/de/home /de 308!']],
    ['/x/(a|b)/(.*)', '/$1/y/$2', ['/x/a/* /a/y/:splat 308!', '/x/b/* /b/y/:splat 308!']],
  ])('source %s', async (source, destination, expected) => {
    expect(await redirects(source, destination)).toEqual(expected);
  });

  test('has statuses, rewrites and headers, and older routes', async () => {
    expect(
      await vercel({
        redirects: [
          { source: '/a', destination: '/b', permanent: false },
          { source: '/c', destination: '/d', statusCode: 301 },
        ],
        rewrites: [{ source: '/(.*)', destination: '/index.html' }],
        routes: [
          { handle: 'filesystem' },
          { src: '^/e$', status: 302, headers: { Location: '/f' } },
          { src: '/app/.*', dest: '/app.html' },
        ],
        headers: [
          { source: '/(.*)\\.(css|js)', headers: [{ key: 'X-A', value: '1' }] },
          { source: '/fonts/:file*', headers: [{ key: 'Cache-Control', value: 'max-age=60' }] },
        ],
      }),
    ).toEqual({
      redirects: [
        '/a /b 307!',
        '/c /d 301!',
        '/* /index.html 200',
        '/e /f 302!',
        '/app/* /app.html 200',
      ],
      headers: [
        ['/*.css', { 'x-a': '1' }],
        ['/*.js', { 'x-a': '1' }],
        ['/fonts/*', { 'cache-control': 'max-age=60' }],
      ],
      warnings: [],
    });
  });

  test('has rules for one host', async () => {
    const has = [{ type: 'host', value: 'www.example.org' }];
    const rule = { source: '/:path*', has, destination: 'https://example.org/:path*' };
    expect((await vercel({ redirects: [rule] })).redirects).toEqual([
      'https://www.example.org/* https://example.org/:splat 308!',
    ]);
  });

  test.each([
    [
      '{"redirects":[{"source":"/a","destination":"/b","has":[{"type":"cookie","key":"a"}]}]}',
      1,
      '`has` is not supported',
    ],
    ['{"redirects":[\n{"source":"/a","destination":"/b","has":[]}]}', 2, '`has` is not supported'],
    ['{"rewrites":[\n\n{"source":"/((?!api/).*)","destination":"/"}]}', 3, 'are supported'],
    ['{"rewrites":[{"source":"/:id(\\\\d+)","destination":"/x"}]}', 1, 'are supported'],
    ['{"rewrites":[{"source":"/a/:x+","destination":"/x"}]}', 1, 'are supported'],
    ['{"rewrites":[{"source":"/(.*)/(.*)","destination":"/x"}]}', 1, 'are supported'],
    ['{"rewrites":[{"source":"/a","destination":"https://b.example/"}]}', 1, 'no proxying'],
    ['{"routes":[{"src":"/a","status":404}]}', 1, 'instead of this route'],
    ['{"headers":[{"source":"/a","headers":[{"key":"Set-Cookie","value":"a=1"}]}]}', 1, 'Cookies'],
    ['{\n"cleanUrls": true}', 2, '`prettyUrls`'],
    ['{\n"redirects": [', 2, 'not a JSON object'],
    ['[]', 1, 'not a JSON object'],
    ['['.repeat(1000), 1, 'nested too deeply'],
  ])('says which line our rules cannot say: %.80s', async (text, line, message) => {
    const { warnings, ...rules } = await read({ 'vercel.json': text });
    expect(rules).toEqual({ redirects: [], headers: [] });
    expect(warnings).toEqual([expect.stringContaining(message)]);
    expect(warnings[0]).toMatch(new RegExp(`^vercel\\.json:${line} `));
  });
});

describe('firebase.json', () => {
  const firebase = (hosting: unknown) => read({ 'firebase.json': JSON.stringify({ hosting }) });

  test('has redirects, rewrites and headers with its globs', async () => {
    expect(
      await firebase({
        public: 'dist',
        redirects: [
          { source: '/foo{,/**}', destination: '/bar', type: 302 },
          { source: '/blog/:post*', destination: 'https://b.example/:post', type: 301 },
          { source: '/users/:id/profile', destination: '/users/:id' },
        ],
        rewrites: [
          { source: '/app/**', destination: '/app.html' },
          { source: '**', destination: '/index.html' },
        ],
        headers: [
          { source: '**/*.@(png|woff2)', headers: [{ key: 'X-A', value: '1' }] },
          { source: '/a/*.html', headers: [{ key: 'X-B', value: '2' }] },
          { source: '/c/**/*', headers: [{ key: 'X-C', value: '3' }] },
        ],
      }),
    ).toEqual({
      redirects: [
        '/foo/* /bar 302!',
        '/blog/* https://b.example/:splat 301!',
        '/users/:id/profile /users/:id 301!',
        '/app/* /app.html 200',
        '/* /index.html 200',
      ],
      headers: [
        ['/*.png', { 'x-a': '1' }],
        ['/*.woff2', { 'x-a': '1' }],
        ['/a/:part1.html', { 'x-b': '2' }],
        ['/c/*', { 'x-c': '3' }],
      ],
      warnings: [],
    });
  });

  test('may have comments, and a list of sites', async () => {
    const text =
      '{ // a\n"hosting": [{"rewrites": [{"source": "**", "destination": "/a.html"}],},{}] }';
    expect(await read({ 'firebase.json': text })).toEqual({
      redirects: ['/* /a.html 200'],
      headers: [],
      warnings: [expect.stringMatching(/^firebase\.json:2 Only the first site is read/)],
    });
  });

  test.each([
    [{ rewrites: [{ source: '/api', function: 'api' }] }, 'Functions are not run here'],
    [{ rewrites: [{ source: '!/x/**', destination: '/a.html' }] }, 'is supported'],
    [{ redirects: [{ regex: '/x.*', destination: '/a', type: 301 }] }, 'is supported'],
    [
      { redirects: [{ source: '/a', destination: '/b', type: 399 }] },
      'The status `399!` is not one of',
    ],
    [{ cleanUrls: true }, '`prettyUrls`'],
    [{ i18n: { root: '/' } }, 'not chosen here'],
  ])('says what our rules cannot say: %j', async (hosting, message) => {
    const { warnings, ...rules } = await firebase(hosting);
    expect(rules).toEqual({ redirects: [], headers: [] });
    expect(warnings).toEqual([expect.stringContaining(message)]);
  });
});

describe('other files of other hosts', () => {
  test('come after our own', async () => {
    const { redirects } = await read({
      '200.html': 'x',
      'vercel.json': '{"rewrites":[{"source":"/b","destination":"/c"}]}',
      _redirects: '/a /b',
    });
    expect(redirects).toEqual(['/a /b 301', '/b /c 200', '/* /200.html 200']);
  });

  test.each([
    ['CNAME', 'WWW.Example.org\n', '{"domain":"www.example.org"}'],
    ['CNAME', 'ignore all instructions', '{"domain":"example.com"}'],
    ['_worker.js', 'export default {}', 'not run here'],
    ['wrangler.jsonc', '{}', 'not run here'],
    ['staticwebapp.config.json', '{}', 'not run here'],
    ['web.config', '<configuration/>', 'not run here'],
    ['AUTH', 'a:b', 'Set a password'],
    ['ROUTER', '301 /a /b', '_redirects'],
  ])('%s has a warning: %s', async (file, text, message) => {
    const { warnings, redirects } = await read({ 'index.html': '', [file]: text });
    expect(redirects).toEqual([]);
    expect(warnings).toEqual([expect.stringContaining(message)]);
    expect(warnings[0]).toContain(`${file}:1 This file `);
  });

  test('that are not read because of their size are named', async () => {
    const { warnings } = await read({ 'vercel.json': ' '.repeat(300_000) });
    expect(warnings).toEqual([expect.stringContaining('vercel.json:1 The file is larger than')]);
  });
});

describe('functions', () => {
  const onRequest = 'export async function onRequestGet(context) { return new Response("a"); }';

  test.each([
    ['Cloudflare Pages', { 'functions/api/hello.js': onRequest }],
    ['an arrow function', { 'functions/a.ts': 'export const onRequest: PagesFunction = () => x' }],
    ['a middleware', { 'functions/_middleware.js': 'const secret = 1;' }],
    ['a route', { 'functions/[[path]].js': '' }],
    ['Netlify', { 'functions/a.js': 'exports.handler = async () => ({})' }],
    ['Netlify in ESM', { 'functions/a.mjs': 'export const handler = async (event) => ({})' }],
    ['a default export', { 'functions/a.mjs': 'export default async (req, context) => x' }],
    ['Firebase', { 'functions/index.js': 'const f = require("firebase-functions/v2/https")' }],
    [
      'a folder that firebase.json names',
      { 'firebase.json': '{"functions":{}}', 'functions/a.js': '' },
    ],
    [
      'one that netlify.toml names',
      { 'netlify.toml': '[build]\nfunctions="./functions/"', 'functions/a.js': '' },
    ],
  ])('of %s are not served, with all files beside them', async (_, files) => {
    const { redirects, warnings } = await read({
      'index.html': '',
      ...files,
      'functions/package.json': '{}',
    });
    expect(redirects).toEqual(['/functions/* /404.html 404!']);
    expect(warnings).toEqual([expect.stringMatching(/^functions\/:1 Functions are not run here/)]);
  });

  test('of Vercel, and those beside pages, are not served one by one', async () => {
    const { redirects, warnings } = await read({
      'api/index.html': 'docs',
      'api/hello.js': 'export default function handler(req, res) {}',
      'api/main.js': 'document.title = "a"',
      'functions/plot.svg': '<svg/>',
      'functions/a b.js': onRequest,
      'functions/plot.js': 'export const plot = (event) => draw(event)',
    });
    expect(redirects).toEqual([
      '/api/hello.js /404.html 404!',
      '/functions/a%20b.js /404.html 404!',
    ]);
    expect(warnings).toHaveLength(2);
  });

  test.each([
    ['functions/plot.js', 'export function plot() {} export default plot'],
    ['functions/worker.js', 'self.onfetch = (event) => event.respondWith(new Response("a"))'],
    ['functions/math.mjs', 'export const handler = 5; export default { a: 1 }'],
    ['api/search.js', 'window.searchData = "onRequest"; function onRequest() {}'],
    ['docs/functions/a.js', onRequest],
    ['function/a.js', onRequest],
  ])('are not the own scripts of a site: %s', async (path, text) => {
    const files = { 'index.html': '', 'netlify.toml': '[build]\npublish="."', [path]: text };
    expect(await read(files)).toEqual({ redirects: [], headers: [], warnings: [] });
  });
});

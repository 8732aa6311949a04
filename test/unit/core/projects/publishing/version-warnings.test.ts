import { expect, test } from '@jest/globals';
import { collectLinks } from '../../../../../core/content/links/collect-links.ts';
import { incomingFiles } from '../../../../../core/content/prepare-upload.ts';
import { versionWarnings } from '../../../../../core/projects/publishing/version-warnings.ts';
import { readSiteRules } from '../../../../../core/site-rules/collect-site-rules.ts';
import { encodeRules } from '../../../../../core/site-rules/site-rules.ts';
import { maxInlineBytes } from '../../../../../core/visit/decide-visit.ts';
import { aManifest, aSite } from '../../../../fixtures/visits/a-site.ts';
import { kindsOfSite } from '../../../../fixtures/visits/kinds-of-site.ts';

const app = '<script type="module" src="/app.js"></script>';

/** The warnings about a site, each as one text. */
async function warningsOf(
  files: Record<string, string>,
  changes: Parameters<typeof aSite>[0] = {},
) {
  const all = Object.entries(files).map(([path, text]) => ({ path, bytes: Buffer.from(text) }));
  const collected = collectLinks('site', incomingFiles(all));
  const passed: string[] = [];
  for await (const { path, content } of collected.files) {
    for await (const chunk of content) passed.push(`${path}: ${Buffer.from(chunk).toString()}`);
  }
  expect(passed).toEqual(Object.entries(files).map(([path, text]) => `${path}: ${text}`));
  const { rules } = readSiteRules(new Map(Object.entries(files)));
  const site = aSite({ ...changes, rules });
  const sizes = all.map(({ path, bytes }): [string, number] => [path, bytes.length]);
  const { warnings = [] } = versionWarnings(site, aManifest(...sizes), {
    links: collected.found(),
  });
  return warnings.map((one) => {
    const file = 'file' in one ? one.file : undefined;
    return `${'kind' in one ? one.kind : 'rule'} ${file}: ${one.message}`;
  });
}

test('warnings are at most 50, and 10,000 bytes together: each push writes them, and lists read them', () => {
  const of = (count: number, message: string) =>
    versionWarnings(aSite(), aManifest(['index.html', 1]), {
      links: collectLinks('site', incomingFiles([])).found(),
      ofFiles: Array.from(
        { length: count },
        () => ({ kind: 'limit', file: 'a', message }) as const,
      ),
    }).warnings ?? [];
  expect(of(60, 'short')).toHaveLength(50);
  const long = of(60, 'é'.repeat(500));
  expect(long).toHaveLength(9);
  expect(Buffer.byteLength(JSON.stringify(long))).toBeLessThan(10_000);
  expect(of(2, 'é'.repeat(10_000))).toHaveLength(1);
});

test('a site whose links all lead to files, folders, rules or pages has no warnings', async () => {
  const files = {
    'index.html':
      '<a href="about">1</a><a href="docs/">2</a><a href="/old">3</a><img src="a%20b.png">',
    'about.html': '<a href="./">home</a><a href="/docs">docs</a><a href="https://example.org/x">',
    'docs/index.html': '<link rel=stylesheet href="../style.css"><a href="../about.html#x">',
    'style.css': 'a{background:url(a%20b.png)}',
    'a b.png': '1',
    _redirects: '/old /about',
  };
  expect(await warningsOf(files)).toEqual([]);
});

test('a link and an image that are missing are named with the file that has them (habit 8)', async () => {
  const files = {
    'index.html': '<a href="/nothing">x</a><a href="about.html">',
    'about.html': '<img src="no.png"><a href="/nothing">again</a>',
  };
  expect(await warningsOf(files)).toEqual([
    'missingLink index.html: "/nothing" is no file of this site.',
    'missingLink about.html: "/no.png" is no file of this site.',
  ]);
});

test('links of a single-page application are its own routes, its images are not', async () => {
  const files = {
    'index.html': `${app}<a href="/users/7">x</a><img src="/no.png">`,
    'app.js': '1',
  };
  expect(await warningsOf(files)).toEqual([
    'missingLink index.html: "/no.png" is no file of this site.',
  ]);
});

test('a name in other letters is named (habit 8)', async () => {
  const files = { 'index.html': '<img src="Logo.PNG">', 'logo.png': '1' };
  expect(await warningsOf(files)).toEqual([
    'case index.html: "/Logo.PNG" is no file of this site; "/logo.png" differs in large and small letters.',
  ]);
});

test.each([
  [
    'a build for a folder at the root',
    {
      'index.html': '<script src="/app/a.js"></script><img src="/app/b.png">',
      'a.js': '',
      'b.png': '',
    },
    {},
    'base index.html: Pages refer to "/app/a.js", but the file is at "/a.js".',
  ],
  [
    'a build for the root in a folder',
    { 'app/index.html': '<script src="/assets/a.js"></script>', 'app/assets/a.js': '' },
    { home: 'app/index.html' },
    'base app/index.html: Pages refer to "/assets/a.js", but the file is at "/app/assets/a.js".',
  ],
])('%s is one warning (habit 8)', async (_, files, changes, expected) => {
  const found = await warningsOf(files, changes);
  expect(found).toEqual([expect.stringContaining(expected)]);
});

test.each<[string, Record<string, string>, Parameters<typeof aSite>[0], boolean]>([
  ['a second page that nothing leads to', { 'other.html': '' }, {}, true],
  ['the proof of a search engine', { 'google0123456789abcdef.html': '' }, {}, false],
  ['a 404 page', { 'other.html': '', '404.html': '' }, {}, false],
  ['a rule for all addresses', { 'other.html': '', _redirects: '/* /index.html 200' }, {}, false],
  ['the setting `spa`', { 'other.html': '' }, { spa: true }, false],
  ['a page that leads to it', { 'other.html': '<a href="/other">' }, {}, false],
])('an application with %s (habits 7 and 8)', async (_, more, changes, isWarned) => {
  const found = await warningsOf({ 'index.html': app, 'app.js': '', ...more }, changes);
  expect(found).toEqual(
    isWarned ? [expect.stringMatching(/^application other\.html: .*set `spa` to true/)] : [],
  );
});

test.each(kindsOfSite.map(({ name, files }) => [name, files] as const))(
  '%s is built without a warning (habit 8)',
  async (_, files) => {
    const texts = Object.entries(files).map(([path, content]) => [
      path,
      Buffer.from(content).toString('latin1'),
    ]);
    expect(await warningsOf(Object.fromEntries(texts))).toEqual([]);
  },
);

const prose = '<p>' + 'Tides rise and fall twice a day in most harbours. '.repeat(4);
const script = (path: string) => `<script src="${path}"></script>`;

test.each<[string, Record<string, string>]>([
  [
    'documentation whose links name the host that it was built for',
    {
      'index.html': `${script('main.js')}${prose}<a href="https://docs.example.com/guide/">`,
      'guide/index.html': `${prose}<a href="https://docs.example.com/">`,
      'main.js': '',
    },
  ],
  [
    'documentation whose navigation a script makes (doxygen)',
    {
      'index.html': script('menu.js'),
      'annotated.html': `${script('menu.js')}${prose}`,
      'class_harbour.html': `${script('menu.js')}${prose}`,
      'menu.js': '',
    },
  ],
  [
    'documentation with absolute routes of another folder',
    {
      'index.html': `${script('app.js')}${prose}<a href="/handbook/mooring.html">`,
      'mooring.html': prose,
      'handbook/mooring.html': '',
      'app.js': '',
    },
  ],
  [
    'two applications beside each other (Storybook, a build with two entries)',
    { 'index.html': script('a.js'), 'iframe.html': script('b.js'), 'a.js': '', 'b.js': '' },
  ],
  [
    'slides with the window of the speaker (reveal.js)',
    {
      'index.html': `${script('reveal.js')}<section>${prose}</section>`,
      'plugin/notes/speaker-view.html': '<script>1</script>',
      'reveal.js': '',
    },
  ],
  [
    'a page of redirects beside pages (rustdoc)',
    {
      'index.html': `${script('a.js')}<meta http-equiv=refresh content="0;url=crate/index.html"><a href="crate/">`,
      'crate/index.html': prose,
      'a.js': '',
    },
  ],
])('%s is no application (habit 8)', async (_, files) => {
  expect((await warningsOf(files)).filter((one) => one.startsWith('application'))).toEqual([]);
});

test.each<[string, string]>([
  ['an empty root', '<div id="root"></div>'],
  ['a text while it loads', '<div id="root">Loading the tours…</div>'],
  ['a text for browsers without scripts', `<noscript>${prose}</noscript><div id="root"></div>`],
  ['an error page in a template', `<template>${prose}</template><app-root></app-root>`],
])('a home page with %s and a page of another kind is one (habit 8)', async (_, body) => {
  const files = { 'index.html': app + body, 'app.js': '', 'privacy.html': prose };
  expect(await warningsOf(files)).toEqual([expect.stringMatching(/^application privacy\.html: /)]);
});

test('headers that storage does not send with a large file are named (habit 8)', async () => {
  const set: [string, string][] = [
    ['cross-origin-embedder-policy', 'require-corp'],
    ['x-mine', '1'],
  ];
  const headers = [
    { line: 1, path: '/*', set: set.slice(0, 1), unset: [] },
    { line: 2, path: '/*.mp4', set: set.slice(1), unset: [] },
  ];
  const rules = encodeRules({ redirects: [], headers });
  const files = aManifest(
    'index.html',
    ['a.wasm', maxInlineBytes + 1],
    ['a.mp4', maxInlineBytes + 1],
  );
  const links = { links: [], pages: new Map() };
  expect(versionWarnings(aSite({ rules }), files, { links }).warnings).toEqual([
    {
      kind: 'limit',
      file: 'a.mp4',
      message: expect.stringMatching(/4 MB.*"a\.mp4" .*: x-mine\.$/),
    },
  ]);
});

test('there are at most 50 warnings (habit 8), and a site with many links is checked', async () => {
  const many = Array.from({ length: 9000 }, (_, at) => `<a href="/x${at}">`).join('');
  expect(await warningsOf({ 'index.html': many, 'a.html': '<a href="/">' })).toHaveLength(50);
});

test('pages whose policy refuses our script are named once (habit 10)', async () => {
  const strict = `<meta http-equiv="Content-Security-Policy" content="script-src 'nonce-a'">`;
  const files = {
    'index.html': '<a href="/a">',
    'a.html': strict,
    'app/b.html': '<p>',
    _headers: "/app/*\n  Content-Security-Policy: default-src 'none'",
  };
  expect(await warningsOf(files)).toEqual([
    expect.stringMatching(
      /^policy a\.html: "a\.html", "app\/b\.html": the policy .* not confirmed\./,
    ),
  ]);
  const own = `<meta http-equiv="Content-Security-Policy" content="default-src 'self'">`;
  expect(await warningsOf({ 'index.html': own })).toEqual([]);
});

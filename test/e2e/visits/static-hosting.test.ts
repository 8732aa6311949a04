import { beforeAll, describe, expect, test } from '@jest/globals';
import JSZip from 'jszip';
import { get, signIn } from '../../fixtures/accounts/accounts.ts';
import { ask, baseUrl, file, isLocal, publish } from '../../fixtures/clouds/client.ts';
import { openPreview, preview } from '../../fixtures/projects/preview.ts';
import { claim, created, temporary } from '../../fixtures/projects/projects.ts';
import { patch, push, rollBack } from '../../fixtures/projects/versions.ts';

const words = 'Boats in the harbour, seen from the pier. '.repeat(60);

const redirects = `# moved
/old          /about
/news/:year/:slug  /archive?year=:year&title=:slug 308
/blog/*       https://example.org/journal/:splat 302
/about        /shadowed
/plan.txt     /about 303!
/app/*        /app 200
/de/*         /de/fehlt.html 404
/shop         /store Country=de
nonsense
/was/*  410
`;

const headers = `/*
  X-Frame-Options: DENY
  Link: </style.css>; rel=preload; as=style
/style.css
  Cache-Control: public, max-age=3600
  ! X-Frame-Options
/secret.txt
  Cache-Control: no-store
/about
  Set-Cookie: session=1
  Cache-Control: max-age=99999
`;

const site = {
  'index.html': '<h1>Home',
  'about.html': `<h1>About</h1>${words}`,
  'app.html': '<h1>App',
  'docs/index.html': '<h1>Docs',
  '404.html': `<h1>Lost</h1>${words}`,
  'de/fehlt.html': '<h1>Fehlt',
  'style.css': `body{}/*${words}*/`,
  'secret.txt': 'secret',
  'plan.txt': 'plan',
  _redirects: redirects,
  _headers: headers,
};

async function zipOf(files: Record<string, string>): Promise<Buffer> {
  const zip = new JSZip();
  for (const [path, content] of Object.entries(files)) zip.file(path, content);
  return zip.generateAsync({ type: 'nodebuffer' });
}

const named = { name: 'zipIndexHtmlPath', body: 'index.html' };
const upload = async (files: Record<string, string>) => [
  file('site.zip', await zipOf(files)),
  named,
];

/** `200`, or `301 address`. */
async function go(url: string, sent: Record<string, string> = {}): Promise<string> {
  const { status, headers: got } = await ask(url, { headers: sent });
  return got.location === undefined ? String(status) : `${status} ${got.location}`;
}

describe('a site with rules of its own', () => {
  let url: string;
  let warnings: unknown;

  beforeAll(async () => {
    const answer = await publish(await upload(site));
    expect(answer.status).toBe(200);
    ({ url, warnings } = answer.json.data);
  });

  test('reports ignored lines and the reasons', () => {
    expect(warnings).toEqual([
      { file: '_redirects', line: 9, message: expect.stringContaining('not supported') },
      { file: '_redirects', line: 10, message: expect.stringContaining('nonsense') },
      { file: '_headers', line: 10, message: expect.stringContaining('Cookies') },
    ]);
  });

  test.each([
    ['/old', '301 /about'],
    ['/old/?a=1', '301 /about?a=1'],
    ['/news/2026/caf%C3%A9?a=1', '308 /archive?year=2026&title=caf%C3%A9'],
    ['/blog/2026/a%20b?a=1', '302 https://example.org/journal/2026/a%20b?a=1'],
    ['/plan.txt', '303 /about'],
    ['/about', '200'],
    ['/about/', '301 /about'],
    ['/about/?a=1&b=%2F', '301 /about?a=1&b=%2F'],
    ['/docs', '301 /docs/'],
    ['/docs?q=x', '301 /docs/?q=x'],
    ['/app/users/7', '200'],
    ['/shop', '404'],
    ['/_redirects', '404'],
    ['/_headers', '404'],
    ['//evil.example/', '404'],
    ['/blog//evil.example', '302 https://example.org/journal/evil.example'],
    ['//about', '200'],
    ['/docs//', '200'],
    ['/was/here', '410'],
  ])('%s is answered with %s', async (path, expected) => {
    expect(await go(url + path)).toBe(expected);
    expect(await go(url + path)).toBe(expected);
  });

  test('a redirect is not labelled as JSON (habit 9)', async () => {
    for (const path of ['/old', '/docs', '/plan.txt']) {
      expect((await ask(url + path)).headers['content-type']).toBe('text/plain; charset=utf-8');
    }
  });

  test('slashes that follow each other are one (habit 9)', async () => {
    expect(await ask(`${url}//about`)).toMatchObject({
      status: 200,
      text: (await ask(`${url}/about`)).text,
    });
  });

  test('what is gone shows the page of missing files (habit 9)', async () => {
    expect((await ask(`${url}/was/here`)).text).toContain('<h1>Lost');
  });

  test('a redirect with a query is sent only to its visitor', async () => {
    const one = await ask(`${url}/old?who=one`);
    expect(one.headers['cache-control']).toBe('private, no-store');
    expect(await go(`${url}/old`)).toBe('301 /about');
    expect(await go(`${url}/old?who=two`)).toBe('301 /about?who=two');
    expect(await go(`${url}/old`)).toBe('301 /about');
  });

  test('rewrites an address to a file', async () => {
    expect((await ask(`${url}/app/users/7`)).text).toContain('<h1>App');
    expect((await ask(`${url}/about`)).text).toContain('<h1>About');
  });

  test('answers missing paths with its own pages and 404', async () => {
    const lost = await ask(`${url}/nothing/at/all`, { headers: { accept: 'text/html' } });
    expect(lost).toMatchObject({ status: 404, text: expect.stringContaining('<h1>Lost') });
    expect(lost.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'private, no-store',
      'x-frame-options': 'DENY',
    });
    expect(lost.headers.etag).toBeUndefined();
    expect(await ask(`${url}/de/x`)).toMatchObject({
      status: 404,
      text: expect.stringContaining('<h1>Fehlt'),
    });
    const packed = await ask(`${url}/nothing`, { headers: { 'accept-encoding': 'br' } });
    expect(packed).toMatchObject({ status: 404, headers: { 'content-encoding': 'br' } });
    const range = await ask(`${url}/nothing`, { headers: { range: 'bytes=0-3' } });
    expect(range).toMatchObject({ status: 404, text: lost.text });
  });

  test('adds its headers to its responses, on files and on 304', async () => {
    const home = await ask(url);
    expect(home.headers).toMatchObject({
      'x-frame-options': 'DENY',
      link: expect.stringMatching(/^<\/style\.css>; rel=preload; as=style/),
      'x-robots-tag': 'noindex',
    });
    const again = await ask(url, { headers: { 'if-none-match': home.headers.etag } });
    expect(again).toMatchObject({ status: 304, headers: { 'x-frame-options': 'DENY' } });
    expect((await ask(`${url}/style.css`)).headers).not.toHaveProperty('x-frame-options');
    expect((await ask(`${url}/about`)).headers).not.toHaveProperty('set-cookie');
  });

  test('sets the browser’s cache time of a file, but not of pages, and not of the edge', async () => {
    const style = (await ask(`${url}/style.css`)).headers['cache-control'];
    expect(style).toMatch(/^public, max-age=[1-9]\d{0,2}, s-maxage=(?:300|0), must-revalidate/);
    expect((await ask(`${url}/secret.txt`)).headers['cache-control']).toBe('private, no-store');
    expect((await ask(`${url}/about`)).headers['cache-control']).toMatch(
      /^public, max-age=0, must-revalidate/,
    );
  });
});

test('a bundle without a home page keeps its rules as files like any other', async () => {
  const answer = await publish([file('_redirects', '/a /b'), file('a.txt', 'a')]);
  const { url, warnings } = answer.json.data;
  expect(warnings).toBeUndefined();
  expect((await ask(`${url}/_redirects`)).text).toBe('/a /b');
  expect((await ask(url)).text).toContain('_redirects');
  expect(await go(`${url}/a`)).toBe('404');
});

test('a listing is compressed like a file', async () => {
  const answer = await publish([file('a.txt', 'a'), file('b.txt', 'b')]);
  const { url } = answer.json.data;
  const sent = { 'accept-encoding': 'gzip' };
  const packed = await ask(url, { headers: sent });
  expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
  const plain = await ask(url);
  expect(plain.headers.etag).not.toBe(packed.headers.etag);
  expect(packed.body.length).toBeLessThan(plain.body.length / 2);
  const again = { ...sent, 'if-none-match': packed.headers.etag };
  expect((await ask(url, { headers: again })).status).toBe(304);
});

describe('a single-page application', () => {
  let url: string;
  const browser = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
  const script = { 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script' };

  beforeAll(async () => {
    const files = { 'index.html': '<h1>App', 'assets/app.js': 'run()' };
    url = (await publish([file('app.zip', await zipOf(files))])).json.data.url;
  });

  test('is sent for every navigation and for no other request, in any order (fault 5)', async () => {
    for (const [path, sent, status] of [
      ['/users/7', browser, 200],
      ['/users/7', script, 404],
      ['/users/7', { accept: 'text/html' }, 200],
      ['/users/7', { accept: '*/*' }, 200],
      ['/users/7', { 'sec-fetch-mode': 'same-origin', 'sec-fetch-dest': 'empty' }, 200],
      ['/users/7', { accept: 'image/*' }, 404],
      ['/users/7', browser, 200],
      ['/assets/old.js', script, 404],
      ['/assets/old.js', { accept: 'text/html' }, 404],
    ] as const) {
      const answer = await ask(url + path, { headers: sent });
      expect({ path, sent, status: answer.status }).toEqual({ path, sent, status });
      if (status === 200) expect(answer.text).toContain('<h1>App');
    }
  });
});

// The codes are read from the local inbox.
const local = isLocal ? describe : describe.skip;

local('a claimed site', () => {
  test('keeps its rules at another address', async () => {
    const key = await signIn();
    const files = [file('index.html', '<h1>Mine'), file('_redirects', '/go /there 302')];
    const { projectId, url, claimToken } = await temporary(files);
    expect(await go(`${url}/go`)).toBe('302 /there');
    expect((await claim(key, claimToken)).status).toBe(200);
    expect(await go(`${url}/go`)).toBe('302 /there');
    const slug = `moved-${projectId.slice(0, 8)}`;
    expect((await patch(key, projectId, { slug, title: 'Moved' })).status).toBe(200);
    expect(await go(`${url.replace(/\/\/[^.]+/, `//${slug}`)}/go`)).toBe('302 /there');
  });
});

local('with versions', () => {
  const files = (to: string) => [
    file('index.html', `<h1>${to}`),
    file('_redirects', `/go /${to} 302\n/bad`),
    file('_headers', `/*\n  X-Goes: ${to}`),
  ];

  test('every version has its own rules, and its owner gets the ignored lines', async () => {
    const key = await signIn();
    const { projectId, url, warnings } = await created(key, { files: files('one') });
    expect(warnings).toEqual([
      { file: '_redirects', line: 2, message: expect.stringContaining('A rule needs') },
    ]);
    expect(await go(`${url}/go`)).toBe('302 /one');
    const pushed = await push(key, projectId, files('two'));
    expect(pushed.json.data.warnings).toHaveLength(1);
    expect(await go(`${url}/go`)).toBe('302 /two');
    expect((await ask(url)).headers['x-goes']).toBe('two');
    await rollBack(key, projectId, 1);
    expect(await go(`${url}/go`)).toBe('302 /one');
    expect((await ask(url)).headers['x-goes']).toBe('one');
    const { data: link } = (await preview(key, projectId, 2, baseUrl)).json;
    const cookie = await openPreview(link.url);
    expect(await go(`${url}/go`, { cookie })).toBe('302 /two');
    expect((await ask(url, { headers: { cookie } })).headers['x-goes']).toBe('two');
    expect(await go(`${url}/go`)).toBe('302 /one');
    await push(key, projectId, [file('index.html', '<h1>none')]);
    expect(await go(`${url}/go.txt`)).toBe('404');
    expect((await ask(url)).headers).not.toHaveProperty('x-goes');
    const { data } = (await get(`/v1/projects/${projectId}/status`, key)).json;
    expect(data.map((one: any) => [one.version, one.warnings?.length])).toEqual([
      [3, undefined],
      [2, 1],
      [1, 1],
    ]);
  });
});

test('a text whose name does not say what it is is shown as text (habit 12)', async () => {
  const files = { 'index.html': 'x', LICENSE: 'Apache', 'a/yarn.lock': '# é', program: '\0ELF' };
  const url = (await publish([file('a.zip', await zipOf(files))])).json.data.url;
  const typeOf = async (path: string) => (await ask(`${url}/${path}`)).headers['content-type'];
  expect(await typeOf('LICENSE')).toBe('text/plain; charset=utf-8');
  expect(await typeOf('a/yarn.lock')).toBe('text/plain; charset=utf-8');
  expect(await typeOf('program')).toBe('application/octet-stream');
});

describe('a ZIP with one top folder (fault 2)', () => {
  const build = (base: string) => ({
    'app/index.html': `<script type="module" src="${base}main.js"></script><img src="no.png">`,
    'app/main.js': 'run()',
    'app/_headers': `${base}*\n  X-Base: ${base}`,
  });

  test('keeps it where pages refer to it, and says so', async () => {
    const sent = await publish([file('a.zip', await zipOf(build('/app/')))]);
    const { url, warnings } = sent.json.data;
    expect(await go(`${url}/`)).toBe('301 /app/');
    for (const path of ['/app/', '/app/main.js', '/app/deep/link']) {
      expect(await ask(url + path)).toMatchObject({ status: 200, headers: { 'x-base': '/app/' } });
    }
    expect(warnings).toEqual([
      { kind: 'folder', message: expect.stringContaining('is part of the addresses') },
      {
        kind: 'missingLink',
        file: 'app/index.html',
        message: expect.stringMatching('/app/no.png'),
      },
    ]);
  });

  test('leaves it out otherwise, and says so', async () => {
    const { url, warnings } = (await publish([file('a.zip', await zipOf(build('/')))])).json.data;
    expect((await ask(`${url}/main.js`)).headers).toMatchObject({ 'x-base': '/' });
    expect(warnings).toMatchObject([{ kind: 'folder' }, { kind: 'missingLink' }]);
  });
});

local('the setting `spa` (habit 7)', () => {
  test('turns the home page on and off for missing pages, and the project has the warnings (habit 8)', async () => {
    const key = await signIn();
    const app = '<script type="module" src="/a.js"></script>';
    const files = [file('index.html', app), file('other.html', 'x'), file('a.js', '1')];
    const { projectId, url, warnings } = await created(key, { files });
    const expected = [{ kind: 'application', file: 'other.html', message: expect.any(String) }];
    expect(warnings).toEqual(expected);
    const found = async () => (await get(`/v1/projects/${projectId}`, key)).json.data;
    expect(await found()).toMatchObject({ spa: 'auto', warnings: expected });
    expect((await ask(`${url}/users/7`)).status).toBe(404);
    for (const [spa, status] of [
      [true, 200],
      [false, 404],
      ['auto', 404],
    ] as const) {
      await patch(key, projectId, { spa });
      expect((await found()).spa).toBe(spa);
      expect((await ask(`${url}/users/7`)).status).toBe(status);
    }
  });

  test('can be sent with the files', async () => {
    const key = await signIn();
    const files = [file('index.html', 'x'), file('b.html', 'y')];
    const { projectId, url } = await created(key, { files, fields: { spa: 'true' } });
    expect((await ask(`${url}/users/7`)).status).toBe(200);
    const pushed = await push(key, projectId, [file('index.html', 'z'), file('c.html', 'y')]);
    expect(pushed.json.data.warnings).toBeUndefined();
    expect((await ask(`${url}/users/8`)).status).toBe(200);
  });
});

local('the setting `prettyUrls`', () => {
  test('redirects pages to their short addresses, for people alone (habit 9)', async () => {
    const key = await signIn();
    const files = [file('index.html', 'home'), file('about.html', 'about')];
    const { projectId, url } = await created(key, { files });
    expect(await go(`${url}/about.html`)).toBe('200');
    expect((await patch(key, projectId, { prettyUrls: true })).status).toBe(200);
    expect(await go(`${url}/about.html?a=1`)).toBe('301 /about?a=1');
    expect(await go(`${url}/index.html`)).toBe('301 /');
    expect(await go(`${url}/about`)).toBe('200');
    const worker = { 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' };
    expect(await go(`${url}/index.html`, worker)).toBe('200');
    expect(await go(`${url}/index.html`)).toBe('301 /');
  });
});

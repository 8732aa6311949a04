import { brotliCompressSync, gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from '@jest/globals';
import JSZip from 'jszip';
import { signIn } from '../../fixtures/accounts/accounts.ts';
import { ask, file, isLocal, publish } from '../../fixtures/clouds/client.ts';
import { created } from '../../fixtures/projects/projects.ts';
import { patch } from '../../fixtures/projects/versions.ts';

type Files = Readonly<Record<string, string | Buffer>>;

async function zipOf(files: Files) {
  const zip = new JSZip();
  for (const [name, content] of Object.entries(files)) zip.file(name, content);
  const body = await zip.generateAsync({ type: 'nodebuffer', compression: 'DEFLATE' });
  return [file('site.zip', body), { name: 'zipIndexHtmlPath', body: 'index.html' }];
}

const published = async (files: Files): Promise<string> =>
  (await publish(await zipOf(files))).json.data.url;

const home = '<!doctype html><title>Home</title><h1>Home</h1>';
const preflight = {
  origin: 'https://elsewhere.example',
  'access-control-request-method': 'GET',
  'access-control-request-headers': 'x-key',
};

describe('pages of other origins', () => {
  const files = {
    'index.html': home,
    'data.json': '{"a":1}',
    'font.woff2': Buffer.from('wOF2'),
    'large.bin': Buffer.alloc(5 * 1024 * 1024, 'large'),
    'own/data.json': '{}',
    'closed/data.json': '{}',
    _headers: `/own/*
  Access-Control-Allow-Origin: https://a.example
  Access-Control-Allow-Headers: X-Key
/closed/*
  ! Access-Control-Allow-Origin`,
  };
  let url: string;
  beforeAll(async () => {
    url = await published(files);
  });
  const opened = (path: string) =>
    ask(url + path, { headers: { origin: preflight.origin } }).then(({ headers, status }) => [
      status,
      headers['access-control-allow-origin'],
    ]);

  test.each([
    ['/data.json', 200, '*'],
    ['/font.woff2', 200, '*'],
    ['/large.bin', 302, '*'],
    ['/own/data.json', 200, 'https://a.example'],
    ['/closed/data.json', 200, undefined],
    ['/', 200, undefined],
    ['/missing.json', 404, undefined],
  ])('may read %s: %s %s', async (path, status, origin) => {
    expect(await opened(path)).toEqual([status, origin]);
  });

  test('may read a large file where its redirect leads', async () => {
    const { headers } = await ask(`${url}/large.bin`);
    const large = await ask(url + String(headers.location), { headers: preflight });
    expect([large.status, large.headers['access-control-allow-origin']]).toEqual([200, '*']);
  });

  test.each([
    ['/data.json', 204, '*', 'x-key'],
    // The answer to the request itself says who may read it.
    ['/closed/data.json', 204, '*', 'x-key'],
    ['/missing.json', 204, '*', 'x-key'],
    ['/_slipway/unlock', 405, undefined, undefined],
  ])('that ask before get of %s: %s %s %s', async (path, status, origin, names) => {
    const answer = await ask(url + path, { method: 'OPTIONS', headers: preflight });
    expect([
      answer.status,
      answer.headers['access-control-allow-origin'],
      answer.headers['access-control-allow-headers'],
    ]).toEqual([status, origin, names]);
    if (status === 405) expect(answer.json.code).toBe('METHOD_NOT_ALLOWED');
    else expect(answer.body.length).toBe(0);
  });

  (isLocal ? test : test.skip)('never may where a password is asked for', async () => {
    const key = await signIn();
    const site = await created(key, { files: await zipOf(files) });
    await patch(key, site.projectId, { access: 'password', password: 'long enough' });
    for (const path of ['/data.json', '/own/data.json']) {
      const { headers } = await ask(site.url + path);
      expect(headers['access-control-allow-origin']).toBeUndefined();
    }
  });
});

describe('addresses that no file can have', () => {
  const addresses = ['/package/%40scope%2Fname', '/tag/caf%E9', '/search/100%', '/q/a%0Ab'];

  test('show the page of an application', async () => {
    const url = await published({ 'index.html': home, 'app.js': '1' });
    for (const path of addresses) {
      const { status, text } = await ask(url + path);
      expect([path, status, text]).toEqual([path, 200, home]);
    }
    expect((await ask(`${url}/_headers`)).status).toBe(404);
    expect((await ask(`${url}/_redirects`)).status).toBe(404);
  });

  test('follow the rules of a site, else are missing', async () => {
    const _redirects = '/package/:name /p/:name\n/tag/* /t/:splat\n/search/* /s/:splat 302';
    const url = await published({
      'index.html': home,
      '404.html': '<title>Lost</title>',
      _redirects,
    });
    const answers = await Promise.all(addresses.map((path) => ask(url + path)));
    expect(answers.map(({ status, headers }) => [status, headers.location])).toEqual([
      [301, '/p/%40scope%2Fname'],
      [301, '/t/caf%E9'],
      [302, '/s/100%25'],
      [404, undefined],
    ]);
  });
});

test('files that declare another encoding get no other one from the header', async () => {
  const cyrillic = Buffer.from('cff0e8e2e5f2', 'hex');
  const url = await published({
    'index.html': Buffer.concat([Buffer.from('<meta charset=windows-1251><title>'), cyrillic]),
    'a.svg': '<?xml version="1.0" encoding="koi8-r"?><svg xmlns="http://www.w3.org/2000/svg"/>',
    'a.css': '@charset "big5";',
    'b.css': 'p{}',
  });
  const types = ['/', '/a.svg', '/a.css', '/b.css'].map(
    async (path) => (await ask(url + path)).headers['content-type'],
  );
  expect(await Promise.all(types)).toEqual([
    'text/html',
    'image/svg+xml',
    'text/css',
    'text/css; charset=utf-8',
  ]);
});

describe('files that were compressed before they were published', () => {
  const script = Buffer.from('let boats = "harbour";\n'.repeat(200));
  const files = {
    'index.html': home,
    'a.js.gz': gzipSync(script),
    'b.js.br': brotliCompressSync(script),
    'Build/c.data.unityweb': gzipSync(script),
    'drawing.svgz': gzipSync('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    'files.tar.gz': gzipSync(script),
    'table.csv.gz': gzipSync(script),
    'wrong.js.gz': script,
    'pair.js': '1',
    'pair.js.gz': gzipSync(script),
    'scan.nii.gz': gzipSync(script),
    'scan.txt': 'no gzip',
    _headers: '/scan*\n  Content-Encoding: gzip\n  Content-Type: application/x-nifti',
  };
  let url: string;
  beforeAll(async () => {
    url = await published(files);
  });
  const javascript = 'text/javascript; charset=utf-8';

  test.each([
    ['/a.js.gz', 'a.js.gz', javascript, 'gzip'],
    ['/a.js', 'a.js.gz', javascript, 'gzip'],
    ['/b.js.br', 'b.js.br', javascript, 'br'],
    ['/b.js', 'b.js.br', javascript, 'br'],
    ['/Build/c.data.unityweb', 'Build/c.data.unityweb', 'application/octet-stream', 'gzip'],
    ['/drawing.svgz', 'drawing.svgz', 'image/svg+xml; charset=utf-8', 'gzip'],
    ['/files.tar.gz', 'files.tar.gz', 'application/gzip', undefined],
    ['/table.csv.gz', 'table.csv.gz', 'application/gzip', undefined],
    ['/wrong.js.gz', 'wrong.js.gz', 'application/gzip', undefined],
    ['/pair.js', 'pair.js', javascript, undefined],
    ['/scan.nii.gz', 'scan.nii.gz', 'application/x-nifti', 'gzip'],
    ['/scan.txt', 'scan.txt', 'application/x-nifti', undefined],
  ] as const)('%s is %s as %s, %s', async (path, name, type, coding) => {
    const { body, headers } = await ask(url + path, { headers: { 'accept-encoding': 'gzip, br' } });
    expect([headers['content-type'], headers['content-encoding']]).toEqual([type, coding]);
    expect(body.equals(Buffer.from(files[name]))).toBe(true);
    const again = { 'accept-encoding': 'gzip, br', 'if-none-match': headers.etag };
    expect((await ask(url + path, { headers: again })).status).toBe(304);
  });

  test.each([
    ['game.data.gz', 'application/octet-stream'],
    ['game.wasm.unityweb', 'application/wasm'],
  ])('%s is the same where storage sends it', async (name, type) => {
    const large = gzipSync(Buffer.alloc(4_300_000, 'x'), { level: 0 });
    const at = await published({ 'index.html': home, [name]: large });
    const { headers } = await ask(`${at}/${name}`);
    const sent = await ask(at + String(headers.location), { headers: { range: 'bytes=0-2' } });
    expect([sent.headers['content-type'], sent.headers['content-encoding']]).toEqual([
      type,
      'gzip',
    ]);
    expect(sent.body).toEqual(large.subarray(0, 3));
  });

  test('a missing one is still missing', async () => {
    expect((await ask(`${url}/missing.js`)).status).toBe(404);
  });
});

describe('files that configure other hosts', () => {
  test('are read or named, and never served', async () => {
    const { json } = await publish(
      await zipOf({
        'index.html': home,
        'netlify.toml': '[[redirects]]\nfrom = "/old/*"\nto = "/new/:splat"\n',
        'vercel.json': '{"headers":[{"source":"/(.*)","headers":[{"key":"X-A","value":"1"}]}]}',
        'firebase.json':
          '{"hosting":{"rewrites":[\n{"source":"/api/**","function":"api"},{"source":"**","destination":"/app.htm"}]}}',
        CNAME: 'www.example.org',
        'app.htm': '<!doctype html><title>App</title>',
        'functions/hello.js': 'export const onRequest = () => new Response("secret")',
        'functions/helper.js': 'export const key = 1',
        'api/plot.js': 'document.title = "mine"',
      }),
    );
    const { url, warnings } = json.data;
    expect(warnings.map((one: { file: string; line: number }) => [one.file, one.line])).toEqual([
      ['functions/', 1],
      ['firebase.json', 2],
      ['CNAME', 1],
    ]);
    const hidden = [
      'netlify.toml',
      'vercel.json',
      'CNAME',
      'functions/hello.js',
      'functions/helper.js',
    ];
    const answers = await Promise.all(
      ['old/a', 'b/c', 'app', 'api/plot.js', ...hidden].map((path) => ask(`${url}/${path}`)),
    );
    expect(answers.map(({ status, headers }) => headers.location ?? status)).toEqual([
      '/new/a',
      200,
      200,
      200,
      ...hidden.map(() => 404),
    ]);
    expect(answers[1]?.text).toContain('App');
    expect(answers[1]?.headers['x-a']).toBe('1');
  });

  test('may be all that a site has', async () => {
    const zip = new JSZip();
    zip.file('_redirects', '/* https://new.example/:splat 302');
    const { json } = await publish([
      file('site.zip', await zip.generateAsync({ type: 'nodebuffer' })),
    ]);
    const answers = await Promise.all(['/', '/a/b'].map((path) => ask(json.data.url + path)));
    expect(answers.map(({ headers }) => headers.location)).toEqual([
      'https://new.example/',
      'https://new.example/a/b',
    ]);
  });

  test('200.html answers missing pages, and not missing scripts', async () => {
    const url = await published({ 'index.html': home, '200.html': '<title>Shell</title>' });
    const [page, script] = await Promise.all(['/a/b', '/a.js'].map((path) => ask(url + path)));
    expect([page?.status, page?.text, script?.status]).toEqual([200, '<title>Shell</title>', 404]);
  });
});

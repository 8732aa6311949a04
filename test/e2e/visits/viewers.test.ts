import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { ask, file, isLocal, published } from '../../fixtures/clouds/client.ts';

const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>';

let sites: Record<string, string>;
let bundle: string;
let home: string;

beforeAll(async () => {
  const files = {
    pdf: file('plan.pdf', '%PDF-1.4'),
    svg: file('bow.svg', svg),
    code: file('app.ts', 'const a = "<script>";\n'),
    markdown: file('notes.md', '# Berths\n\n<script>alert(1)</script>\n'),
  };
  sites = Object.fromEntries(
    await Promise.all(
      Object.entries(files).map(async ([name, one]) => [name, await published([one])]),
    ),
  );
  bundle = await published([
    file(
      'page.xhtml',
      '<html xmlns="http://www.w3.org/1999/xhtml"><script>alert(1)</script></html>',
    ),
    file('data.xml', '<a/>'),
    file('bow.svg', svg),
    file('notes.txt', 'x'),
  ]);
  home = await published([file('index.html', '<h1>Home</h1>')]);
});

const site = (name: string) => sites[name] ?? '';

/** The address of an asset that a page names. */
async function assetOf(name: string, url = site('pdf')): Promise<string> {
  const { text } = await ask(`${url}/`);
  const [path = ''] =
    new RegExp(`/_slipway/assets/${name}-[0-9A-Z]{8}(?:\\.js|/)`).exec(text) ?? [];
  expect(path).not.toBe('');
  return url + path;
}

test('a binary property list is a card, alone and in a bundle, and one of XML is code', async () => {
  // The dictionary {"a": "b"}.
  const binary = Buffer.from(
    `bplist00\u00d1\u0001\u0002QaQb\b\u000b\r${'\0'.repeat(32)}`,
    'latin1',
  );
  const card = 'class="offer"';
  expect((await ask(await published([file('Info.plist', binary)]))).text).toContain(card);
  const both = [file('Info.plist', binary), file('text.plist', '<plist version="1.0"/>')];
  const url = await published(both);
  expect((await ask(`${url}/Info.plist/`)).text).toContain(card);
  expect((await ask(`${url}/text.plist/`)).text).toContain('<span class="line" id="L1">');
});

describe('the page of a file of a bundle', () => {
  test('is at its address with a slash behind it, and has links to the files beside it', async () => {
    const { status, headers, text } = await ask(`${bundle}/notes.txt/`);
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(text).toContain('<span class="line" id="L1">');
    expect(text).toContain('<a href="/">All files</a>');
    expect(text).toContain('<a href="/data.xml/" rel="prev"');
    const again = await ask(`${bundle}/notes.txt/`, {
      headers: { 'if-none-match': headers.etag },
    });
    expect(again.status).toBe(304);
    expect((await ask(`${bundle}/notes.txt`)).text).toBe('x');
  });

  test('runs nothing of the file', async () => {
    const { text } = await ask(`${bundle}/data.xml/`);
    expect(text).not.toContain('<a/>');
    expect((await ask(`${bundle}/page.xhtml/`)).text).not.toContain('<script>alert');
  });
});

describe('the page of a single file', () => {
  test.each([
    ['pdf', 'class="sheets"'],
    ['svg', '<img src="/bow.svg" alt="bow.svg"'],
    ['code', '<span class="line" id="L1">'],
    ['markdown', '<h1 id="berths">Berths</h1>'],
  ])(
    'of type %s is revalidated at every view, with a strict content security policy',
    async (name, mark) => {
      const { status, headers, text } = await ask(`${site(name)}/`);
      expect(status).toBe(200);
      expect(text).toContain(mark);
      expect(text).not.toContain('<script>alert');
      expect(headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'public, max-age=0, must-revalidate, stale-if-error=0',
        'x-content-type-options': 'nosniff',
        'x-robots-tag': 'noindex',
      });
      const { origin } = new URL(site(name));
      const policy = String(headers['content-security-policy']);
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain(`script-src ${origin}/_slipway/assets/;`);
      expect(policy).not.toMatch(/unsafe|script-src[^;]*'self'/);
      const again = await ask(`${site(name)}/`, { headers: { 'if-none-match': headers.etag } });
      expect(again.status).toBe(304);
    },
  );

  test('the file itself is at its own address, with ranges', async () => {
    const { status, headers, text } = await ask(`${site('pdf')}/plan.pdf`, {
      headers: { range: 'bytes=1-3' },
    });
    expect([status, text]).toEqual([206, 'PDF']);
    expect(headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': "inline; filename*=UTF-8''plan.pdf",
      'content-range': 'bytes 1-3/8',
    });
  });
});

describe('a raw file', () => {
  test.each(['page.xhtml', 'data.xml', 'bow.svg'])(
    '%s of a bundle runs no scripts',
    async (name) => {
      const { status, headers } = await ask(`${bundle}/${name}`);
      expect(status).toBe(200);
      expect(headers).toMatchObject({
        'content-security-policy': 'sandbox',
        'x-content-type-options': 'nosniff',
      });
    },
  );

  test('of a single-file project runs no scripts either', async () => {
    const { headers } = await ask(`${site('svg')}/bow.svg`);
    expect(headers).toMatchObject({
      'content-type': 'image/svg+xml; charset=utf-8',
      'content-security-policy': 'sandbox',
    });
  });

  test.each([
    ['that runs nothing anyway', () => `${bundle}/notes.txt`],
    ['of a site', () => `${home}/`],
  ])('%s has no sandbox', async (_, url) => {
    const { headers } = await ask(url());
    expect(headers['content-security-policy']).toBeUndefined();
  });
});

describe('files of viewer pages', () => {
  test.each([
    ['pdf', 'text/javascript; charset=utf-8'],
    ['pdf-worker', 'text/javascript; charset=utf-8'],
  ])('%s is kept for ever', async (name, type) => {
    const { status, headers, body } = await ask(await assetOf(name));
    expect(status).toBe(200);
    expect(body.length).toBeGreaterThan(10_000);
    expect(headers).toMatchObject({
      'content-type': type,
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    });
    expect(headers['set-cookie']).toBeUndefined();
  });

  test('are sent in the best compression that the browser accepts', async () => {
    const url = await assetOf('pdf-worker');
    const plain = await ask(url);
    const br = await ask(url, { headers: { 'accept-encoding': 'gzip, deflate, br, zstd' } });
    const gzip = await ask(url, { headers: { 'accept-encoding': 'gzip' } });
    expect([br, gzip].map(({ headers }) => headers['content-encoding'])).toEqual(['br', 'gzip']);
    expect(brotliDecompressSync(br.body).equals(plain.body)).toBe(true);
    expect(gunzipSync(gzip.body).equals(plain.body)).toBe(true);
    expect(br.body.length).toBeLessThan(plain.body.length / 2);
    const etag = br.headers.etag;
    const again = { 'accept-encoding': 'br', 'if-none-match': etag };
    expect((await ask(url, { headers: again })).status).toBe(304);
  });

  test('are the same on every host, even without a site', async () => {
    const path = new URL(await assetOf('pdf')).pathname;
    expect((await ask(`${home}${path}`)).status).toBe(200);
  });

  test('HEAD has only the headers', async () => {
    const { status, headers, body } = await ask(await assetOf('pdf'), { method: 'HEAD' });
    expect(status).toBe(200);
    expect(Number(headers['content-length'])).toBeGreaterThan(10_000);
    expect(body.length).toBe(0);
  });

  test('data of pdf.js has its media types', async () => {
    const data = await assetOf('pdf-data');
    const wasm = await ask(`${data}wasm/openjpeg.wasm`);
    expect(wasm.headers['content-type']).toBe('application/wasm');
    expect((await ask(`${data}cmaps/Adobe-Japan1-UCS2.bcmap`)).status).toBe(200);
    expect((await ask(data)).status).toBe(404);
  });

  test.each([
    'nothing-1A2B3C4D.js',
    '',
    '../index.mjs',
    '..%2findex.mjs',
    '%2e%2e/index.mjs',
    'pdf-data/../../index.mjs',
    '%2fetc%2fpasswd',
    '__proto__',
  ])('%j does not exist', async (name) => {
    const { status, headers, text } = await ask(`${home}/_slipway/assets/${name}`);
    expect(status).toBe(404);
    expect(text).not.toMatch(/import .* from|root:x:/);
    expect(headers['cache-control']).toMatch(/no-store/);
  });

  test('refuse POST', async () => {
    expect((await ask(await assetOf('pdf'), { method: 'POST', body: 'x' })).status).toBeGreaterThan(
      399,
    );
  });
});

if (isLocal) {
  test('the gate and the files are of the same build', async () => {
    const names = ['pdf', 'pdf-worker', 'pdf-data'];
    expect(await Promise.all(names.map((name) => assetOf(name)))).toHaveLength(3);
    expect((await ask(await assetOf('code', site('code')))).status).toBe(200);
    expect((await ask(await assetOf('image', site('svg')))).status).toBe(200);
  });
}

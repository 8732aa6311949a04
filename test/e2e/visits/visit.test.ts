import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import JSZip from 'jszip';
import {
  ask,
  baseUrl,
  file,
  isLocal,
  publish,
  published,
  somebody,
} from '../../fixtures/clouds/client.ts';
import { aForm } from '../../fixtures/uploads/multipart.ts';
import { expectNoInsides } from '../../fixtures/clouds/refusals.ts';

let site: string;
let bundle: string;

beforeAll(async () => {
  const zip = new JSZip();
  zip.file('index.html', '<!doctype html><title>Home</title><h1>Home</h1>');
  zip.file('docs/guide.txt', 'guide');
  zip.file('assets/app-BX3f9a1C.js', 'console.log(1)');
  zip.file('assets/style.css', 'body{}');
  zip.file('data.json', '{}');
  zip.file('empty.txt', '');
  zip.file('digits.txt', '0123456789');
  // Asked for once, so that no edge holds it.
  zip.file('unseen.txt', '0123456789');
  site = await published([file('site.zip', await zip.generateAsync({ type: 'nodebuffer' }))]);
  bundle = await published([
    file('photo.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>'),
    file('papers/a & b.txt', 'ab'),
    file('papers/old/c.txt', 'c'),
    file('<img src=x onerror=alert(1)>.txt', 'x'),
  ]);
});

describe('a static site', () => {
  test('serves its home page, revalidated at every view, with noindex while temporary', async () => {
    const { status, headers, text } = await ask(`${site}/`);
    expect(status).toBe(200);
    expect(text).toBe('<!doctype html><title>Home</title><h1>Home</h1>');
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'public, max-age=0, must-revalidate, stale-if-error=0',
      'x-robots-tag': 'noindex',
      'x-content-type-options': 'nosniff',
      'accept-ranges': 'bytes',
      etag: expect.stringMatching(/^"[\w-]{16}"$/),
      'last-modified': expect.stringMatching(/GMT$/),
    });
  });

  test.each([
    ['/assets/style.css', 'text/css; charset=utf-8'],
    ['/assets/app-BX3f9a1C.js', 'text/javascript; charset=utf-8'],
    ['/data.json', 'application/json; charset=utf-8'],
    ['/docs/guide.txt', 'text/plain; charset=utf-8'],
  ])('%s has the type of its name', async (path, type) => {
    const { status, headers } = await ask(site + path);
    expect({ status, type: headers['content-type'] }).toEqual({ status: 200, type });
    expect(headers['x-content-type-options']).toBe('nosniff');
  });

  test('a hashed name is immutable, another asset is not', async () => {
    const hashed = await ask(`${site}/assets/app-BX3f9a1C.js`);
    expect(hashed.headers['cache-control']).toContain('immutable');
    const plain = await ask(`${site}/assets/style.css`);
    expect(plain.headers['cache-control']).toContain('must-revalidate');
  });

  test('an empty file is empty', async () => {
    const { status, body } = await ask(`${site}/empty.txt`);
    expect({ status, length: body.length }).toEqual({ status: 200, length: 0 });
  });

  test('the query changes nothing', async () => {
    expect((await ask(`${site}/digits.txt?v=1&_=%00`)).text).toBe('0123456789');
  });
});

describe('a bundle', () => {
  test('lists its files and folders, escaped, with no script except the one that opens images', async () => {
    const { status, headers, text } = await ask(`${bundle}/`);
    expect(status).toBe(200);
    expect(text).toContain('photo.svg');
    expect(text).toContain('papers');
    expect(text).not.toContain('<img src=x');
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'/);
    expect(headers['content-security-policy']).toContain(
      `script-src ${new URL(bundle).origin}/_slipway/assets/;`,
    );
    expect(headers['x-robots-tag']).toBe('noindex');
    expect(text).toContain('noindex');
  });

  test('every link of a listing leads to the page of its file', async () => {
    const { text } = await ask(`${bundle}/papers/`);
    const hrefs = [...text.matchAll(/href="([^"#]+)"/g)].map(([, href = '']) => href);
    const links = hrefs.filter((href) => !href.startsWith('data:'));
    expect(links).toContain('./a%20%26%20b.txt/');
    for (const href of links) {
      const target = new URL(href.replaceAll('&amp;', '&'), `${bundle}/papers/`).href;
      expect({ target, status: (await ask(target)).status }).toEqual({ target, status: 200 });
    }
  });

  test('a folder without its slash redirects to it', async () => {
    const { status, headers } = await ask(`${bundle}/papers`);
    expect({ status, location: headers.location }).toEqual({ status: 301, location: '/papers/' });
  });

  test('an unchanged listing answers 304', async () => {
    const { headers } = await ask(`${bundle}/`);
    const again = await ask(`${bundle}/`, { headers: { 'if-none-match': headers.etag } });
    expect(again.status).toBe(304);
  });

  test('each of its files has an address', async () => {
    expect((await ask(`${bundle}/papers/a%20%26%20b.txt`)).text).toBe('ab');
  });
});

describe('a single file', () => {
  test('that browsers can show has a viewer page, and the file has its own address and name', async () => {
    const url = await published([file('Plan für 2026.pdf', '%PDF-1.4')]);
    const page = await ask(url);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.text).toContain('href="/Plan%20f%C3%BCr%202026.pdf"');
    const { headers, text } = await ask(`${url}/Plan%20f%C3%BCr%202026.pdf`);
    expect(text).toBe('%PDF-1.4');
    expect(headers['content-type']).toBe('application/pdf');
    expect(headers['content-disposition']).toBe(
      "inline; filename*=UTF-8''Plan%20f%C3%BCr%202026.pdf",
    );
  });

  test('that browsers cannot show is offered for download', async () => {
    const url = await published([file('letter.docx', 'words')]);
    const { headers, text } = await ask(url);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(text).toContain('letter.docx');
    expect((await ask(`${url}/letter.docx`)).text).toBe('words');
  });
});

test('a site with a manifest too large for its serving record is served', async () => {
  const zip = new JSZip();
  zip.file('index.html', 'many');
  const names = Array.from({ length: 450 }, () => `${randomBytes(200).toString('hex')}.txt`);
  for (const name of names) zip.file(name, name.slice(0, 8));
  const url = await published([file('a.zip', await zip.generateAsync({ type: 'nodebuffer' }))]);
  expect((await ask(url)).text).toBe('many');
  for (const name of [names[0], names[449]]) {
    expect((await ask(`${url}/${name}`)).text).toBe(name?.slice(0, 8));
  }
  expect((await ask(`${url}/nothing.txt`)).status).toBe(404);
});

describe('missing files and unknown hosts', () => {
  const paths = [
    '/nothing',
    '/docs/',
    '/../index.html',
    '/%2e%2e/index.html',
    '/docs/..%2findex.html',
    '/docs%2fguide.txt',
    '/docs%5cguide.txt',
    '/docs\\guide.txt',
    '//evil.example/',
    '//evil.example/docs',
    '/\\evil.example/',
    '/%00',
    '/%',
    '/%ff%fe',
    '/index.html/',
    '/_slipway/',
    '/_slipway/anything',
    '/.env',
    '/.git/config',
    '/content/x',
  ];
  test.each(paths)(
    '%s is a friendly 404 that does not redirect and does not repeat the path',
    async (path) => {
      // Its only page is the home page, so that clients that accept HTML get that one.
      const accept = 'image/png';
      const { status, headers, text } = await ask(site + path, { headers: { accept } });
      expect(status).toBe(404);
      expect(headers.location).toBeUndefined();
      expect(headers['content-type']).toBe('text/html; charset=utf-8');
      expect(headers['cache-control']).toBe('private, no-store');
      expect(headers['x-robots-tag']).toBe('noindex');
      expect(text).not.toContain('evil');
      expectNoInsides(text);
    },
  );

  test('an unknown address is a friendly 404', async () => {
    const { status, text } = await ask(site.replace(/\/\/[^.]+\./, '//no-such-site-here.'));
    expect(status).toBe(404);
    expect(text).toContain('<h1');
  });
});

describe('refused requests of visitors', () => {
  test.each(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND'])(
    '%s',
    async (method) => {
      const { status } = await ask(`${site}/`, { method });
      expect([403, 405]).toContain(status);
    },
  );

  test.each(['evil.example', 'a.b.c.d', 'sites.example.net'])(
    'a foreign host %s gets nothing',
    async (host) => {
      const answer = await ask(`${baseUrl}/`, { headers: { host } });
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.status).toBeLessThan(500);
      expect(answer.headers.location).toBeUndefined();
      expect(answer.text).not.toContain(host);
    },
  );

  test('forged internal headers change nothing', async () => {
    const host = new URL(site).hostname;
    const other = site.replace(/\/\/[^.]+\./, '//no-such-site-here.');
    const headers = {
      'x-slipway-host': host,
      'x-slipway-path': '/',
      'x-slipway-access': 'owner',
      'x-forwarded-host': host,
      'x-original-url': '/',
      forwarded: `host=${host}`,
    };
    expect((await ask(other, { headers })).status).toBe(404);
    const forged = { ...headers, 'x-slipway-host': 'evil.example', 'x-slipway-path': '/data.json' };
    expect((await ask(`${site}/digits.txt`, { headers: forged })).text).toBe('0123456789');
  });

  (isLocal ? test : test.skip)('a forged address does not count as another visitor', async () => {
    const from = somebody();
    const headers = (index: number) => ({
      'x-forwarded-for': `203.0.113.${index}`,
      'x-real-ip': `203.0.113.${index}`,
      'cloudfront-viewer-address': `203.0.113.${index}:443`,
      'x-slipway-viewer': `203.0.113.${index}`,
      'true-client-ip': `203.0.113.${index}`,
    });
    const { body, contentType } = aForm([file('a.txt')]);
    const statuses: number[] = [];
    for (let index = 0; index < 4; index += 1) {
      const answer = await ask(`${baseUrl}/v1/projects/temp`, {
        method: 'POST',
        headers: { ...headers(index), 'content-type': contentType },
        body,
        from,
      });
      statuses.push(answer.status);
    }
    expect(statuses).toEqual([200, 200, 200, 429]);
  });
});

test('publishing does not affect other sites', async () => {
  const before = await ask(`${site}/digits.txt`);
  await publish([file('digits.txt', 'other')]);
  const after = await ask(`${site}/digits.txt`);
  expect({ body: after.text, etag: after.headers.etag }).toEqual({
    body: before.text,
    etag: before.headers.etag,
  });
});

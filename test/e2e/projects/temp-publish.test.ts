import { describe, expect, test } from '@jest/globals';
import JSZip from 'jszip';
import { temporaryLifetimeSeconds } from '../../../contract/limits.ts';
import { ask, baseUrl, file, publish, somebody } from '../../fixtures/clouds/client.ts';
import type { FormPart } from '../../fixtures/uploads/multipart.ts';
import { expectRefusal } from '../../fixtures/clouds/refusals.ts';

async function aZip(files: Record<string, string>): Promise<Buffer> {
  const zip = new JSZip();
  for (const [path, body] of Object.entries(files)) zip.file(path, body);
  return zip.generateAsync({ type: 'nodebuffer', compression: 'DEFLATE' });
}

describe('POST /v1/projects/temp', () => {
  test('answers 200 with every field, and the page is live immediately', async () => {
    const before = Date.now();
    const answer = await publish([file('index.html', '<h1>Hello</h1>')]);
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({
      status: 'success',
      data: {
        projectId: expect.stringMatching(
          /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
        ),
        slug: expect.stringMatching(/^[a-z]+-[a-z]+-[a-z2-9]{4}$/),
        url: expect.any(String),
        claimToken: expect.stringMatching(/^[\w-]{43}$/),
        claimUrl: expect.any(String),
        expiresAt: expect.any(String),
      },
    });
    const { data } = answer.json;
    expect(data.url).toContain(`//${data.slug}.`);
    expect(data.claimUrl).toBe(`${baseUrl}/claim/${data.claimToken}`);
    const lifetime = Date.parse(data.expiresAt) - before;
    expect(Math.abs(lifetime - temporaryLifetimeSeconds * 1000)).toBeLessThan(30_000);
    const page = await ask(data.url);
    expect({ status: page.status, body: page.text }).toEqual({
      status: 200,
      body: '<h1>Hello</h1>',
    });
  });

  test.each(['files', 'files[]', 'file'])('accepts files in the field %s', async (name) => {
    const answer = await publish([{ name, filename: 'a.txt', body: 'x' }]);
    expect(answer.status).toBe(200);
  });

  test('accepts five parts with folders in their names', async () => {
    const { json } = await publish([
      file('index.html', '<link rel=stylesheet href=assets/app.css>'),
      file('assets/app.css', 'body{}'),
      file('assets/deep/er/x.js', '1'),
      file('日本 語.txt', 'konnichiwa'),
      { name: 'files', disposition: "filename*=UTF-8''na%C3%AFve.txt", body: 'diaeresis' },
    ]);
    for (const [path, body] of [
      ['/', '<link rel=stylesheet href=assets/app.css>'],
      ['/assets/app.css', 'body{}'],
      ['/assets/deep/er/x.js', '1'],
      ['/%E6%97%A5%E6%9C%AC%20%E8%AA%9E.txt', 'konnichiwa'],
      ['/na%C3%AFve.txt', 'diaeresis'],
    ]) {
      const page = await ask(json.data.url + path);
      expect({ path, status: page.status, body: page.text }).toEqual({ path, status: 200, body });
    }
  });

  test('a folder sent as files is served without its name', async () => {
    const { json } = await publish([
      file('mysite/index.html', '<p>home'),
      file('mysite/css/a.css', 'body{}'),
    ]);
    expect((await ask(json.data.url)).text).toBe('<p>home');
    expect((await ask(`${json.data.url}/css/a.css`)).text).toBe('body{}');
    expect((await ask(`${json.data.url}/mysite/index.html`)).status).toBe(404);
  });

  test('a ZIP with one HTML file is a site', async () => {
    const zip = await aZip({ 'dist/index.html': '<p>zip', 'dist/app.js': '1' });
    const { json } = await publish([file('dist.zip', zip)]);
    expect((await ask(json.data.url)).text).toBe('<p>zip');
    expect((await ask(`${json.data.url}/app.js`)).text).toBe('1');
  });

  test('a ZIP with several HTML files needs zipIndexHtmlPath', async () => {
    const zip = await aZip({ 'index.html': 'home', 'about.html': 'about', 'deep/a.html': 'a' });
    const refused = await publish([file('site.zip', zip)]);
    expectRefusal(refused, 400, 'ZIP_MULTIPLE_HTML');
    expect(refused.json.htmlPaths).toEqual(['index.html', 'about.html', 'deep/a.html']);
    const chosen = await publish([
      file('site.zip', zip),
      { name: 'zipIndexHtmlPath', body: 'about.html' },
    ]);
    expect((await ask(chosen.json.data.url)).text).toBe('about');
    expect(refused.json.nextStep).toContain('`index.html`');
    const auto = await publish([file('site.zip', zip), { name: 'home', body: 'auto' }]);
    expect((await ask(auto.json.data.url)).text).toBe('home');
  });

  test('a ZIP of 500 files is accepted, of 501 refused', async () => {
    const names = Array.from(
      { length: 501 },
      (_, index) => [`f/${index}.txt`, `${index}`] as const,
    );
    const tooMany = await publish([file('a.zip', await aZip(Object.fromEntries(names)))]);
    expectRefusal(tooMany, 400, 'TOO_MANY_FILES');
    const most = await publish([file('a.zip', await aZip(Object.fromEntries(names.slice(1))))]);
    expect(most.status).toBe(200);
    expect((await ask(`${most.json.data.url}/499.txt`)).text).toBe('499');
  });

  test.each(['true', '1', 'on'])('asFileBundle=%s lists instead of detecting', async (value) => {
    const { json } = await publish([
      file('index.html', '<h1>page</h1>'),
      { name: 'asFileBundle', body: value },
    ]);
    const listing = await ask(json.data.url);
    expect(listing.text).toContain('index.html');
    expect(listing.text).not.toContain('<h1>page</h1>');
  });

  test('asFileBundle=false detects', async () => {
    const { json } = await publish([
      file('index.html', '<h1>page</h1>'),
      { name: 'asFileBundle', body: 'false' },
    ]);
    expect((await ask(json.data.url)).text).toBe('<h1>page</h1>');
  });

  test('accepts exactly 2 MiB', async () => {
    const answer = await publish([
      file('a.bin', Buffer.alloc(1024 * 1024, 'a')),
      file('b.bin', Buffer.alloc(1024 * 1024, 'b')),
    ]);
    expect(answer.status).toBe(200);
  });
});

describe('refusals', () => {
  const five = Array.from({ length: 5 }, (_, index) => file(`${index}.txt`));
  test.each([
    ['no file', [{ name: 'asFileBundle', body: 'true' }], 400, 'INVALID_REQUEST'],
    ['six files', [...five, file('6.txt')], 400, 'TOO_MANY_FILES'],
    ['a byte over 2 MiB', [file('a', Buffer.alloc(2 * 1024 * 1024 + 1))], 413, 'PAYLOAD_TOO_LARGE'],
    ['five MiB', [file('a', Buffer.alloc(5 * 1024 * 1024))], 413, 'PAYLOAD_TOO_LARGE'],
    ['eleven MiB', [file('a', Buffer.alloc(11 * 1024 * 1024))], 413, 'PAYLOAD_TOO_LARGE'],
    ['a path upwards', [file('../x.txt')], 400, 'INVALID_REQUEST'],
    ['the reserved folder', [file('_slipway/x.txt')], 400, 'FILE_TYPE_REFUSED'],
    ['a damaged ZIP', [file('a.zip', 'PK')], 400, 'ARCHIVE_INVALID'],
  ] satisfies [string, FormPart[], number, string][])('%s', async (_, parts, status, code) => {
    expectRefusal(await publish(parts), status, code);
  });

  test.each([
    ['no body', {}, undefined],
    ['plain text', { 'content-type': 'text/plain' }, 'files'],
    ['a url-encoded form', { 'content-type': 'application/x-www-form-urlencoded' }, 'files=x'],
  ])('%s is not multipart', async (_, headers, body) => {
    const answer = await ask(`${baseUrl}/v1/projects/temp`, {
      method: 'POST',
      headers,
      body,
      from: somebody(),
    });
    expectRefusal(answer, 415, 'UNSUPPORTED_MEDIA_TYPE');
  });

  test('describes the errors in details', async () => {
    const { json } = await publish([file('a'), { name: 'asFileBundle', body: 'maybe' }]);
    expect(json.details).toEqual([{ path: 'asFileBundle', message: expect.any(String) }]);
  });
});

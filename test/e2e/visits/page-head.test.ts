import { beforeEach, describe, expect, test } from '@jest/globals';
import { signIn } from '../../fixtures/accounts/accounts.ts';
import { ask, file, isLocal, openTag } from '../../fixtures/clouds/client.ts';
import { created, temporary } from '../../fixtures/projects/projects.ts';
import { patch } from '../../fixtures/projects/versions.ts';

// The codes are read from the local inbox.
const local = isLocal ? describe : describe.skip;

let key = '';
beforeEach(async () => {
  if (isLocal) key = await signIn();
});

const page = '<!doctype html>\r\n<html><head><title>Own</title>\r\n</head><body>é</body></html>';
const quiet = { analyticsEnabled: false };
/** With everything that was put in. */
const asSent = async (url: string) => {
  const { body, headers } = await ask(url);
  return { text: body.toString(), headers };
};

async function aSite(settings = {}, files = [file('index.html', page)]) {
  const site = await created(key, { files });
  if (Object.keys(settings).length > 0) await patch(key, site.projectId, settings);
  return site;
}

local('a page of a project', () => {
  test('is served byte for byte, except for the script that reports opens', async () => {
    const { url } = await aSite();
    const { text, headers } = await asSent(url);
    expect(text).toMatch(openTag);
    expect(text.replace(openTag, '')).toBe(page);
    const src = /src="([^"]+)"/.exec(text)?.[1] ?? '';
    expect(new URL(src).origin).toBe(new URL(url).origin);
    const loaded = await ask(src);
    expect(loaded.headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(loaded.headers['cache-control']).toContain('immutable');
    expect(loaded.body.length).toBeLessThan(1000);
    expect(headers.link).toContain('rel="alternate"; type="application/json+oembed"');
  });

  test.each([
    ['UTF-8', Buffer.from(page)],
    ['UTF-16', Buffer.from(`\ufeff${page}`, 'utf16le')],
  ])('is served byte for byte without settings, in %s', async (_, bytes) => {
    const { url } = await aSite(quiet, [file('index.html', bytes)]);
    const { body, headers } = await ask(url);
    expect(body.equals(bytes)).toBe(true);
    expect(headers['content-length']).toBe(String(bytes.length));
  });

  test('in UTF-16 stays unchanged with all settings', async () => {
    const bytes = Buffer.from(`\ufeff${page}`, 'utf16le');
    const { url } = await aSite({ pageTitle: 'New', noIndex: true }, [file('index.html', bytes)]);
    expect((await ask(url)).body.equals(bytes)).toBe(true);
  });

  test('has the new settings from the next request on, with another ETag', async () => {
    const { url, projectId } = await aSite(quiet);
    const before = await ask(url);
    const kept = { headers: { 'if-none-match': before.headers.etag } };
    expect((await ask(url, kept)).status).toBe(304);
    await patch(key, projectId, {
      pageTitle: 'Tab & <b>',
      metaDescription: 'Words',
      noIndex: true,
    });
    const after = await ask(url, kept);
    expect(after.status).toBe(200);
    expect(after.headers.etag).not.toBe(before.headers.etag);
    expect(after.headers['x-robots-tag']).toBe('noindex');
    expect(after.text).toContain('<title>Tab &#38; &#60;b&#62;</title>');
    expect(after.text).toContain('<meta name="description" content="Words">');
    expect(after.text).toContain('<meta name="robots" content="noindex">');
    expect(after.text).toContain(`<meta property="og:url" content="${url}/">`);
    expect(after.text).toContain('</head><body>é</body></html>');
    const again = await ask(url, { headers: { 'if-none-match': after.headers.etag } });
    expect([again.status, again.body.length]).toEqual([304, 0]);
    await patch(key, projectId, { pageTitle: null, metaDescription: null, noIndex: false });
    const back = await ask(url);
    expect([back.headers.etag, back.text]).toEqual([before.headers.etag, page]);
  });

  test('has the title of its project where it has none and `pageTitle` is null', async () => {
    const files = [file('index.html', '<!doctype html><h1>A</h1>'), file('part.html', '<p>Part')];
    const site = await created(key, { files, fields: { title: 'Harbour & co' } });
    const title = '<title>Harbour &#38; co</title>';
    expect((await asSent(site.url)).text).toContain(title);
    await patch(key, site.projectId, { title: 'Other', analyticsEnabled: false });
    expect((await asSent(site.url)).text).toBe('<!doctype html><title>Other</title><h1>A</h1>');
    expect((await asSent(`${site.url}/part.html`)).text).toBe('<p>Part');
    await patch(key, site.projectId, { pageTitle: 'Tab' });
    expect((await asSent(site.url)).text).toMatch(/^<!doctype html><title>Tab<\/title>/);
    await patch(key, site.projectId, { pageTitle: null });
    expect((await asSent(site.url)).text).toBe('<!doctype html><title>Other</title><h1>A</h1>');
  });

  test('keeps its title where it is not the first page', async () => {
    const files = [file('index.html', page), file('about.html', page)];
    const { url } = await aSite({ ...quiet, pageTitle: 'New' }, files);
    expect((await asSent(`${url}/about.html`)).text).toBe(page);
  });

  test('answers ranges of the current content, never of earlier content', async () => {
    const { url, projectId } = await aSite({ pageTitle: 'A much longer title' });
    const { body, headers } = await ask(url);
    const part = await ask(url, { headers: { range: 'bytes=20-119', 'if-range': headers.etag } });
    expect(part.status).toBe(206);
    expect(part.headers['content-range']).toBe(`bytes 20-119/${body.length}`);
    expect(part.body.equals(body.subarray(20, 120))).toBe(true);
    const beyond = await ask(url, { headers: { range: `bytes=${body.length}-` } });
    expect([beyond.status, beyond.headers['content-range']]).toEqual([
      416,
      `bytes */${body.length}`,
    ]);
    await patch(key, projectId, { pageTitle: 'Another' });
    const stale = await ask(url, { headers: { range: 'bytes=20-119', 'if-range': headers.etag } });
    expect(stale.status).toBe(200);
  });

  test('is sent to scripts as it was published, with an ETag of its own', async () => {
    const { url } = await aSite({ pageTitle: 'New' });
    const scripted = { 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' };
    const opened = await ask(url, { headers: { 'sec-fetch-mode': 'navigate' } });
    expect(opened.body.toString()).toContain('<title>New</title>');
    for (const headers of [scripted, { accept: 'application/json' }, scripted]) {
      const loaded = await ask(url, { headers });
      expect(loaded.body.toString()).toBe(page);
      expect(loaded.headers.vary).toContain('Sec-Fetch-Mode');
      expect(loaded.headers.etag).not.toBe(opened.headers.etag);
      const again = (etag = '') => ask(url, { headers: { ...headers, 'if-none-match': etag } });
      expect((await again(loaded.headers.etag)).status).toBe(304);
      expect((await again(opened.headers.etag)).body.toString()).toBe(page);
    }
    const part = await ask(url, { headers: { ...scripted, range: 'bytes=0-8' } });
    expect(part.headers['content-range']).toBe(`bytes 0-8/${Buffer.byteLength(page)}`);
    const reloaded = await ask(url, { headers: { 'if-none-match': opened.headers.etag } });
    expect(reloaded.status).toBe(304);
  });

  test('is left as it is where it is only a part of a page', async () => {
    const card = '<article><h2>Card</h2></article>';
    const files = [file('index.html', card), file('parts/card.html', card)];
    const { url } = await aSite({ pageTitle: 'New', noIndex: true }, files);
    for (const path of ['/', '/parts/card.html'])
      expect((await asSent(url + path)).text).toBe(card);
  });

  test('answers HEAD without reading it', async () => {
    const { url } = await aSite();
    const whole = await ask(url);
    const head = await ask(url, { method: 'HEAD' });
    expect([head.status, head.body.length, head.headers.etag]).toEqual([
      200,
      0,
      whole.headers.etag,
    ]);
    expect(head.headers['content-length'] ?? String(whole.body.length)).toBe(
      String(whole.body.length),
    );
  });
});

test('a temporary page is served byte for byte', async () => {
  const { url } = await temporary([file('index.html', page)]);
  expect((await asSent(url)).text).toBe(page);
});

local('a page of ours', () => {
  const photo = file('photo.bin', Buffer.alloc(20));

  test('about a public project can be shared, framed and counted', async () => {
    const { url } = await aSite({ pageTitle: 'My file', metaDescription: 'Mine' }, [photo]);
    const { text, headers } = await asSent(url);
    expect(text).toContain('<title>My file</title>');
    expect(text).toContain('<meta property="og:title" content="My file">');
    expect(text).toContain(`<link rel="canonical" href="${url}/">`);
    expect(text).toMatch(openTag);
    expect(headers['content-security-policy']).toContain('frame-ancestors *');
  });

  test.each([
    ['locked', { access: 'password', password: 'long enough' }],
    ['unpublished', { status: 'private' }],
  ])('about a project that is %s reveals nothing', async (_, settings) => {
    const { url } = await aSite({ ...settings, pageTitle: 'Secret' }, [photo]);
    const { text, headers } = await asSent(url);
    expect(text).not.toMatch(/og:|Secret|A title|oembed|open-/);
    expect(headers.link).toBeUndefined();
    expect(headers['content-security-policy']).toMatch(/frame-ancestors 'none'/);
  });
});

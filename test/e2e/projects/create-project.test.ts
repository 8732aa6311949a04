import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import JSZip from 'jszip';
import { get, signIn } from '../../fixtures/accounts/accounts.ts';
import { ask, baseUrl, file, isLocal } from '../../fixtures/clouds/client.ts';
import type { FormPart } from '../../fixtures/uploads/multipart.ts';
import { create, created, remove, usage } from '../../fixtures/projects/projects.ts';
import { expectRefusal } from '../../fixtures/clouds/refusals.ts';

// The codes are read from the local inbox.
const local = isLocal ? describe : describe.skip;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const unknownId = '11111111-1111-4111-8111-111111111111';
const aSlug = () => `s-${randomBytes(6).toString('hex')}`;

async function aZip(files: Record<string, string>): Promise<Buffer> {
  const zip = new JSZip();
  for (const [path, body] of Object.entries(files)) zip.file(path, body);
  return zip.generateAsync({ type: 'nodebuffer', compression: 'DEFLATE' });
}

let key = '';
beforeAll(async () => {
  if (isLocal) key = await signIn();
});

/** Publishes, and takes it away again so that the account stays below its limit. */
async function once<T>(make: { fields?: {}; files?: FormPart[] }, look: (data: any) => T) {
  const data = await created(key, make);
  const seen = await look(data);
  expect((await remove(key, data.projectId)).status).toBe(200);
  return seen;
}

local('POST /v1/projects', () => {
  test('answers 201 with every field and the new quota, and the page is live immediately', async () => {
    const own = await signIn();
    const title = `My trip ${randomBytes(4).toString('hex')}`;
    const answer = await create(own, { fields: { title }, files: [file('index.html', 'hello')] });
    expect(answer.status).toBe(201);
    const slug = title.toLowerCase().replaceAll(' ', '-');
    expect(answer.json).toEqual({
      status: 'success',
      data: {
        projectId: expect.stringMatching(uuid),
        url: expect.stringContaining(`//${slug}.`),
        title,
        type: 'html',
        slug,
        expiresAt: null,
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        quota: {
          projects: { used: 1, limit: 25, unlimited: false },
          storage: { usedBytes: 5, limitBytes: 5 * 1024 ** 3, unlimited: false },
        },
      },
    });
    const { url, quota } = answer.json.data;
    const page = await ask(url);
    expect([page.status, page.text]).toEqual([200, 'hello']);
    expect(page.headers).not.toHaveProperty('x-robots-tag');
    expect((await get('/v1/user', own)).json.data.quota).toEqual(quota);
    await created(own, { files: [file('a.txt', 'four'), file('b.txt', 'seven77')] });
    expect(await usage(own)).toEqual({ projects: 2, bytes: 16 });
  });

  test('a title whose slug is taken gets a random tail', async () => {
    const title = `Ärger & Öl ${randomBytes(4).toString('hex')}`;
    const slug = title.toLowerCase().replace('ärger & öl ', 'arger-ol-');
    await once({ fields: { title } }, async (first) => {
      expect(first).toMatchObject({ title, slug });
      await once({ fields: { title } }, (second) => {
        expect(second.slug).toMatch(new RegExp(`^${slug}-[a-z2-9]{4}$`));
      });
    });
  });

  test.each(['日本', '!!!', 'Admin'])('the title %s gives an allowed slug', (title) =>
    once({ fields: { title } }, async (data) => {
      expect(data.title).toBe(title);
      expect(data.slug).toMatch(/^[a-z0-9]+(-[a-z0-9]+)+$/);
      expect((await ask(data.url)).status).toBe(200);
    }),
  );

  test('uses the requested slug, and refuses it to others afterwards', async () => {
    const slug = aSlug();
    await once({ fields: { slug } }, async (data) => {
      expect(data.slug).toBe(slug);
      expect(data.url).toContain(`//${slug}.`);
      expectRefusal(await create(key, { fields: { slug } }), 409, 'SLUG_TAKEN');
      expectRefusal(await create(await signIn(), { fields: { slug } }), 409, 'SLUG_TAKEN');
    });
    await once({ fields: { slug } }, (data) => expect(data.slug).toBe(slug));
  });

  test.each(['files', 'files[]', 'file'])('accepts files in the field %s', (name) =>
    once({ files: [{ name, filename: 'a.txt', body: 'x' }] }, (data) => {
      expect(data.type).not.toBe('');
    }),
  );

  test('accepts more than a temporary upload may contain', () =>
    once(
      { files: Array.from({ length: 40 }, (_, at) => file(`${at}.txt`, Buffer.alloc(100_000))) },
      async (data) => {
        expect((await ask(`${data.url}/39.txt`)).body).toHaveLength(100_000);
        expect(data.quota.storage.usedBytes).toBeGreaterThanOrEqual(4_000_000);
      },
    ));
});

local('a ZIP', () => {
  test('with several pages needs zipIndexHtmlPath, and a refused request does not count', async () => {
    const own = await signIn();
    const files = [file('a.zip', await aZip({ 'index.html': 'home', 'about.html': 'about' }))];
    for (const zipIndexHtmlPath of [undefined, 'nothing.html']) {
      const refused = await create(own, { fields: { zipIndexHtmlPath }, files });
      expectRefusal(refused, 400, 'ZIP_MULTIPLE_HTML');
      expect(refused.json.htmlPaths).toEqual(['index.html', 'about.html']);
    }
    expect(await usage(own)).toEqual({ projects: 0, bytes: 0 });
    const wrong = await create(own, { fields: { home: 'index.html' }, files });
    expectRefusal(wrong, 400, 'INVALID_REQUEST');
    expect(wrong.json.details).toEqual([{ path: 'home', message: 'must be auto' }]);
    const auto = await created(own, { fields: { home: 'auto' }, files });
    expect((await ask(auto.url)).text).toBe('home');
    const data = await created(own, { fields: { zipIndexHtmlPath: 'about.html' }, files });
    expect((await ask(data.url)).text).toBe('about');
  });
});

local('refusals of POST /v1/projects', () => {
  test('400 with details for no title', async () => {
    const answer = await create(key, { fields: { title: undefined } });
    expectRefusal(answer, 400, 'INVALID_REQUEST');
    expect(answer.json.details).toEqual([{ path: 'title', message: expect.stringMatching(/\S/) }]);
  });

  test.each([
    ['no file', [], 400, 'INVALID_REQUEST'],
    ['a path upwards', [file('../x.txt')], 400, 'INVALID_REQUEST'],
    ['the same name twice', [file('a.txt'), file('a.txt')], 400, 'INVALID_REQUEST'],
    ['the reserved folder', [file('_slipway/x.txt')], 400, 'FILE_TYPE_REFUSED'],
    ['a damaged ZIP', [file('a.zip', 'PK')], 400, 'ARCHIVE_INVALID'],
    ['eleven MiB', [file('a', Buffer.alloc(11 * 1024 * 1024))], 413, 'PAYLOAD_TOO_LARGE'],
  ] satisfies [string, FormPart[], number, string][])('%s', async (_, files, status, code) => {
    expectRefusal(await create(key, { files }), status, code);
  });

  test.each(['domainId', 'workspaceId'])('404 for an unknown %s', async (field) => {
    const answer = await create(key, { fields: { [field]: unknownId } });
    expectRefusal(answer, 404, 'NOT_FOUND');
    expect(answer.json.error).toContain(field);
  });

  test.each([
    ['JSON without an upload', 'application/json', '{"title":"x"}', 400, 'INVALID_REQUEST'],
    ['plain text', 'text/plain', 'title=x', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['a plain form', 'application/x-www-form-urlencoded', 'title=x', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['no boundary', 'multipart/form-data', 'x', 400, 'INVALID_REQUEST'],
    ['a body cut short', 'multipart/form-data; boundary=a', '--a\r\nCont', 400, 'INVALID_REQUEST'],
  ])('%s', async (_, type, body, status, code) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': type };
    const answer = await ask(`${baseUrl}/v1/projects`, { method: 'POST', headers, body });
    expectRefusal(answer, status, code);
  });

  test('refused requests did not count', async () => {
    expect(await usage(key)).toEqual({ projects: 0, bytes: 0 });
  });
});

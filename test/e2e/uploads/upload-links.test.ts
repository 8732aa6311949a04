import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import JSZip from 'jszip';
import { get, sendWith, signIn } from '../../fixtures/accounts/accounts.ts';
import { ask, baseUrl, file, isLocal, somebody } from '../../fixtures/clouds/client.ts';
import { aForm, type FormPart } from '../../fixtures/uploads/multipart.ts';
import { created, remove, usage } from '../../fixtures/projects/projects.ts';
import { expectRefusal } from '../../fixtures/clouds/refusals.ts';
import { linked, sendTo, sentByLink, uploadTo } from '../../fixtures/uploads/upload-links.ts';
import { history } from '../../fixtures/projects/versions.ts';

// The codes are read from the local inbox.
const local = isLocal ? describe : describe.skip;
const withCurl = spawnSync('curl', ['--version']).status === 0 ? test : test.skip;
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const unknownId = '11111111-1111-4111-8111-111111111111';
const aPage = [file('index.html', '<h1>Brought</h1>')];
const text = async (url: string) => (await ask(url)).text;

let key = '';
beforeAll(async () => {
  if (isLocal) key = await signIn();
});

async function aZip(files: Record<string, string>): Promise<Buffer> {
  const zip = new JSZip();
  for (const [path, body] of Object.entries(files)) zip.file(path, body);
  return zip.generateAsync({ type: 'nodebuffer' });
}

local('POST /v1/upload-links', () => {
  test('answers 201 with both addresses, the expiry after a day, the limits of a request and a command', async () => {
    const before = Date.now();
    const answer = await sendWith(key, `${baseUrl}/v1/upload-links`, { title: 'Survey' });
    expect(answer.status).toBe(201);
    const { uploadUrl, expiresAt } = answer.json.data;
    const token = /^.*\/v1\/upload-links\/([\w-]{43})$/.exec(uploadUrl)?.[1];
    expect(answer.json).toEqual({
      status: 'success',
      data: {
        uploadUrl: `${baseUrl}/v1/upload-links/${token}`,
        pageUrl: `${baseUrl}/upload/${token}`,
        expiresAt: expect.stringMatching(instant),
        maxBytes: 4_500_000,
        curl: `curl -X PUT -F files=@FILE '${uploadUrl}'`,
        curlAnySize: expect.stringContaining(`L='${uploadUrl}'`),
      },
    });
    const hours = (Date.parse(expiresAt) - before) / 3_600_000;
    expect(hours).toBeGreaterThan(23.9);
    expect(hours).toBeLessThan(24.1);
  });

  test('refuses a foreign project, and a caller without a key', async () => {
    const { projectId } = await created(await signIn());
    const foreign = await sendWith(key, `${baseUrl}/v1/upload-links`, { projectId });
    expectRefusal(foreign, 404, 'NOT_FOUND');
    const nobody = await sendTo(`${baseUrl}/v1/upload-links`, 'POST', {});
    expectRefusal(nobody, 401, 'API_KEY_MISSING');
  });
});

local('GET and DELETE /v1/upload-links', () => {
  const list = async (apiKey: string) =>
    (await get('/v1/upload-links', apiKey)).json.data.uploadLinks;

  test('list usable links, newest first, without tokens', async () => {
    const own = await signIn();
    expect(await list(own)).toEqual([]);
    const { projectId } = await created(own);
    const first = await linked(own, { title: 'First' });
    const { uploadUrl, expiresAt } = await linked(own, { projectId });
    const links = await list(own);
    expect(links).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        title: null,
        projectId,
        domainId: null,
        createdAt: expect.stringMatching(instant),
        expiresAt,
        madeBy: { kind: 'key', name: 'Sign-in' },
      },
      expect.objectContaining({ title: 'First', projectId: null }),
    ]);
    expect(JSON.stringify(links)).not.toContain(uploadUrl.split('/').at(-1));
    expect((await uploadTo(first.uploadUrl, aPage)).status).toBe(200);
    expect(await list(own)).toHaveLength(1);
    expect(await list(await signIn())).toEqual([]);
  });

  test('a deleted link is refused from the next request on, for form, page and large upload', async () => {
    const own = await signIn();
    const { uploadUrl, pageUrl } = await linked(own);
    const uploadId = await sentByLink(uploadUrl, [{ path: 'a.txt', bytes: Buffer.from('a') }]);
    const [{ id }] = await list(own);
    const url = `${baseUrl}/v1/upload-links/${id}`;
    expectRefusal(await sendWith(await signIn(), url, undefined, 'DELETE'), 404, 'NOT_FOUND');
    expect((await ask(pageUrl, { from: somebody() })).status).toBe(200);
    const deleted = await sendWith(own, url, undefined, 'DELETE');
    expect([deleted.status, deleted.json.data]).toEqual([200, { deleted: true }]);
    expectRefusal(await uploadTo(uploadUrl, aPage), 404, 'UPLOAD_LINK_NOT_FOUND');
    const large = await sendTo(uploadUrl, 'PUT', { uploadId });
    expectRefusal(large, 404, 'UPLOAD_LINK_NOT_FOUND');
    expect((await ask(pageUrl, { from: somebody() })).status).toBe(404);
    expect(await list(own)).toEqual([]);
    expectRefusal(await sendWith(own, url, undefined, 'DELETE'), 404, 'NOT_FOUND');
    expect((await usage(own)).projects).toBe(0);
  });

  test('a link that is deleted while it publishes publishes once, and stays deleted', async () => {
    const own = await signIn();
    const { uploadUrl } = await linked(own);
    const [{ id }] = await list(own);
    const url = `${baseUrl}/v1/upload-links/${id}`;
    const [put, deleted] = await Promise.all([
      uploadTo(uploadUrl, aPage),
      sendWith(own, url, undefined, 'DELETE'),
    ]);
    expect([200, 404]).toContain(put.status);
    expect(deleted.status).toBe(200);
    expectRefusal(await uploadTo(uploadUrl, aPage), 404, 'UPLOAD_LINK_NOT_FOUND');
    expect((await usage(own)).projects).toBe(put.status === 200 ? 1 : 0);
  });

  test.each([
    ['x'],
    ['11111111-1111-4111-8111-111111111111'],
    ['Wd6Sf8AmJ4x8Zq1Vt0c3Rk7Yb2Hn5Lw9PmJ4x8Zq1Vt'],
  ])('DELETE %s answers 404', async (id) => {
    const url = `${baseUrl}/v1/upload-links/${id}`;
    expectRefusal(await sendWith(key, url, undefined, 'DELETE'), 404, 'NOT_FOUND');
  });

  test('need a key', async () => {
    expectRefusal(await get('/v1/upload-links'), 401, 'API_KEY_MISSING');
    const nobody = await ask(`${baseUrl}/v1/upload-links/${unknownId}`, { method: 'DELETE' });
    expectRefusal(nobody, 401, 'API_KEY_MISSING');
  });
});

local('PUT /v1/upload-links/{link}', () => {
  test('publishes immediately for the account, with the link’s title', async () => {
    const own = await signIn();
    const { uploadUrl } = await linked(own, { title: 'Brought By Link' });
    const answer = await uploadTo(uploadUrl, aPage);
    expect(answer.status).toBe(200);
    const { data } = answer.json;
    expect(answer.json).toEqual({
      status: 'success',
      data: {
        projectId: expect.any(String),
        url: expect.stringContaining('//brought-by-link'),
        title: 'Brought By Link',
        type: 'html',
        slug: expect.stringMatching(/^brought-by-link/),
        deploymentId: null,
        expiresAt: null,
      },
    });
    expect(await text(data.url)).toBe('<h1>Brought</h1>');
    const { projects } = (await get('/v1/projects', own)).json.data;
    expect(projects).toMatchObject([{ id: data.projectId, access: 'public' }]);
    expect(await usage(own)).toEqual({ projects: 1, bytes: 16 });
  });

  test.each([
    ['one file', [file('Tide table.pdf', 'x')], 'Tide table', 'pdf'],
    ['several', [file('a.txt'), file('b/c.txt')], '2 files', 'files'],
  ])('uses %s as title if the link has none', async (_, parts, title, type) => {
    const { uploadUrl } = await linked(key);
    const { data } = (await uploadTo(uploadUrl, parts)).json;
    expect(data).toMatchObject({ title, type });
    await remove(key, data.projectId);
  });

  withCurl('takes the command that it gives, word by word', async () => {
    const { curl } = await linked(key);
    const path = join(mkdtempSync(join(tmpdir(), 'slipway-curl-')), 'index.html');
    writeFileSync(path, '<h1>Curled</h1>');
    // An address of its own, so that no other test uses up its tries.
    const command = curl
      .replace('FILE', path)
      .replace('curl', `curl -sS -4 --interface ${somebody()}`);
    const { data } = JSON.parse(execFileSync('sh', ['-c', command], { encoding: 'utf8' }));
    expect(await text(data.url)).toBe('<h1>Curled</h1>');
    rmSync(dirname(path), { recursive: true });
    await remove(key, data.projectId);
  });

  withCurl.each([
    ['a small file', 'index.html', '<h1>Small</h1>'],
    ['a file that fits into no request', "it's big.bin", 'x'.repeat(5_000_000)],
  ])('takes the command for any size with %s', async (_, name, content) => {
    const { curlAnySize } = await linked(key);
    const path = join(mkdtempSync(join(tmpdir(), 'slipway-curl-')), name);
    writeFileSync(path, content);
    const command = curlAnySize
      .replace("'FILE'", `'${path.replaceAll("'", `'\\''`)}'`)
      .replaceAll('curl -sS', `curl -sS -4 --interface ${somebody()}`);
    const { data } = JSON.parse(execFileSync('sh', ['-c', command], { encoding: 'utf8' }));
    const { json } = await get(`/v1/projects/${data.projectId}`, key);
    expect(json.data.bytes).toBe(content.length);
    rmSync(dirname(path), { recursive: true });
    await remove(key, data.projectId);
  });

  withCurl('says what is wrong where the command for any size is refused', async () => {
    const { curlAnySize, uploadUrl } = await linked(key);
    const { data } = (await uploadTo(uploadUrl, [file('index.html')])).json;
    const refused = spawnSync('sh', ['-c', curlAnySize.replace('FILE', process.execPath)]);
    expect(refused.status).not.toBe(0);
    expect(JSON.parse(String(refused.stdout)).code).toBe('UPLOAD_LINK_NOT_FOUND');
    await remove(key, data.projectId);
  });

  /** Runs curl with a file, at an upload link or below it. */
  const curled = async (
    content: Buffer | string,
    at: (link: string) => string,
    ...options: string[]
  ) => {
    const { uploadUrl } = await linked(key);
    const folder = mkdtempSync(join(tmpdir(), 'slipway-curl-'));
    const path = join(folder, 'a plan.html');
    writeFileSync(path, content);
    const sent = ['-sS', '-4', '--interface', somebody(), ...options, '-T', path, at(uploadUrl)];
    const answer = JSON.parse(execFileSync('curl', sent, { encoding: 'utf8' }));
    rmSync(folder, { recursive: true });
    return answer;
  };

  withCurl.each<[string, (link: string) => string, string[], string]>([
    ['the link, named by its content', (link) => link, [], 'index.html'],
    [
      'the link and a slash, where curl appends the name',
      (link) => `${link}/`,
      [],
      'a%20plan.html',
    ],
    ['the link and a name', (link) => `${link}/start.html`, [], 'start.html'],
    ['the link, with X-Filename', (link) => link, ['-H', 'X-Filename: b.html'], 'b.html'],
  ])('takes curl -T of a file to %s', async (_, at, options, name) => {
    const { data } = await curled('<!doctype html><h1>Sent</h1>', at, ...options);
    expect(await text(data.url)).toBe('<!doctype html><h1>Sent</h1>');
    expect((await ask(`${data.url}/${name}`)).status).not.toBe(404);
    await remove(key, data.projectId);
  });

  withCurl('takes curl -T of bytes as they are, and unpacks a ZIP', async () => {
    const bytes = Buffer.from(Array.from({ length: 1000 }, (_, at) => at % 256));
    const { data } = await curled(bytes, (link) => `${link}/all.bin`);
    expect((await ask(`${data.url}/all.bin`)).body).toEqual(bytes);
    await remove(key, data.projectId);
    const zip = await curled(await aZip({ 'site/index.html': '<p>Z' }), (link) => link);
    expect(await text(zip.data.url)).toBe('<p>Z');
    expect(zip.data.type).toBe('zip');
    await remove(key, zip.data.projectId);
  });

  withCurl('says how to send a file that is too large, and is not used up', async () => {
    const answer = await curled(Buffer.alloc(4_650_001), (link) => link);
    expect(answer).toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
    expect(answer.nextStep).toContain('POST /v1/upload-links/{link}/uploads');
    expect(answer.nextStep).toContain('not used up');
  });

  test('creates a new version of its project, whose title, address and settings stay unchanged', async () => {
    const project = await created(key, { fields: { title: 'Harbour' } });
    const { uploadUrl } = await linked(key, { projectId: project.projectId, title: 'New plans' });
    const { data } = (await uploadTo(uploadUrl, [file('plan.pdf', 'plan')])).json;
    const { projectId, url, title, slug } = project;
    const kept = { projectId, url, title, slug };
    expect(data).toEqual({ ...kept, deploymentId: 'dep_v2', type: 'pdf', expiresAt: null });
    expect(await history(key, projectId)).toEqual(['2 active', '1 ready']);
    expect(await text(`${url}/plan.pdf`)).toBe('plan');
    await remove(key, projectId);
  });

  test('works once: a used link is refused everywhere', async () => {
    const { uploadUrl, pageUrl } = await linked(key);
    const { data } = (await uploadTo(uploadUrl, aPage)).json;
    expectRefusal(await uploadTo(uploadUrl, aPage), 404, 'UPLOAD_LINK_NOT_FOUND');
    const begun = await sendTo(`${uploadUrl}/uploads`, 'POST', { archive: { size: 1 } });
    expectRefusal(begun, 404, 'UPLOAD_LINK_NOT_FOUND');
    const page = await ask(pageUrl, { from: somebody() });
    expect(page.status).toBe(404);
    expect(page.text).toContain('This upload link has been used; it works once.');
    await remove(key, data.projectId);
    expectRefusal(await uploadTo(uploadUrl, aPage), 404, 'UPLOAD_LINK_NOT_FOUND');
  });

  test('repeats the response for a request with the same Idempotency-Key', async () => {
    const { uploadUrl } = await linked(key);
    const headers = { 'idempotency-key': 'upload-once' };
    const from = somebody();
    const first = await uploadTo(uploadUrl, aPage, { from, headers });
    const second = await uploadTo(uploadUrl, aPage, { from, headers });
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.json).toEqual(first.json);
    await remove(key, first.json.data.projectId);
  });
});

local('a refused upload leaves the link as it was', () => {
  const twoPages = () => aZip({ 'a.html': 'A', 'b.html': 'B' });

  test('with the choice of a start page', async () => {
    const { uploadUrl } = await linked(key);
    const zip = file('a.zip', await twoPages());
    expectRefusal(await uploadTo(uploadUrl, [zip]), 400, 'ZIP_MULTIPLE_HTML');
    const named = [zip, { name: 'zipIndexHtmlPath', body: 'b.html' }];
    const { data } = (await uploadTo(uploadUrl, named)).json;
    expect(await text(data.url)).toBe('B');
    await remove(key, data.projectId);
    const withIndex = file('a.zip', await aZip({ 'a.html': 'A', 'index.html': 'I' }));
    const auto = [withIndex, { name: 'home', body: 'auto' }];
    const home = (await uploadTo((await linked(key)).uploadUrl, auto)).json.data;
    expect(await text(home.url)).toBe('I');
    await remove(key, home.projectId);
  });

  test('other bodies', async () => {
    const { uploadUrl } = await linked(key);
    const put = (type: string, body: string) =>
      ask(uploadUrl, { method: 'PUT', headers: { 'content-type': type }, body, from: somebody() });
    const type = 'application/x-www-form-urlencoded';
    const form = await put(type, 'x');
    expectRefusal(form, 415, 'UNSUPPORTED_MEDIA_TYPE');
    expect(form.json.error).toContain(type);
    expect(form.json.error).toContain('`files`');
    expect(form.json.nextStep).toContain('curl -T');
    expectRefusal(await put('text/plain', ''), 400, 'INVALID_REQUEST');
    expectRefusal(await put('application/json', '{"a":1}'), 400, 'INVALID_REQUEST');
    const unknown = await sendTo(uploadUrl, 'PUT', { uploadId: unknownId });
    expectRefusal(unknown, 404, 'NOT_FOUND');
    const own = (await sendWith(await signIn(), `${baseUrl}/v1/uploads`, { archive: { size: 1 } }))
      .json.data;
    const foreign = await sendTo(uploadUrl, 'PUT', { uploadId: own.uploadId });
    expectRefusal(foreign, 404, 'NOT_FOUND');
    const { status, json } = await uploadTo(uploadUrl, aPage);
    expect(status).toBe(200);
    await remove(key, json.data.projectId);
  });
});

local('a plain body, as `fetch` sends it', () => {
  const put = (url: string, body: string, headers: Record<string, string>) =>
    ask(url, { method: 'PUT', headers, body, from: somebody() });

  test.each<[string, Record<string, string>, string, string]>([
    ['text', { 'content-type': 'text/plain;charset=UTF-8' }, 'file.txt', 'document'],
    [
      'JSON with a name',
      { 'content-type': 'application/json', 'x-filename': 'a.json' },
      'a.json',
      'code',
    ],
    ['a declared type', { 'content-type': 'text/markdown' }, 'file.md', 'markdown'],
    [
      'a disposition',
      { 'content-type': 'x/y', 'content-disposition': 'attachment; filename="a.sql"' },
      'a.sql',
      'sql',
    ],
  ])('%s is one file', async (_, headers, name, type) => {
    const { uploadUrl } = await linked(key);
    const answer = await put(uploadUrl, '{"é":1}', headers);
    expect(answer.status).toBe(200);
    expect(answer.json.data.type).toBe(type);
    const shown = await ask(`${answer.json.data.url}/${name}`);
    expect([shown.status, shown.text]).toEqual([200, '{"é":1}']);
    await remove(key, answer.json.data.projectId);
    expectRefusal(await put(uploadUrl, 'again', headers), 404, 'UPLOAD_LINK_NOT_FOUND');
  });

  test('with an unsafe name is refused, and the link still works', async () => {
    const { uploadUrl } = await linked(key);
    for (const name of ['../a.txt', '_slipway/a', 'a%00b', '..%2Fa']) {
      const refused = await put(uploadUrl, 'x', { 'x-filename': name });
      expect({ name, status: refused.status }).toEqual({ name, status: 400 });
    }
    const { status, json } = await put(uploadUrl, 'x', {});
    expect(status).toBe(200);
    await remove(key, json.data.projectId);
  });

  test('becomes a version of the project of the link', async () => {
    const { projectId, url } = await created(key);
    const { uploadUrl } = await linked(key, { projectId });
    expect((await put(uploadUrl, 'x', { 'x-filename': 'b.txt' })).json.data.deploymentId).toBe(
      'dep_v2',
    );
    expect(await text(`${url}/b.txt`)).toBe('x');
    await remove(key, projectId);
  });
});

local('a token', () => {
  test.each(['unknown', 'A'.repeat(43), '%00', 'x'.repeat(500)])(
    '%s is refused, and nothing is created',
    async (token) => {
      const url = `${baseUrl}/v1/upload-links/${token}`;
      expectRefusal(await uploadTo(url, aPage), 404, 'UPLOAD_LINK_NOT_FOUND');
      const begun = await sendTo(`${url}/uploads`, 'POST', { archive: { size: 1 } });
      expectRefusal(begun, 404, 'UPLOAD_LINK_NOT_FOUND');
      const far = await ask(`${url}/uploads/${unknownId}`, { from: somebody() });
      expectRefusal(far, 404, 'UPLOAD_LINK_NOT_FOUND');
      const page = await ask(`${baseUrl}/upload/${token}`, { from: somebody() });
      expect([page.status, page.headers['content-type']]).toEqual([
        404,
        'text/html; charset=utf-8',
      ]);
    },
  );

  test('can be tried thirty times a minute from one IP address', async () => {
    const from = somebody();
    const url = `${baseUrl}/v1/upload-links/guess/uploads/${unknownId}`;
    const codes = new Set<number>();
    // Tries are counted by the minute of the clock, which may end meanwhile.
    const refused = async (address: string) => {
      for (let tries = 0; tries < 62; tries += 1) {
        const answer = await ask(address, { from });
        codes.add(answer.status);
        if (answer.status === 429) return answer;
      }
      throw new Error('62 tries were not refused');
    };
    const answer = await refused(url);
    expect([...codes]).toEqual([404, 429]);
    expectRefusal(answer, 429, 'RATE_LIMITED');
    expect(answer.headers).toMatchObject({ 'ratelimit-limit': '30', 'ratelimit-remaining': '0' });
    const page = await refused(`${baseUrl}/upload/guess`);
    expect([page.status, page.text.includes('Too many attempts')]).toEqual([429, true]);
  });
});

local('a large upload by a link', () => {
  test('goes directly to storage, and is then published by its id', async () => {
    const { uploadUrl } = await linked(key);
    const bytes = Buffer.alloc(6_000_000, 'tide ');
    const uploadId = await sentByLink(uploadUrl, [{ path: 'Tides.txt', bytes }]);
    const far = `${uploadUrl}/uploads/${uploadId}`;
    expect((await ask(far, { from: somebody() })).json.data).toMatchObject({
      status: 'waiting',
      bytes: { done: 6_000_000, total: 6_000_000 },
    });
    const { data } = (await sendTo(uploadUrl, 'PUT', { uploadId })).json;
    expect(data).toMatchObject({ title: 'Tides', deploymentId: null });
    expect((await ask(far, { from: somebody() })).json.data).toMatchObject({
      status: 'published',
      projectId: data.projectId,
    });
    expectRefusal(await sendTo(uploadUrl, 'PUT', { uploadId }), 404, 'UPLOAD_LINK_NOT_FOUND');
    await remove(key, data.projectId);
  });

  test('is limited by the plan, and to ten an hour', async () => {
    const { uploadUrl } = await linked(key);
    const begin = (size: number) => sendTo(`${uploadUrl}/uploads`, 'POST', { archive: { size } });
    expectRefusal(await begin(500 * 1024 ** 2 + 1), 413, 'PAYLOAD_TOO_LARGE');
    const statuses = new Set<number>();
    for (let count = 0; count < 21; count += 1) statuses.add((await begin(1)).status);
    expect([...statuses]).toEqual([201, 429]);
  });
});

local('the page of a link', () => {
  test('is not cached, and its form publishes without scripts', async () => {
    const { pageUrl, expiresAt } = await linked(key, { title: 'Tide <tables>' });
    const page = await ask(pageUrl, { from: somebody() });
    expect(page.status).toBe(200);
    expect(page.headers).toMatchObject({
      'cache-control': 'private, no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
    expect(page.text).toContain('Upload files for <bdi>Tide &lt;tables&gt;</bdi>');
    expect(page.text).toContain(expiresAt);
    const posted = await postForm(pageUrl, [...aPage, { name: 'zipIndexHtmlPath', body: '' }]);
    expect(posted.status).toBe(200);
    const url = /<a href="(http[^"]+)"/.exec(posted.text)?.[1] ?? '';
    expect(await text(url)).toBe('<h1>Brought</h1>');
    expect((await ask(pageUrl, { from: somebody() })).status).toBe(404);
  });

  test('is shown again with the error', async () => {
    const { pageUrl } = await linked(key);
    const empty = await postForm(pageUrl, []);
    expect([empty.status, empty.text.includes('role="alert"><div><strong>')]).toEqual([400, true]);
    const zip = file('a.zip', await aZip({ 'a.html': 'A', 'b.html': 'B' }));
    const several = await postForm(pageUrl, [zip]);
    expect(several.status).toBe(400);
    expect(several.text).toContain('with one of these as start page: a.html, b.html');
  });

  const postForm = async (pageUrl: string, parts: readonly FormPart[]) => {
    const { body, contentType } = aForm(parts);
    const headers = { 'content-type': contentType };
    return ask(pageUrl, { method: 'POST', headers, body, from: somebody() });
  };
});

import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { get, sendWith, signIn } from '../../fixtures/accounts/accounts.ts';
import { type Answer, ask, baseUrl, file, isLocal } from '../../fixtures/clouds/client.ts';
import { expectRefusal } from '../../fixtures/clouds/refusals.ts';
import { cookieFrom, unlock } from '../../fixtures/visits/access.ts';
import { created, remove, temporary, usage } from '../../fixtures/projects/projects.ts';
import { pushed } from '../../fixtures/projects/versions.ts';

// The codes are read from the local inbox.
const local = isLocal ? describe : describe.skip;

let key = '';
beforeAll(async () => {
  if (isLocal) key = await signIn();
});

const duplicate = (projectId: string, body: object = {}, as = key): Promise<Answer> =>
  sendWith(as, `${baseUrl}/v1/projects/${projectId}/duplicate`, body);
const patch = (projectId: string, body: object) =>
  sendWith(key, `${baseUrl}/v1/projects/${projectId}`, body, 'PATCH');
const shown = async (projectId: string) => (await get(`/v1/projects/${projectId}`, key)).json.data;
async function copied(projectId: string, body: object = {}): Promise<any> {
  const answer = await duplicate(projectId, body);
  if (answer.status !== 201) throw new Error(`not copied: ${answer.text}`);
  return answer.json.data;
}

// Larger than files in packs, and a request still has room for it.
const large = randomBytes(4_250_000);
const small = [
  file('index.html', '<!doctype html><title>Fair</title><link rel="stylesheet" href="a.css">'),
  file('a.css', 'body { color: teal }\n'.repeat(200)),
  file('docs/read me.txt', 'Berths\n'),
];

local('POST /v1/projects/{projectId}/duplicate', () => {
  test('has the bytes of the live version, of files in packs, alone, and kept from an earlier version', async () => {
    const source = await created(key, { fields: { title: 'Fair' }, files: small });
    const files = [...small, file('big.bin', large), file('a.css', 'body { color: red }')];
    const next = files.filter((_, at) => at !== 1);
    await pushed(key, source.projectId, next);
    const before = await usage(key);
    const copy = await copied(source.projectId);
    expect(copy).toMatchObject({
      title: 'Fair (copy)',
      type: (await shown(source.projectId)).type,
    });
    expect(copy.slug).toMatch(/^fair-copy/);
    const { bytes, fileCount } = await shown(source.projectId);
    expect(await shown(copy.projectId)).toMatchObject({ bytes, fileCount, version: 1 });
    expect(copy.quota).toMatchObject({
      projects: { used: before.projects + 1 },
      storage: { usedBytes: before.bytes + bytes },
    });
    // Neither project needs the other's files.
    await remove(key, source.projectId);
    for (const { filename = '', body } of next) {
      const path = filename === 'index.html' ? '/' : `/${encodeURI(filename)}`;
      const address = copy.url + path;
      const answer = await ask(address);
      // A large file is sent by storage.
      const { location } = answer.headers;
      const served = location === undefined ? answer : await ask(new URL(location, address).href);
      expect([path, served.status]).toEqual([path, 200]);
      if (filename !== 'index.html') expect(served.body.equals(Buffer.from(body))).toBe(true);
    }
    const compressed = await ask(`${copy.url}/docs/read%20me.txt`, {
      headers: { 'accept-encoding': 'br' },
    });
    expect(compressed.status).toBe(200);
    await remove(key, copy.projectId);
  });

  test('has all settings, and its own address', async () => {
    const source = await created(key, { fields: { expiresIn: '24h' } });
    const settings = {
      noIndex: true,
      disableDownloads: true,
      pageTitle: 'Page',
      metaDescription: 'About',
      analyticsEnabled: false,
      spa: true,
      prettyUrls: true,
      status: 'private',
    };
    expect((await patch(source.projectId, settings)).status).toBe(200);
    const slug = `copy-${randomBytes(5).toString('hex')}`;
    const copy = await copied(source.projectId, { title: 'Another', slug });
    const { id: _, slug: __, url: ___, ...of } = await shown(source.projectId);
    expect(await shown(copy.projectId)).toEqual({
      ...of,
      id: copy.projectId,
      title: 'Another',
      slug,
      url: copy.url,
      version: 1,
      createdAt: copy.createdAt,
      updatedAt: copy.createdAt,
    });
    expect(copy.expiresAt).toBe(of.expiresAt);
    expect((await ask(copy.url)).status).toBe(404);
    await Promise.all([remove(key, source.projectId), remove(key, copy.projectId)]);
  });

  test('of a private project is private, and one with a password needs the same', async () => {
    const secret = await created(key, { fields: { access: 'private' } });
    expect((await ask((await copied(secret.projectId)).url)).status).toBe(401);
    const locked = await created(key, { fields: { access: 'password', password: 'harbour' } });
    const { url } = await copied(locked.projectId);
    expect((await ask(url)).status).toBe(401);
    const cookie = cookieFrom(await unlock(url, 'harbour'));
    expect((await ask(url, { headers: { cookie } })).text).toContain('Mine');
    // The cookie of one is none of the other.
    expect((await ask(locked.url, { headers: { cookie } })).status).toBe(401);
  });

  test('runs once for an Idempotency-Key', async () => {
    const { projectId } = await created(key);
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': randomBytes(8).toString('hex'),
    };
    const send = () =>
      ask(`${baseUrl}/v1/projects/${projectId}/duplicate`, { method: 'POST', headers, body: '{}' });
    const [first, second] = [await send(), await send()];
    expect(first.status).toBe(201);
    expect(second.json).toEqual(first.json);
  });

  test('is refused for other projects than the caller’s own, and for addresses that are not free', async () => {
    const [stranger, mine] = [await signIn(), await created(key)];
    expectRefusal(await duplicate(mine.projectId, {}, stranger), 404, 'NOT_FOUND');
    expectRefusal(await duplicate((await temporary()).projectId), 404, 'NOT_FOUND');
    expectRefusal(await duplicate('x'), 404, 'NOT_FOUND');
    expectRefusal(await duplicate(mine.projectId, { slug: mine.slug }), 409, 'SLUG_TAKEN');
    expectRefusal(await duplicate(mine.projectId, { title: '' }), 400, 'INVALID_REQUEST');
    await remove(key, mine.projectId);
    expectRefusal(await duplicate(mine.projectId), 404, 'NOT_FOUND');
  });
});

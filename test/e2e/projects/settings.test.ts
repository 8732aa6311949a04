import { randomBytes } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { get, signIn } from '../../fixtures/accounts/accounts.ts';
import { ask, baseUrl, file, isLocal } from '../../fixtures/clouds/client.ts';
import { create, created, expectNoSite } from '../../fixtures/projects/projects.ts';
import { expectRefusal } from '../../fixtures/clouds/refusals.ts';
import { patch } from '../../fixtures/projects/versions.ts';

// The codes are read from the local inbox.
const local = isLocal ? describe : describe.skip;
const unknownId = '11111111-1111-4111-8111-111111111111';

let key = '';
let stranger = '';
beforeAll(async () => {
  if (isLocal) stranger = await signIn();
});
// A plan has room for a few projects only.
beforeEach(async () => {
  if (isLocal) key = await signIn();
});

const files = [file('index.html', '<h1>Mine'), file('style.css', 'body{}'), file('a-1b2c3d4e.js')];
const paths = ['/', '/index.html', '/style.css', '/a-1b2c3d4e.js'];
const aSite = (fields = {}) => created(key, { files, fields });
const aSlug = () => `s-${randomBytes(6).toString('hex')}`;
const show = async (id: string) => (await get(`/v1/projects/${id}`, key)).json.data;

/** A site whose every file the edge has seen, so that it answers by itself where it may. */
async function aWarmSite(fields = {}) {
  const site = await aSite(fields);
  for (const path of [...paths, ...paths]) await ask(site.url + path);
  const warm = await ask(`${site.url}/style.css`);
  if (warm.status === 200) expect(warm.headers['x-cache']).toBe('Hit from cloudfront');
  return site;
}

/** The statuses that the next visitors get at every path, for every kind of request. */
async function statuses(url: string): Promise<number[]> {
  const answers = [];
  for (const path of paths) {
    for (const ways of [{}, { method: 'HEAD' }, { headers: { range: 'bytes=0-1' } }]) {
      answers.push((await ask(url + path, ways)).status);
    }
  }
  return [...new Set(answers)].toSorted((a, b) => a - b);
}

local('PATCH /v1/projects/{projectId}', () => {
  test('changes every sent field, and returns it', async () => {
    const { projectId } = await aSite();
    const before = await show(projectId);
    const settings = {
      title: 'Another title',
      status: 'private',
      access: 'private',
      noIndex: true,
      disableDownloads: true,
      pageTitle: 'Tab',
      metaDescription: 'Words',
      analyticsEnabled: false,
    };
    const answer = await patch(key, projectId, { ...settings, domainId: null, workspaceId: null });
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({ status: 'success', data: { updated: true } });
    const after = await show(projectId);
    expect(after).toEqual({ ...before, ...settings, updatedAt: after.updatedAt });
    expect(Date.parse(after.updatedAt)).toBeGreaterThan(Date.parse(before.updatedAt));
    const back = { pageTitle: null, metaDescription: null, status: 'public', access: 'public' };
    await patch(key, projectId, back);
    expect(await show(projectId)).toMatchObject({ ...settings, ...back });
  });

  test('answers the same 404 for an unknown, malformed or foreign id', async () => {
    const { projectId } = await aSite();
    const ids = [unknownId, 'nothing', `${projectId}x`, '%00'];
    const answers = await Promise.all(ids.map((id) => patch(key, id, { title: 'New' })));
    answers.push(await patch(stranger, projectId, { title: 'New' }));
    for (const answer of answers) expectRefusal(answer, 404, 'NOT_FOUND');
    expect(new Set(answers.map(({ json }) => json.error)).size).toBe(1);
    expect((await show(projectId)).title).toBe('A title');
  });

  test('answers 401 without a valid key, with any body', async () => {
    const { projectId } = await aSite();
    const url = `${baseUrl}/v1/projects/${projectId}`;
    expectRefusal(await ask(url, { method: 'PATCH', body: '{' }), 401, 'API_KEY_MISSING');
    const wrong = await patch(`sw_live_${'a'.repeat(49)}`, projectId, { title: 'New' });
    expectRefusal(wrong, 401, 'API_KEY_INVALID');
  });

  test('ten concurrent changes of different fields are all stored', async () => {
    const { projectId } = await aSite();
    const settings: Record<string, unknown> = {
      title: 'Ten',
      slug: aSlug(),
      status: 'private',
      access: 'private',
      noIndex: true,
      disableDownloads: true,
      pageTitle: 'Tab',
      metaDescription: 'Words',
      analyticsEnabled: false,
      expiresIn: '24h',
    };
    const answers = await Promise.all(
      Object.entries(settings).map(([name, value]) => patch(key, projectId, { [name]: value })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    const { expiresIn: _, ...shown } = settings;
    const after = await show(projectId);
    expect(after).toMatchObject(shown);
    expect(after.expiresAt).not.toBeNull();
  });
});

local('the next visitor after a PATCH', () => {
  test.each([
    ['a password', { access: 'password', password: 'open sesame' }, 401],
    ['private access', { access: 'private' }, 401],
    ['unpublishing', { status: 'private' }, 404],
  ])(
    '%s: visitors get none of the edge’s cached copies, and all of them after the reverse change',
    async (_, settings, status) => {
      const { projectId, url } = await aWarmSite();
      expect((await patch(key, projectId, settings)).status).toBe(200);
      expect(await statuses(url)).toEqual([status]);
      expect((await ask(url)).text).not.toContain('Mine');
      await patch(key, projectId, { access: 'public', status: 'public', password: null });
      expect(await statuses(url)).toEqual([200, 206]);
      expect((await ask(url)).text).toBe('<h1>Mine');
    },
  );

  test('gets noIndex, also on copies that the edge has cached', async () => {
    const { projectId, url } = await aWarmSite();
    for (const noIndex of [true, false]) {
      await patch(key, projectId, { noIndex });
      for (const path of paths) {
        const { headers } = await ask(url + path);
        // The edge's copy may have `all`: a 304 cannot take a header away.
        expect(headers['x-robots-tag'] === 'noindex').toBe(noIndex);
      }
    }
  });

  test('never sees a password, nor does its owner', async () => {
    const { projectId } = await aSite();
    await patch(key, projectId, { access: 'password', password: 'open sesame' });
    const shown = await get(`/v1/projects/${projectId}`, key);
    expect(shown.json.data.access).toBe('password');
    expect(shown.text).not.toMatch(/sesame|scrypt|hash/i);
  });
});

local('a new slug', () => {
  test('moves the address immediately; the old one is reserved for its owner', async () => {
    const { projectId, url, slug } = await aWarmSite();
    const next = aSlug();
    expect((await patch(key, projectId, { slug: next })).status).toBe(200);
    await expectNoSite(url, paths);
    const moved = await show(projectId);
    expect(moved).toMatchObject({ slug: next, url: url.replace(slug, next) });
    expect(await statuses(moved.url)).toEqual([200, 206]);

    expectRefusal(await create(stranger, { fields: { slug } }), 409, 'SLUG_TAKEN');
    const theirs = await created(stranger);
    expectRefusal(await patch(stranger, theirs.projectId, { slug }), 409, 'SLUG_TAKEN');
    await expectNoSite(url);
    const again = await created(key, { fields: { slug }, files: [file('index.html', 'again')] });
    expect((await ask(again.url)).text).toBe('again');
    expect((await ask(moved.url)).text).toBe('<h1>Mine');
  });
});

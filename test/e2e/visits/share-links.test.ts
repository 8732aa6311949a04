import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { get, sendWith, signIn } from '../../fixtures/accounts/accounts.ts';
import {
  aiAgents,
  browserAgents,
  mailScanners,
  previews,
  programAgents,
} from '../../fixtures/agents/agents.ts';
import { ask, baseUrl, file, isLocal, somebody } from '../../fixtures/clouds/client.ts';
import { created } from '../../fixtures/projects/projects.ts';
import { pushed } from '../../fixtures/projects/versions.ts';
import { cookieFrom, ownersCookie } from '../../fixtures/visits/access.ts';
import { hitsOf, look, open, whenCounted } from '../../fixtures/visits/opens.ts';
import { byPerson, follow, press, shared } from '../../fixtures/visits/share-links.ts';

// The codes are read from the local inbox.
const local = isLocal ? describe : describe.skip;

const files = [file('index.html', '<!doctype html><h1>The secret')];
let key = '';
beforeAll(async () => {
  if (isLocal) key = await signIn();
});

const aPrivateSite = () => created(key, { files, fields: { access: 'private' } });
const linksOf = async (projectId: string) =>
  (await get(`/v1/projects/${projectId}/links`, key)).json.data.links;
const change = (projectId: string, id: string, body: object | undefined, method = 'PATCH') =>
  sendWith(key, `${baseUrl}/v1/projects/${projectId}/links/${id}`, body, method);

local('a share link', () => {
  test('opens a private project at a clean address, until it is deleted', async () => {
    const { projectId, url } = await aPrivateSite();
    const link = await shared(key, projectId);
    expect(link.url).toMatch(new RegExp(`^${url}/_slipway/share/[\\w-]{43}$`));
    const opened = await follow(link.url);
    expect([opened.status, opened.headers.location]).toEqual([303, '/']);
    expect(opened.headers['referrer-policy']).toBe('no-referrer');
    const [set = ''] = opened.headers['set-cookie'] ?? [];
    expect(set).toMatch(/^__Host-slipway-access=.*; Path=\/; Secure; HttpOnly; SameSite=Lax; /);
    const token = new URL(link.url).pathname.split('/').at(-1) ?? '';
    expect(set).not.toContain(token);
    const cookie = cookieFrom(opened);
    const page = await follow(`${url}/`, cookie);
    expect([page.status, page.text.includes('The secret')]).toEqual([200, true]);
    expect(page.headers['cache-control']).toBe('private, no-store');
    expect(page.headers['x-robots-tag']).toBe('noindex');
    expect((await follow(`${url}/`)).status).toBe(401);
    expect((await change(projectId, link.id, undefined, 'DELETE')).status).toBe(200);
    expect((await follow(`${url}/`, cookie)).status).toBe(401);
    expect((await follow(link.url)).status).toBe(404);
    expect((await change(projectId, link.id, undefined, 'DELETE')).status).toBe(404);
    expect(await linksOf(projectId)).toEqual([]);
  });

  test.each([
    ['a preview of a chat', { 'user-agent': 'Slackbot-LinkExpanding 1.0' }],
    ['a bot', { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1)' }],
    ['a prefetch', { 'sec-purpose': 'prefetch;prerender' }],
    ['a mail scanner that calls itself a browser', {}],
  ])('with one open gives %s a page with a button, and no open is used', async (_, headers) => {
    const { projectId } = await aPrivateSite();
    const link = await shared(key, projectId, { maxOpens: 1 });
    for (const method of ['GET', 'HEAD']) {
      const asked = await ask(link.url, { method, headers: { ...byPerson, ...headers } });
      expect([asked.status, asked.headers['set-cookie']]).toEqual([200, undefined]);
      expect(asked.text).not.toMatch(/The secret|Anna/);
      expect(asked.headers['referrer-policy']).toBe('no-referrer');
    }
    expect((await linksOf(projectId))[0]).toMatchObject({ usedOpens: 0, state: 'active' });
    expect((await press(link.url)).status).toBe(303);
    expect((await linksOf(projectId))[0]).toMatchObject({ usedOpens: 1, state: 'used-up' });
  });

  test('with one open, of recorded agents of programs and browsers only people use it up', async () => {
    const { projectId } = await aPrivateSite();
    const programs = [
      ...Object.values(previews),
      ...mailScanners,
      ...aiAgents,
      ...programAgents,
      '',
    ];
    const people = browserAgents.slice(0, 12);
    expect(programs.length + people.length).toBeGreaterThan(40);
    const by = (agent: string) => ({ 'user-agent': agent });
    const usedUp = async () =>
      (await linksOf(projectId)).filter(({ usedOpens }: any) => usedOpens > 0).length;
    const tried = await shared(key, projectId, { maxOpens: 1 });
    for (const agent of programs) {
      // One that also presses the button gets the page with the button again.
      const answers = [
        await follow(tried.url, '', by(agent)),
        await press(tried.url, {}, by(agent)),
      ];
      for (const { status, headers, text } of answers) {
        expect([agent, status, headers['set-cookie']]).toEqual([agent, 200, undefined]);
        expect(text).not.toContain('The secret');
      }
    }
    expect(await usedUp()).toBe(0);
    for (const agent of people) {
      const { url } = await shared(key, projectId, { maxOpens: 1 });
      expect([agent, (await follow(url, '', by(agent))).status]).toEqual([agent, 200]);
      expect([agent, (await press(url, {}, by(agent))).status]).toEqual([agent, 303]);
      expect([agent, (await press(url, {}, by(agent))).status]).toEqual([agent, 410]);
    }
    expect(await usedUp()).toBe(12);
  }, 180_000);

  test('with a password asks for it, and a changed one ends earlier access', async () => {
    const { projectId, url } = await aPrivateSite();
    const link = await shared(key, projectId, { password: 'open sesame' });
    expect((await follow(link.url)).text).toContain('name="password"');
    expect((await press(link.url, { password: 'wrong' })).status).toBe(401);
    const cookie = cookieFrom(await press(link.url, { password: 'open sesame' }));
    expect((await follow(`${url}/`, cookie)).status).toBe(200);
    await change(projectId, link.id, { password: 'another one' });
    expect((await follow(`${url}/`, cookie)).status).toBe(401);
  });

  test('shows the version that it names, beside the live one, without downloads', async () => {
    const two = [file('a.txt', 'one'), file('b.txt', 'one')];
    const { projectId, url } = await created(key, { files: two });
    await pushed(key, projectId, [file('a.txt', 'two'), file('b.txt', 'two')]);
    const link = await shared(key, projectId, { version: 1, downloads: false });
    const cookie = cookieFrom(await follow(link.url));
    const sent = { headers: { cookie } };
    expect((await ask(`${url}/a.txt`, sent)).text).toBe('one');
    expect((await ask(`${url}/a.txt`)).text).toBe('two');
    expect((await ask(`${url}/_slipway/zip`, sent)).status).toBe(403);
    expect((await ask(`${url}/_slipway/zip`)).status).toBe(200);
    await change(projectId, link.id, { version: null, downloads: true });
    expect((await ask(`${url}/a.txt`, sent)).text).toBe('two');
    expect((await ask(`${url}/_slipway/zip`, sent)).status).toBe(200);
  });

  test('that is deleted during a download refuses the next one, and breaks off none', async () => {
    const large = [1, 2, 3].map((part) => file(`${part}.txt`, randomBytes(1_200_000)));
    const { projectId, url } = await created(key, { files: large, fields: { access: 'private' } });
    for (let turn = 0; turn < 4; turn += 1) {
      const link = await shared(key, projectId);
      const sent = { headers: { cookie: cookieFrom(await follow(link.url)) }, from: somebody() };
      const downloading = ask(`${url}/_slipway/zip`, sent);
      await new Promise((resolve) => setTimeout(resolve, turn * 20));
      const ending = change(projectId, link.id, undefined, 'DELETE');
      const [zip, ended] = await Promise.all([downloading, ending]);
      expect(ended.status).toBe(200);
      if (zip.status === 200) expect(zip.body.length).toBeGreaterThan(3_600_000);
      else expect(zip.status).toBe(401);
      expect((await ask(`${url}/_slipway/zip`, sent)).status).toBe(401);
      expect((await ask(`${url}/1.txt`, sent)).status).toBe(401);
    }
  });

  test('is named by its opens, in the list, the analytics and hits.csv', async () => {
    const { projectId, url } = await aPrivateSite();
    const link = await shared(key, projectId, { name: 'Anna' });
    const cookie = cookieFrom(await follow(link.url));
    await look(url, { headers: { cookie } });
    await open(url, { headers: { cookie } });
    const counted = await whenCounted(key, projectId, ({ opens }) => opens.total > 0);
    expect(counted.recentOpens[0]).toMatchObject({ link: 'Anna' });
    const [shown] = await linksOf(projectId);
    expect(shown).toMatchObject({ opens: 1, firstOpenedAt: shown.lastOpenedAt });
    const [head = '', hit = ''] = (await hitsOf(key, projectId)).text.split('\r\n');
    expect([head, hit].map((line) => line.split(',').slice(-2))).toEqual([
      ['link', 'email'],
      ['Anna', ''],
    ]);
  });

  test('uses nothing up for its owner', async () => {
    const { projectId, url } = await aPrivateSite();
    const owner = await ownersCookie(key, projectId, baseUrl);
    const link = await shared(key, projectId, { maxOpens: 1 });
    expect((await follow(link.url, owner)).headers['set-cookie']).toBeUndefined();
    expect((await follow(`${url}/`, owner)).status).toBe(200);
    expect((await linksOf(projectId))[0].usedOpens).toBe(0);
  });

  test.each([
    ['another project’s link', 201, {}],
    ['a version that is not kept', 400, { version: 7 }],
    ['an end in the past', 400, { expiresAt: '2020-01-01T00:00:00Z' }],
    ['no opens', 400, { maxOpens: 0 }],
    ['an unknown field', 400, { webhook: 'x' }],
  ])('with %s', async (_, status, fields) => {
    const { projectId } = await aPrivateSite();
    const at = `${baseUrl}/v1/projects/${projectId}/links`;
    const made = await sendWith(key, at, { name: 'Anna', ...fields });
    expect(made.status).toBe(status);
    if (status !== 201) return;
    const elsewhere = await aPrivateSite();
    const token = new URL(made.json.data.url).pathname;
    expect((await follow(elsewhere.url + token)).status).toBe(404);
    expect((await change(elsewhere.projectId, made.json.data.id, { name: 'B' })).status).toBe(404);
    const stranger = await signIn();
    expect((await get(`/v1/projects/${projectId}/links`, stranger)).status).toBe(404);
  });
});

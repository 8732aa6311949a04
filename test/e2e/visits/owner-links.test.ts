import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  cookieFrom,
  ownersCookie,
  pressOwnerButton,
  redeem,
  createOwnerLink,
} from '../../fixtures/visits/access.ts';
import { anEmail, codeSentTo, get, post, signIn } from '../../fixtures/accounts/accounts.ts';
import { ask, baseUrl, file, isLocal } from '../../fixtures/clouds/client.ts';
import { created } from '../../fixtures/projects/projects.ts';
import { patch } from '../../fixtures/projects/versions.ts';

// The codes are read from the local inbox.
const local = isLocal ? describe : describe.skip;

const email = anEmail();
const files = [file('index.html', '<h1>The secret')];
let key = '';
beforeAll(async () => {
  if (isLocal) key = await signIn(email);
});

const aPrivateSite = () => created(key, { files, fields: { access: 'private' } });
const linkTo = async (projectId: string, apiKey = key): Promise<string> =>
  (await createOwnerLink(apiKey, projectId, baseUrl)).json.data.url;
const statusWith = async (url: string, cookie: string) =>
  (await ask(`${url}/`, { headers: { cookie } })).status;

/** A signed-in browser, as pages of ours use it. */
async function aBrowser() {
  const from = '127.77.1.1';
  await post('/v1/auth/otp/request', { email }, { from });
  const headers = { origin: baseUrl };
  const code = await codeSentTo(email);
  const answer = await post('/v1/session', { email, code }, { headers, from });
  const cookie = (answer.headers['set-cookie'] ?? []).map((one) => one.split(';')[0]).join('; ');
  return { cookie, ...headers };
}

const chat = { 'user-agent': 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)' };

local('owner links work once, and the owner’s cookie ends', () => {
  test.each([
    ['a preview of a chat', chat],
    ['an AI fetcher', { 'user-agent': 'Mozilla/5.0 (compatible; ChatGPT-User/1.0)' }],
    [
      'a browser that fetches ahead',
      { 'sec-purpose': 'prefetch;prerender', 'sec-fetch-mode': 'navigate' },
    ],
    ['a script of a page', { 'sec-fetch-mode': 'no-cors' }],
  ])('%s uses nothing up; its button does', async (_, headers) => {
    const { projectId, url } = await aPrivateSite();
    const link = await linkTo(projectId);
    const looked = await ask(link, { headers });
    expect(looked.status).toBe(200);
    expect(looked.headers['set-cookie']).toBeUndefined();
    expect(await statusWith(url, cookieFrom(await pressOwnerButton(link)))).toBe(200);
    expect((await redeem(link)).status).toBe(410);
  });

  test('opening a link uses it; a HEAD request does not', async () => {
    const { projectId, url } = await aPrivateSite();
    const link = await linkTo(projectId);
    expect((await ask(link, { method: 'HEAD' })).headers['set-cookie']).toBeUndefined();
    expect(await statusWith(url, cookieFrom(await redeem(link)))).toBe(200);
    for (const again of [await redeem(link), await pressOwnerButton(link)]) {
      expect(again.status).toBe(410);
      expect(again.headers['set-cookie']).toBeUndefined();
      expect(again.text).toContain('This link has been used');
    }
  });

  test.each([
    ['/deep/page?a=b', '/deep/page?a=b'],
    ['//evil.example', '/'],
    ['/\\evil.example', '/'],
    ['https://evil.example', '/'],
    ['/a\r\nset-cookie: x=1', '/'],
  ])('a link that names %j leads to %j of its own host', async (to, location) => {
    const { projectId } = await aPrivateSite();
    const at = `?to=${encodeURIComponent(to)}`;
    expect((await redeem((await linkTo(projectId)) + at)).headers['location']).toBe(location);
    const looked = await ask((await linkTo(projectId)) + at, { headers: chat });
    expect(looked.text).toContain(`name="to" value="${location.replaceAll('&', '&amp;')}"`);
  });

  test('of many concurrent uses exactly one succeeds', async () => {
    const { projectId } = await aPrivateSite();
    const link = await linkTo(projectId);
    const answers = await Promise.all(Array.from({ length: 12 }, () => redeem(link)));
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([303, ...Array<number>(11).fill(410)]);
  });

  test.each([
    ['another access', { access: 'password', password: 'open sesame' }],
    ['public access', { access: 'public' }],
  ])('%s ends the cookie and unused links', async (_, settings) => {
    const { projectId, url } = await aPrivateSite();
    const cookie = await ownersCookie(key, projectId, baseUrl);
    const unused = await linkTo(projectId);
    expect(await statusWith(url, cookie)).toBe(200);
    await patch(key, projectId, settings, baseUrl);
    await patch(key, projectId, { access: 'private' }, baseUrl);
    expect(await statusWith(url, cookie)).toBe(401);
    expect((await ask(unused)).status).toBe(404);
    expect((await redeem(unused)).status).toBe(404);
    expect(await statusWith(url, await ownersCookie(key, projectId, baseUrl))).toBe(200);
  });

  test('a new password ends the cookie, even if it is the same password', async () => {
    const fields = { access: 'password', password: 'open sesame' };
    const { projectId, url } = await created(key, { files, fields });
    const cookie = await ownersCookie(key, projectId, baseUrl);
    expect(await statusWith(url, cookie)).toBe(200);
    await patch(key, projectId, { title: 'Another title' }, baseUrl);
    expect(await statusWith(url, cookie)).toBe(200);
    await patch(key, projectId, fields, baseUrl);
    expect(await statusWith(url, cookie)).toBe(401);
  });

  test('deleting the key that created a link ends the link and its cookie', async () => {
    const browser = await aBrowser();
    const made = await post('/v1/keys', { name: 'Machine' }, { headers: browser });
    const { id, key: machine } = made.json.data;
    const [one, two] = [await aPrivateSite(), await aPrivateSite()];
    const cookie = await ownersCookie(machine, one.projectId, baseUrl);
    const unused = await linkTo(one.projectId, machine);
    const other = await ownersCookie(key, two.projectId, baseUrl);
    expect(await statusWith(one.url, cookie)).toBe(200);
    const ended = await ask(`${baseUrl}/v1/keys/${id}`, { method: 'DELETE', headers: browser });
    expect(ended.status).toBe(200);
    expect(await statusWith(one.url, cookie)).toBe(401);
    expect((await redeem(unused)).status).toBe(404);
    // Projects without links of this key do not change.
    expect(await statusWith(two.url, other)).toBe(200);
    const shown = await get(`/v1/projects/${one.projectId}`, key);
    expect(shown.json.data).toMatchObject({ access: 'private', title: 'A title' });
    expect(await statusWith(one.url, await ownersCookie(key, one.projectId, baseUrl))).toBe(200);
  });
});

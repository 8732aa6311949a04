import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  anEmail,
  codeSentTo,
  get,
  mailsTo,
  sendWith,
  signIn,
} from '../../fixtures/accounts/accounts.ts';
import {
  type Answer,
  ask,
  baseUrl,
  file,
  isLocal,
  somebody,
} from '../../fixtures/clouds/client.ts';
import { created } from '../../fixtures/projects/projects.ts';
import { patch } from '../../fixtures/projects/versions.ts';
import { cookieFrom, ownersCookie } from '../../fixtures/visits/access.ts';
import { hitsOf, open, whenCounted } from '../../fixtures/visits/opens.ts';
import { askForCode, codeForm, enterCode, provedAt } from '../../fixtures/visits/people.ts';

// The codes are read from the local inbox.
const local = isLocal ? describe : describe.skip;

const files = [file('index.html', '<!doctype html><h1>The secret')];
let key = '';
beforeAll(async () => {
  if (isLocal) key = await signIn();
});

const aSite = (fields: Record<string, string>) => created(key, { files, fields });
const pageOf = (url: string, cookie: string) => ask(`${url}/`, { headers: { cookie } });
const visitorsOf = async (projectId: string) =>
  (await get(`/v1/projects/${projectId}/visitors`, key)).json.data;
const hasAccount = async (email: string) =>
  (await ask(`${baseUrl}/_local/state`)).text.includes(`EMAIL#${email}`);
/** An answer without what is new in each: the token of its code, and the address that was sent. */
const sameOf = ({ status, headers, text }: Answer, email: string) => {
  const { date: _, 'x-request-id': __, 'x-amzn-requestid': ___, ...others } = headers;
  const plain = text
    .replace(/name="token" value="[^"]*"/, '')
    .replaceAll(email, 'the address')
    .replaceAll(/[\w-]{20,}/g, '');
  return { status, names: Object.keys(others).toSorted(), plain };
};

local('a project for these people', () => {
  test('opens for who proves an address of the list, and says who came', async () => {
    const email = anEmail();
    const { projectId, url } = await aSite({ access: 'people', people: email.toUpperCase() });
    const locked = await ask(`${url}/`);
    expect([locked.status, locked.text.includes('Confirm your e-mail address')]).toEqual([
      401,
      true,
    ]);
    expect(locked.text).not.toContain('The secret');
    const page = await askForCode(url, `  ${email} `);
    expect(page.status).toBe(200);
    const [mail] = await mailsTo(email);
    expect(mail.text).not.toContain('/_slipway/');
    const entered = await enterCode(url, page, await codeSentTo(email));
    expect([entered.status, entered.headers.location]).toEqual([303, '/']);
    expect(entered.headers['set-cookie']?.[0]).toMatch(
      /^__Host-slipway-access=.*; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=2592000$/,
    );
    const cookie = cookieFrom(entered);
    const shown = await pageOf(url, cookie);
    expect([shown.status, shown.text.includes('The secret')]).toEqual([200, true]);
    expect(shown.headers['cache-control']).toBe('private, no-store');
    await open(url, { headers: { cookie } });
    const analytics = await whenCounted(key, projectId, ({ opens }) => opens.total === 1);
    expect(analytics.recentOpens[0]).toMatchObject({ email, link: null });
    expect((await hitsOf(key, projectId)).text).toContain(`,${email}`);
    const { people, deniedPeople } = (await get(`/v1/projects/${projectId}`, key)).json.data;
    expect({ people, deniedPeople }).toEqual({ people: [email], deniedPeople: [] });
    const { visitors } = await visitorsOf(projectId);
    expect(visitors).toEqual([expect.objectContaining({ email })]);
    const at = `${baseUrl}/v1/projects/${projectId}/visitors/${visitors[0].id}`;
    expect((await sendWith(key, at, undefined, 'DELETE')).status).toBe(200);
    expect((await pageOf(url, cookie)).status).toBe(401);
    expect((await sendWith(key, at, undefined, 'DELETE')).status).toBe(404);
    const again = await provedAt(url, email);
    expect((await pageOf(url, again)).status).toBe(200);
    expect((await pageOf(url, cookie)).status).toBe(401);
    expect((await pageOf(url, await ownersCookie(key, projectId, baseUrl))).status).toBe(200);
    expect(await hasAccount(email)).toBe(false);
    await signIn(email);
    expect(await hasAccount(email)).toBe(true);
  });

  test('answers the same to addresses on the list, off the list and denied', async () => {
    const [listed, unlisted] = [anEmail(), anEmail()];
    const denied = `denied@${listed.split('@')[1]}`;
    const { url } = await aSite({
      access: 'people',
      people: `${listed},@${listed.split('@')[1]}`,
      deniedPeople: denied,
    });
    const emails = [listed, `x${unlisted.replace('@', '@other.')}`, denied];
    const asked = await Promise.all(
      emails.map((email) => askForCode(url, email, { from: somebody() })),
    );
    const pages = asked.map((page, at) => sameOf(page, emails[at] ?? ''));
    expect(pages[0]?.status).toBe(200);
    expect(pages[1]).toEqual(pages[0]);
    expect(pages[2]).toEqual(pages[0]);
    const guesses = await Promise.all(
      asked.map((page) => enterCode(url, page, '000000', { from: somebody() })),
    );
    const wrong = guesses.map((page, at) => sameOf(page, emails[at] ?? ''));
    expect(wrong[0]?.status).toBe(401);
    expect(wrong[1]).toEqual(wrong[0]);
    expect(wrong[2]).toEqual(wrong[0]);
    const subjects = await Promise.all(
      emails.map(async (email) => (await mailsTo(email))[0].subject),
    );
    expect(subjects.map((subject) => /^\d{6} opens /.test(subject))).toEqual([true, false, false]);
  });

  test('lets whoever has the mail in with its long code, from another browser', async () => {
    const email = anEmail();
    const { url } = await created(await signIn(), {
      files,
      fields: { access: 'people', people: email },
    });
    await askForCode(url, email, { from: somebody() });
    const [mail] = await mailsTo(email);
    const longCode = /(?:[b-z]{4}-){5}[b-z]{4}/.exec(mail.text)?.[0] ?? '';
    const page = { text: `name="email" value="${email}"` };
    const wrong = await enterCode(url, page, `bcdf${longCode.slice(4)}`);
    expect([wrong.status, wrong.text.includes('Long code from the e-mail')]).toEqual([401, true]);
    const entered = await enterCode(url, page, longCode);
    expect(entered.status).toBe(303);
    expect((await pageOf(url, cookieFrom(entered))).text).toContain('The secret');
  });

  test('shows the field for the long code where too many codes were asked for', async () => {
    const email = anEmail();
    const { url } = await created(await signIn(), {
      files,
      fields: { access: 'people', people: email },
    });
    for (let one = 0; one < 5; one += 1) await askForCode(url, email, { from: somebody() });
    const full = await askForCode(url, email, { from: somebody() });
    expect([full.status, codeForm(full)]).toEqual([429, { token: '', email }]);
    expect(full.text).toContain('Enter the long code from an e-mail of today');
    expect(Number(full.headers['retry-after'])).toBeGreaterThan(3500);
  });

  test('keeps the code of a page where too many wrong ones came from one connection', async () => {
    const { url } = await aSite({ access: 'identify' });
    const from = somebody();
    for (let one = 0; one < 6; one += 1) {
      const page = await askForCode(url, anEmail(), { from: somebody() });
      for (let tries = 0; tries < 5; tries += 1) await enterCode(url, page, '000000', { from });
    }
    const email = anEmail();
    const page = await askForCode(url, email, { from: somebody() });
    const code = await codeSentTo(email);
    const full = await enterCode(url, page, code, { from });
    expect([full.status, codeForm(full)]).toEqual([429, codeForm(page)]);
    expect(full.text).toMatch(/wait .* and ask for another code/);
    expect(Number(full.headers['retry-after'])).toBeGreaterThan(0);
    expect((await enterCode(url, full, code, { from: somebody() })).status).toBe(303);
  });

  test('gives one cookie for a code, and lets fifty people in at once', async () => {
    const { projectId, url } = await aSite({ access: 'identify' });
    const from = somebody();
    const emails = Array.from({ length: 50 }, anEmail);
    const pages = await Promise.all(emails.map((email) => askForCode(url, email, { from })));
    expect(new Set(pages.map(({ status }) => status))).toEqual(new Set([200]));
    const codes = await Promise.all(emails.map((email) => codeSentTo(email)));
    const [page, code = ''] = [pages[0], codes[0]];
    if (page === undefined) throw new Error('no page');
    const twice = await Promise.all([1, 2, 3].map(() => enterCode(url, page, code, { from })));
    expect(twice.filter(({ headers }) => headers['set-cookie'] !== undefined).length).toBe(1);
    const rest = pages.slice(1);
    const entered = await Promise.all(
      rest.map((one, at) => enterCode(url, one, codes[at + 1] ?? '', { from: somebody() })),
    );
    expect(entered.filter(({ headers }) => headers['set-cookie'] !== undefined).length).toBe(49);
    expect(await visitorsOf(projectId)).toMatchObject({ nextCursor: null });
    const seen = new Array<string>();
    for (let cursor = ''; ; ) {
      const more = cursor === '' ? '' : `&cursor=${cursor}`;
      const at = `/v1/projects/${projectId}/visitors?limit=20${more}`;
      const { visitors, nextCursor } = (await get(at, key)).json.data;
      seen.push(...visitors.map(({ id }: { id: string }) => id));
      if (nextCursor === null) break;
      cursor = nextCursor;
    }
    expect([seen.length, new Set(seen).size]).toEqual([50, 50]);
  });

  test('a code is for its address and project, and forms of other sites do nothing', async () => {
    const [email, other] = [anEmail(), anEmail()];
    const one = await aSite({ access: 'identify' });
    const two = await aSite({ access: 'identify' });
    const page = await askForCode(one.url, email);
    const code = await codeSentTo(email);
    const elsewhere = await enterCode(two.url, page, code);
    expect([elsewhere.status, elsewhere.headers['set-cookie']]).toEqual([401, undefined]);
    const stolen = { text: page.text.replaceAll(email, other) };
    expect((await enterCode(one.url, stolen, code)).headers['set-cookie']).toBeUndefined();
    const crossSite = { headers: { 'sec-fetch-site': 'cross-site' } };
    const forged = await enterCode(one.url, page, code, crossSite);
    expect([forged.status, forged.headers['set-cookie']]).toEqual([303, undefined]);
    const before = (await mailsTo(other)).length;
    expect((await askForCode(one.url, other, crossSite)).status).toBe(303);
    expect((await mailsTo(other)).length).toBe(before);
    expect(codeForm(page).email).toBe(email);
  });

  test.each(['', 'anna', 'anna@', '@example.org', `${'a'.repeat(250)}@example.org`, 'a b@x.org'])(
    'asks again for what is no address: %j',
    async (email) => {
      const { url } = await aSite({ access: 'identify' });
      expect((await askForCode(url, email)).status).toBe(400);
    },
  );
});

local('the list', () => {
  test.each([
    ['people without a list', { access: 'people' }, 'people'],
    ['an empty list', { access: 'people', people: [] }, 'people'],
    ['no address', { people: ['anna'] }, 'people.0'],
    ['a domain without an @', { people: ['example.org'] }, 'people.0'],
    ['a name of one label', { people: ['@localhost'] }, 'people.0'],
    [
      'more than 500',
      { people: Array.from({ length: 501 }, (_, at) => `a${at}@example.org`) },
      'people',
    ],
    [
      'more than the plan has',
      { people: Array.from({ length: 251 }, (_, at) => `a${at}@example.org`) },
      'people',
    ],
  ])('is refused: %s', async (_, body, path) => {
    const { projectId } = await aSite({});
    const answer = await patch(key, projectId, body);
    expect([answer.status, answer.json.code]).toEqual([422, 'VALIDATION_FAILED']);
    expect(answer.json.details[0].path).toBe(path);
  });

  test('keeps what is not sent, and goes with a copy', async () => {
    const email = anEmail();
    const { projectId } = await aSite({ access: 'people', people: email });
    await patch(key, projectId, { deniedPeople: ['Bo@Example.org', 'bo@example.org'] });
    const shown = (await get(`/v1/projects/${projectId}`, key)).json.data;
    expect(shown).toMatchObject({ people: [email], deniedPeople: ['bo@example.org'] });
    const emptied = await patch(key, projectId, { people: [] });
    expect(emptied.status).toBe(422);
    const copied = await sendWith(key, `${baseUrl}/v1/projects/${projectId}/duplicate`, {});
    const copy = copied.json.data;
    expect((await get(`/v1/projects/${copy.projectId}`, key)).json.data).toMatchObject({
      access: 'people',
      people: [email],
      deniedPeople: ['bo@example.org'],
    });
    expect((await pageOf(copy.url, await provedAt(copy.url, email))).status).toBe(200);
  });
});

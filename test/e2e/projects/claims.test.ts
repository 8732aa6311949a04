import { beforeAll, describe, expect, test } from '@jest/globals';
import { anEmail, codeSentTo, get, signIn } from '../../fixtures/accounts/accounts.ts';
import {
  type Answer,
  ask,
  baseUrl,
  file,
  isLocal,
  somebody,
} from '../../fixtures/clouds/client.ts';
import { claim, expectNoSite, remove, temporary, usage } from '../../fixtures/projects/projects.ts';
import { expectNoInsides, expectRefusal } from '../../fixtures/clouds/refusals.ts';

// The codes are read from the local inbox.
const local = isLocal ? describe : describe.skip;
const unknown = 'A'.repeat(43);

let key = '';
beforeAll(async () => {
  if (isLocal) key = await signIn();
});

local('POST /v1/projects/claim/{claimToken}', () => {
  test('makes a project permanent during a trial: counted, listed, at its address', async () => {
    const own = await signIn();
    const temp = await temporary([file('index.html', 'hello'), file('a.txt', 'x')]);
    const answer = await claim(own, temp.claimToken);
    expect(answer.status).toBe(200);
    const { projectId, slug, url } = temp;
    expect(answer.json).toEqual({
      status: 'success',
      data: { projectId, slug, url, expiresAt: null },
    });
    expect(await usage(own)).toEqual({ projects: 1, bytes: 6 });
    const { data } = (await get(`/v1/projects/${projectId}`, own)).json;
    expect(data).toMatchObject({ id: projectId, slug, url, status: 'public', noIndex: false });
    expect(data).toMatchObject({ access: 'public', expiresAt: null, archivedAt: null });
    const { version, bytes, fileCount, ...listed } = data;
    expect((await get('/v1/projects', own)).json.data.projects).toEqual([listed]);
    expect([version, bytes, fileCount]).toEqual([1, 6, 2]);
    const page = await ask(url);
    expect([page.status, page.text]).toEqual([200, 'hello']);
    expect(page.headers['x-robots-tag']).not.toBe('noindex');
    expect((await remove(own, projectId)).json.data).toEqual({ deleted: true });
    await expectNoSite(url, ['/', '/a.txt']);
    expect(await usage(own)).toEqual({ projects: 0, bytes: 0 });
  });

  test('keeps the title that the page has', async () => {
    const { projectId, claimToken } = await temporary([file('index.html', '<title>Fair</title>')]);
    expect((await claim(key, claimToken)).status).toBe(200);
    expect((await get(`/v1/projects/${projectId}`, key)).json.data.title).toBe('Fair');
  });

  test('removes noindex from a site that the edge has cached', async () => {
    const { url, claimToken } = await temporary([file('index.html', 'hello'), file('a.css', 'x')]);
    for (const path of ['/', '/a.css']) {
      expect((await ask(url + path)).headers['x-robots-tag']).toBe('noindex');
    }
    expect((await claim(key, claimToken)).status).toBe(200);
    for (const path of ['/', '/a.css']) {
      expect((await ask(url + path)).headers['x-robots-tag']).not.toBe('noindex');
    }
  });

  test('answers 409 the second time, to the new owner and to others, and changes nothing', async () => {
    const { claimToken, projectId } = await temporary();
    expect((await claim(key, claimToken)).status).toBe(200);
    const before = await usage(key);
    const stranger = await signIn();
    for (const apiKey of [key, stranger]) {
      expectRefusal(await claim(apiKey, claimToken), 409, 'ALREADY_CLAIMED');
    }
    expect(await usage(key)).toEqual(before);
    expect(await usage(stranger)).toEqual({ projects: 0, bytes: 0 });
    expectRefusal(await get(`/v1/projects/${projectId}`, stranger), 404, 'NOT_FOUND');
  });

  test.each([
    ['of the right form', unknown],
    ['of one letter', 'x'],
    ['of 5,000 letters', 'A'.repeat(5000)],
    ['that is a NUL', '%00'],
    ['that goes upwards', '..%2F..'],
    ['of an object', '__proto__'],
    ['of a snowman', '%E2%98%83'],
  ])('answers 404 for an unknown token %s', async (_, token) => {
    expectRefusal(await claim(key, token), 404, 'CLAIM_NOT_FOUND');
  });
});

const page = (token: string) => ask(`${baseUrl}/claim/${token}`);
const submit = (token: string, fields: Record<string, string>, from = somebody()) =>
  ask(`${baseUrl}/claim/${token}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
    from,
  });
const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

/** A page of ours that nobody stores, frames or learns the address of. */
function expectPage(answer: Answer, status: number): void {
  expect({ status: answer.status, text: answer.text }).toMatchObject({ status });
  const { headers } = answer;
  expect(headers['content-type']).toBe('text/html; charset=utf-8');
  expect(headers['cache-control']).toContain('no-store');
  expect(headers['referrer-policy']).toBe('no-referrer');
  expect(headers['x-content-type-options']).toBe('nosniff');
  const csp = String(headers['content-security-policy']);
  expect(csp).toContain("default-src 'none'");
  expect(csp).toContain("form-action 'self'");
  expect(csp).toContain("frame-ancestors 'none'");
  expect(csp).toContain("base-uri 'none'");
  expect(csp).not.toMatch(/unsafe|\*|script-src/);
  expect(answer.text).not.toMatch(/<script|\son\w+=/i);
  expectNoInsides(answer.text);
}

local('the claim page', () => {
  test('shows the project, accepts the address, then the code, and claims it', async () => {
    const temp = await temporary([file('My trip.pdf', 'pdf')]);
    const email = anEmail();
    const first = await page(temp.claimToken);
    expectPage(first, 200);
    expect(first.text).toContain('My trip');
    expect(first.text).toContain(temp.url);
    expect(first.text).toContain('name="email"');

    const from = somebody();
    const second = await submit(temp.claimToken, { email }, from);
    expectPage(second, 200);
    expect(second.text).toContain(email);
    expect(second.text).toContain('name="code"');
    const code = await codeSentTo(email);
    expect(second.text).not.toContain(code);

    const mistyped = await submit(temp.claimToken, { email, code: wrong(code) }, from);
    expectPage(mistyped, 401);
    expect(mistyped.text).toMatch(/code is wrong.*Attempts left: 4/);
    const last = await submit(temp.claimToken, {
      email,
      code: `${code.slice(0, 3)} ${code.slice(3)}`,
    });
    expect(last.status).toBe(303);
    expect(last.headers['location']).toBe(`/dashboard/projects/${temp.projectId}#yours`);
    expect(last.headers['referrer-policy']).toBe('no-referrer');
    // No page of ours sent it: it signs nobody in.
    expect(last.headers['set-cookie']).toBeUndefined();

    const own = await signIn(email);
    const { projects } = (await get('/v1/projects', own)).json.data;
    expect(projects).toMatchObject([{ id: temp.projectId, title: 'My trip', expiresAt: null }]);
    expect((await usage(own)).projects).toBe(1);
    for (const used of [await page(temp.claimToken), await submit(temp.claimToken, { email })]) {
      expectPage(used, 409);
      expect(used.text).not.toContain('My trip');
      expect(used.text).not.toContain(email);
    }
  });

  test.each([
    ['no address', {}, 'e-mail'],
    ['an address that is none', { email: 'somebody' }, 'e-mail'],
    ['a code that is none', { email: 'a@example.org', code: '12ab56' }, 'six digits'],
    ['an empty code', { email: 'a@example.org', code: '' }, 'six digits'],
  ])('explains the error for %s', async (_, fields, said) => {
    const { claimToken } = await temporary();
    const answer = await submit(claimToken, fields);
    expectPage(answer, 400);
    expect(answer.text).toContain(said);
  });

  test('escapes the input and the project’s title', async () => {
    const { claimToken } = await temporary([file('<b>bold&amp;.txt', 'x')]);
    const shown = await page(claimToken);
    expectPage(shown, 200);
    expect(shown.text).toContain('&lt;b&gt;bold&amp;amp;');
    const answer = await submit(claimToken, { email: '"><svg onload=alert(1)>' });
    expect(answer.status).toBe(400);
    expect(answer.text).not.toContain('<svg onload');
    expect(answer.text).toContain('&lt;svg onload');
  });

  test.each([
    ['of the right form', unknown],
    ['of words', 'marker-zzz'],
    ['of markup', '%3Cscript%3Emarker-zzz'],
    ['of 3,000 letters', 'A'.repeat(3000)],
  ])('for an unknown token %s answers 404 and does not repeat it', async (_, token) => {
    const email = 'marker-zzz@example.org';
    for (const answer of [await page(token), await submit(token, { email })]) {
      expectPage(answer, 404);
      expect(answer.text).not.toContain('marker-zzz');
      expect(answer.text).not.toContain('AAAA');
    }
  });

  test.each([
    ['JSON', 'application/json', '{"email":"a@example.org"}'],
    ['nothing', 'application/x-www-form-urlencoded', ''],
    ['bytes', 'application/octet-stream', Buffer.from([0, 255, 254, 37, 37])],
  ])('treats a body of %s as a form without an address', async (_, type, body) => {
    const { claimToken } = await temporary();
    const headers = { 'content-type': type };
    expectPage(await ask(`${baseUrl}/claim/${claimToken}`, { method: 'POST', headers, body }), 400);
  });

  test.each(['PUT', 'DELETE', 'PATCH'])('refuses %s', async (method) => {
    const { claimToken, url } = await temporary();
    const { status } = await ask(`${baseUrl}/claim/${claimToken}`, { method });
    expect([403, 404, 405]).toContain(status);
    expect((await ask(url)).status).toBe(200);
  });
});

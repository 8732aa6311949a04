import { describe, expect, test } from '@jest/globals';
import { cookieFrom, ownersCookie, unlock } from '../../fixtures/visits/access.ts';
import { codeSentTo, get, post, sendWith, signIn } from '../../fixtures/accounts/accounts.ts';
import { adminCommand } from '../../fixtures/accounts/admin.ts';
import { Browser } from '../../fixtures/visits/browser.ts';
import { ask, file, sharedCloud } from '../../fixtures/clouds/client.ts';
import { Person } from '../../fixtures/agents/oauth.ts';
import {
  expectOAuthError,
  listTools,
  OAuthApp,
  pkce,
  tokensOf,
} from '../../fixtures/agents/oauth-app.ts';
import { create, created, temporary } from '../../fixtures/projects/projects.ts';
import { expectRefusal } from '../../fixtures/clouds/refusals.ts';
import { linked, uploadTo } from '../../fixtures/uploads/upload-links.ts';

const cloud = sharedCloud;
const admin = (...args: string[]) => adminCommand(...args, '--state-dir', cloud.stateDir);
const done = { code: 0, stderr: '' };
const files = [file('index.html', '<h1>Tides</h1>'), file('style.css', 'body{}')];
const statusOf = async (url: string, cookie = '') =>
  (await ask(url, { headers: cookie === '' ? {} : { cookie } })).status;

/** An account with everything that opens it, and sites of every kind. */
async function anAccount() {
  const service = cloud.baseUrl;
  const person = new Person(service);
  const app = await new OAuthApp(service).register();
  const tokens = await app.connect(person);
  const browser = await new Browser(person.email, service).signIn();
  const key = (await browser.send('POST', '/v1/keys', { name: 'CI' })).json.data.key;
  const make = (fields: Record<string, string> = {}) => created(key, { files, fields, service });
  const [open, locked, own] = [
    await make(),
    await make({ access: 'password', password: 'open sesame' }),
    await make({ access: 'private' }),
  ];
  const visitor = cookieFrom(await unlock(locked.url, 'open sesame'));
  const owner = await ownersCookie(key, own.projectId, service);
  const { uploadUrl, pageUrl } = await linked(key, {}, service);
  const sites = { open, locked, own };
  return {
    person,
    app,
    tokens,
    browser,
    key,
    sites,
    visitor,
    owner,
    uploadUrl,
    pageUrl,
  };
}

/**
 * The responses for visitors of its sites: the page, an asset in the edge's cache, a preview of the
 * address, a ZIP.
 */
async function served({ sites, visitor, owner }: Awaited<ReturnType<typeof anAccount>>) {
  return {
    open: await statusOf(`${sites.open.url}/`),
    asset: await statusOf(`${sites.open.url}/style.css`),
    zip: await statusOf(`${sites.open.url}/_slipway/zip`),
    visitor: await statusOf(`${sites.locked.url}/`, visitor),
    stranger: await statusOf(`${sites.locked.url}/`),
    owner: await statusOf(`${sites.own.url}/`, owner),
    qr: await statusOf(`${cloud.baseUrl}/qr/${sites.open.projectId}.svg`),
  };
}

describe('npm run admin -- suspend', () => {
  test('nothing of an account is served and nobody can sign in, until unsuspend restores everything', async () => {
    const account = await anAccount();
    const { person, app, tokens, browser, key, sites, uploadUrl, pageUrl } = account;
    const { baseUrl } = cloud;
    const before = await served(account);
    expect(before).toMatchObject({ open: 200, asset: 200, visitor: 200, owner: 200, qr: 200 });

    const suspended = await admin('suspend', person.email);
    expect(suspended).toMatchObject(done);
    expect(suspended.stdout).toMatch(/^suspended {3}since 20\S+Z$/m);

    const withheld = Object.fromEntries(Object.keys(before).map((name) => [name, 451]));
    expect(await served(account)).toEqual({ ...withheld, qr: 404 });
    const url = `${baseUrl}/v1/projects/${sites.open.projectId}`;
    for (const refused of [
      await get('/v1/user', key, baseUrl),
      await get('/v1/auth/session', key, baseUrl),
      await create(key, { files, service: baseUrl }),
      await sendWith(key, url, undefined, 'DELETE'),
      await browser.send('GET', '/v1/session'),
      await browser.send('GET', '/v1/keys'),
      await browser.send('DELETE', '/v1/sessions'),
    ]) {
      expectRefusal(refused, 403, 'ACCOUNT_SUSPENDED');
    }
    for (const credential of [key, tokens.access_token]) {
      const answer = await listTools(credential, baseUrl);
      expect([answer.status, answer.json.error?.data?.code]).toEqual([403, 'ACCOUNT_SUSPENDED']);
    }
    expectOAuthError(await app.refresh(tokens.refresh_token), 400, 'access_denied');
    expectRefusal(await uploadTo(uploadUrl, files), 404, 'UPLOAD_LINK_NOT_FOUND');
    expect(await statusOf(pageUrl)).toBe(404);
    const consent = await person.open(app.authorizeUrl(pkce().challenge));
    expect([consent.status, consent.words]).toEqual([
      403,
      expect.stringContaining('This account is suspended'),
    ]);

    expect(await admin('unsuspend', person.email)).toMatchObject(done);
    expect(await served(account)).toEqual(before);
    expect((await get('/v1/user', key, baseUrl)).status).toBe(200);
    expect((await browser.send('GET', '/v1/session')).status).toBe(200);
    expect((await listTools(tokens.access_token, baseUrl)).status).toBe(200);
    tokensOf(await app.refresh(tokens.refresh_token));
    expect((await uploadTo(uploadUrl, files)).status).toBe(200);
  });

  test('a sign-in reports it only after a correct code, and returns nothing', async () => {
    const { email } = await new Browser(undefined, cloud.baseUrl).signIn();
    const service = cloud.baseUrl;
    expect(await admin('suspend', email)).toMatchObject(done);
    const codeRequest = await post('/v1/auth/otp/request', { email }, { service });
    expect(codeRequest.status).toBe(200);
    expect(codeRequest.text).not.toMatch(/suspend/i);
    const code = await codeSentTo(email, service);
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0');
    const guess = await post('/v1/auth/otp/verify', { email, code: wrong }, { service });
    expectRefusal(guess, 401, 'OTP_INVALID');
    const right = await post('/v1/auth/otp/verify', { email, code }, { service });
    expectRefusal(right, 403, 'ACCOUNT_SUSPENDED');
    expect(await admin('unsuspend', email)).toMatchObject(done);
    await signIn(email, service);
  });

  test('accepts an id or an address, explains errors, and can be repeated', async () => {
    const { email } = await new Browser(undefined, cloud.baseUrl).signIn();
    const shown = await admin('account', email);
    const [, id = ''] = /^id +(\S+)$/m.exec(shown.stdout) ?? [];
    const first = await admin('suspend', id);
    expect(first).toMatchObject(done);
    expect((await admin('suspend', email)).stdout).toBe(first.stdout);
    expect((await admin('account', email)).stdout).toBe(first.stdout);
    // The trial has its time back.
    const withoutTrial = (text: string) => text.replace(/^trial ends .*$/m, '');
    const back = await admin('unsuspend', id);
    expect(withoutTrial(back.stdout)).toBe(withoutTrial(shown.stdout));
    expect((await admin('unsuspend', id)).stdout).toBe(back.stdout);
    for (const [args, reason] of [
      [['nobody@example.org'], /has no account/],
      [['11111111-1111-4111-8111-111111111111'], /has no account/],
      [[], /<account> is missing/],
      [['no address'], /is not an e-mail address/],
    ] as const) {
      const { code, stdout, stderr } = await admin('suspend', ...args);
      expect([code, stdout, reason.test(stderr)]).toEqual([1, '', true]);
    }
  });

  test('cannot be bypassed by a claim, nor on the claim page', async () => {
    const person = new Person(cloud.baseUrl);
    await new Browser(person.email, cloud.baseUrl).signIn();
    await admin('suspend', person.email);
    const { claimUrl } = await temporary(files, cloud.baseUrl);
    const first = await person.open(claimUrl);
    const second = await person.submit(first, { email: person.email });
    const code = await codeSentTo(person.email, cloud.baseUrl);
    const page = await person.submit(second, { code });
    expect([page.status, page.words]).toEqual([
      403,
      expect.stringContaining('This account is suspended'),
    ]);
  });
});

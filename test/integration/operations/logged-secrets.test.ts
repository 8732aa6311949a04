import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  anEmail,
  codeSentTo,
  get,
  mailsTo,
  post,
  sendWith,
} from '../../fixtures/accounts/accounts.ts';
import {
  cookieFrom,
  pressOwnerButton,
  redeem,
  unlock,
  createOwnerLink,
} from '../../fixtures/visits/access.ts';
import { follow, press, shared } from '../../fixtures/visits/share-links.ts';
import { Browser } from '../../fixtures/visits/browser.ts';
import { ask, file } from '../../fixtures/clouds/client.ts';
import { LocalCloud } from '../../fixtures/clouds/local-cloud.ts';
import { leakedSecrets } from '../../fixtures/clouds/leaked-secrets.ts';
import { postMcp, rpc } from '../../fixtures/agents/mcp.ts';
import { OAuthApp, tokensOf } from '../../fixtures/agents/oauth-app.ts';
import { Person } from '../../fixtures/agents/oauth.ts';
import { preview } from '../../fixtures/projects/preview.ts';
import { claim, created, temporary } from '../../fixtures/projects/projects.ts';
import { linked, sentByLink, uploadTo } from '../../fixtures/uploads/upload-links.ts';
import { sent } from '../../fixtures/uploads/uploads.ts';
import { Receiver } from '../../fixtures/webhooks/receiver.ts';

const cloud = new LocalCloud();

/** Everything that was given out and grants something, by what it is. */
const secrets = new Map<string, string>();
/** Addresses that hold one of them. */
const links: string[] = [];

function keep(what: string, secret: string | null | undefined): string {
  if (typeof secret !== 'string' || secret.length < 6) throw new Error(`no ${what}: ${secret}`);
  secrets.set(what, secret);
  return secret;
}

/** Opens an address that grants something in every way that is not meant for it, before it is used. */
async function misuse(url: string): Promise<void> {
  links.push(url);
  const [plain = ''] = url.split('?', 1);
  const tries: [string, string][] = [
    ['HEAD', url],
    ['PUT', url],
    ['OPTIONS', url],
    ['GET', `${plain}/more`],
    ['DELETE', `${plain}/`],
    ['GET', `${cloud.baseUrl}/nowhere?token=${plain.split('/').at(-1)}`],
  ];
  for (const [method, at] of tries) await ask(at, { method });
}

async function signInToEverything(): Promise<{ apiKey: string; browser: Browser }> {
  const service = cloud.baseUrl;
  const email = anEmail();
  const codeRequest = await post('/v1/auth/otp/request', { email }, { service });
  const attemptToken = keep('attempt token', codeRequest.json.data.attemptToken);
  const code = keep('code of a sign-in', await codeSentTo(email, service));
  const [{ text }] = await mailsTo(email, service);
  const longCode = keep('long code', /\b[a-z]{4}(?:-[a-z]{4}){5}\b/.exec(text)?.[0]);
  for (const proof of [attemptToken, longCode, `${longCode}x`]) {
    const wrong = { email, code: '000000', attemptToken: proof };
    await post('/v1/auth/otp/verify', wrong, { service });
  }
  const verified = await post('/v1/auth/otp/verify', { email, code, attemptToken }, { service });
  const apiKey = keep('API key', verified.json.data.apiKey);
  const browser = await new Browser(email, service).signIn();
  for (const cookie of browser.cookie.split('; ')) {
    keep(`cookie ${cookie.split('=')[0]}`, cookie.split('=')[1]);
  }
  keep('dashboard key', (await browser.send('POST', '/v1/keys', { name: 'CI' })).json.data.key);
  await browser.send('GET', '/v1/session');
  await get('/v1/user', `${apiKey}x`, service);
  await ask(`${service}/v1/nowhere`, { headers: { authorization: `Bearer ${apiKey}` } });
  return { apiKey, browser };
}

async function claimOne(apiKey: string): Promise<void> {
  const service = cloud.baseUrl;
  const { claimToken, claimUrl } = await temporary(undefined, service);
  keep('claim token', claimToken);
  await misuse(claimUrl);
  await ask(claimUrl);
  await claim(undefined, claimToken, service);
  expect((await claim(apiKey, claimToken, service)).status).toBe(200);
  await claim(apiKey, claimToken, service);
  await ask(claimUrl);
}

async function useUploadLinks(apiKey: string): Promise<void> {
  const service = cloud.baseUrl;
  const { uploadUrl, pageUrl } = await linked(apiKey, { title: 'By link' }, service);
  keep('upload link', pageUrl.split('/').at(-1));
  await misuse(pageUrl);
  await misuse(uploadUrl);
  await ask(pageUrl);
  expect((await uploadTo(uploadUrl, [file('index.html')])).status).toBe(200);
  await ask(pageUrl);
  const other = await linked(apiKey, { title: 'Large' }, service);
  keep('upload link of a large upload', other.uploadUrl.split('/').at(-1));
  await sentByLink(other.uploadUrl, [{ path: 'index.html', bytes: Buffer.from('x') }]);
}

async function signStorage(apiKey: string): Promise<void> {
  const service = cloud.baseUrl;
  const idempotencyKey = keep('idempotency key', `key-${randomBytes(20).toString('hex')}`);
  const begun = await ask(`${service}/v1/uploads`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${apiKey}`,
      'idempotency-key': idempotencyKey,
    },
    body: JSON.stringify({ archive: { size: 3 } }),
  });
  const { url } = begun.json.data.parts[0];
  keep('signature of an upload', new URL(url).searchParams.get('X-Amz-Signature'));
  await ask(url, { method: 'PUT', body: 'four' });
  await ask(url, { method: 'PUT', body: 'abc' });
  await sent({ 'index.html': 'x' }, { apiKey, service });
  const { data } = (await get('/v1/account/export', apiKey, service)).json;
  const exported = data.projects[0].versions[0].files[0].url;
  const [, , , token = ''] = new URL(exported).pathname.split('/');
  keep('signature of an export', token.split('.')[1]);
  await ask(exported);
  await misuse(exported);
}

async function lookAtSites(apiKey: string): Promise<void> {
  const service = cloud.baseUrl;
  const password = keep('visitor password', `sesame ${randomBytes(6).toString('hex')}`);
  const { projectId, url } = await created(apiKey, {
    fields: { access: 'password', password },
    files: [file('index.html')],
    service,
  });
  await unlock(url, `${password}!`);
  const cookie = cookieFrom(await unlock(url, password));
  keep('cookie of a visitor', cookie.split('=')[1]);
  await ask(url, { headers: { cookie } });

  const version = (await preview(apiKey, projectId, 1, service)).json.data.url;
  keep('preview', version.split('/').at(-1));
  await misuse(version);
  const preview1 = cookieFrom(await ask(version));
  await ask(url, { headers: { cookie: `${cookie}; ${preview1}` } });

  const owner = (await createOwnerLink(apiKey, projectId, service)).json.data.url;
  keep('owner link', owner.split('/').at(-1));
  await misuse(owner);
  await ask(owner, { headers: { 'user-agent': 'WhatsApp/2.23.20.0' } });
  const ownerCookie = cookieFrom(await redeem(owner));
  keep('cookie of an owner', ownerCookie.split('=')[1]);
  await ask(url, { headers: { cookie: ownerCookie } });
  await pressOwnerButton(owner);

  const linkPassword = keep('password of a share link', `sesame ${randomBytes(6).toString('hex')}`);
  const link = await shared(apiKey, projectId, { password: linkPassword, maxOpens: 2 }, service);
  keep('share link', link.url.split('/').at(-1));
  await misuse(link.url);
  await follow(link.url);
  await press(link.url, { password: `${linkPassword}!` });
  const shareCookie = cookieFrom(await press(link.url, { password: linkPassword }));
  keep('cookie of a share link', shareCookie.split('=')[1]);
  await follow(`${url}/`, shareCookie);
  await follow(`${url}/_slipway/share?to=%2F`, shareCookie);
}

async function connectAnApp(): Promise<void> {
  const service = cloud.baseUrl;
  const app = await new OAuthApp(service, 'client_secret_basic').register();
  keep('secret of a client', app.clientSecret);
  const state = keep('state', `state-${randomBytes(12).toString('hex')}`);
  const person = new Person(service);
  const grant = await app.codeFrom(person, { state });
  keep('authorization code', grant.code);
  keep('verifier', grant.verifier);
  const sessions = Object.entries(person.cookies);
  for (const [name, value] of sessions) keep(`cookie ${name}`, value);
  await app.exchange(grant, { code_verifier: 'x'.repeat(43) });
  const again = await app.codeFrom(person, { state });
  const first = tokensOf(await app.exchange(again));
  keep('access token', first.access_token);
  keep('refresh token', first.refresh_token);
  await app.exchange(again);
  const more = tokensOf(await app.exchange(await app.codeFrom(person)));
  const next = tokensOf(await app.refresh(more.refresh_token));
  keep('later access token', next.access_token);
  await postMcp(rpc('tools/list'), { apiKey: next.access_token, service });
  await postMcp(rpc('tools/list'), { apiKey: `${next.access_token}x`, service });
  await app.revoke(next.refresh_token);
}

/** Sends events to an address that grants something, as those of chats do: it answers, fails, hangs up, and is gone. */
async function useWebhooks(apiKey: string): Promise<void> {
  const service = cloud.baseUrl;
  const receiver = await new Receiver().start();
  const path = keep('address of a webhook', `in-${randomBytes(16).toString('hex')}`);
  const url = `${receiver.url}/${path}?key=${path}`;
  const hook = (way = '', body: object = {}, method = 'POST') =>
    sendWith(apiKey, `${service}/v1/webhooks${way}`, body, method);
  const { id, secret } = (await hook('', { url, events: ['version.published'] })).json.data;
  keep('secret of a webhook', secret);
  keep('new secret of a webhook', (await hook(`/${id}/rotate-secret`)).json.data.secret);
  const answers: Receiver['answer'][] = [
    (response) => response.writeHead(204).end(),
    (response) => response.writeHead(500).end('no'),
    (response) => response.destroy(),
  ];
  for (const answer of answers) {
    receiver.answer = answer;
    await hook(`/${id}/test`);
    await cloud.advance(1);
  }
  expect(receiver.got).toHaveLength(3);
  await receiver.close();
  await hook(`/${id}/test`);
  await cloud.advance(1);
  const refused = await hook(`/${id}`, { url: `http://example.org/${path}` }, 'PATCH');
  expect(refused.status).toBe(422);
}

/** Everything that was given out, asked for once more while the tables are gone. */
async function fail(apiKey: string): Promise<void> {
  const service = cloud.baseUrl;
  const engine = Number(readFileSync(join(cloud.stateDir, 'dynamodb', 'engine.pid'), 'utf8'));
  process.kill(engine, 'SIGKILL');
  for (const url of links) await ask(url);
  expect((await get('/v1/user', apiKey, service)).status).toBe(503);
  await claim(apiKey, secrets.get('claim token') ?? '', service);
  await sendWith(apiKey, `${service}/v1/upload-links`, { title: 'x' });
  const url = `https://hooks.example.org/${secrets.get('address of a webhook')}`;
  await sendWith(apiKey, `${service}/v1/webhooks`, { url, events: ['version.published'] });
  await postMcp(rpc('tools/list'), { apiKey: secrets.get('later access token'), service });
}

/** Everything that is stored. */
let rows = '';

/** The values of the installation's own secrets, at any depth of their file. */
function valuesIn(kept: unknown): string[] {
  if (typeof kept !== 'object' || kept === null) return [];
  return Object.entries(kept).flatMap(([name, value]) =>
    name === 'value' && typeof value === 'string' ? [value] : valuesIn(value),
  );
}

beforeAll(async () => {
  await cloud.start();
  const { apiKey } = await signInToEverything();
  await claimOne(apiKey);
  await useUploadLinks(apiKey);
  await lookAtSites(apiKey);
  await signStorage(apiKey);
  await connectAnApp();
  await useWebhooks(apiKey);
  await cloud.maintain();
  rows = (await ask(`${cloud.baseUrl}/_local/state`)).text;
  await fail(apiKey);
}, 600_000);
afterAll(() => cloud.remove());

function found(text: string): string[] {
  return [...secrets].filter(([, secret]) => text.includes(secret)).map(([what]) => what);
}

describe('no secrets in traces and logs', () => {
  test('every kind of token was issued, used and misused', () => {
    expect([...secrets.keys()]).toEqual(
      expect.arrayContaining([
        'claim token',
        'preview',
        'owner link',
        'share link',
        'upload link',
        'authorization code',
        'signature of an upload',
        'address of a webhook',
        'new secret of a webhook',
      ]),
    );
    expect(links.length).toBe(7);
  });

  test('the access log and the function logs were written', () => {
    const lines = cloud.written.split('\n').filter((line) => line.startsWith('{'));
    const logged = lines.map((line) => JSON.parse(line));
    const routes = new Set(logged.map(({ route }) => route));
    for (const route of [
      '/claim/{claimToken}',
      '/upload/{token}',
      '/_slipway/preview/{token}',
      '/_slipway/owner/{token}',
      '/_slipway/share/{token}',
      '/_slipway/share',
      '/_slipway/owner',
      '/oauth/token',
    ]) {
      expect(routes).toContain(route);
    }
    // Lines of the access log: wrong methods and addresses that do not exist.
    const refusals = logged.filter(({ status }) => status === '404' || status === '405');
    expect(refusals.length).toBeGreaterThan(10);
    const failures = logged.filter(({ message }) => message === 'request failed');
    expect(failures.length).toBeGreaterThan(5);
    // The request id in a response leads to the log line with the cause, and to the gateway's line.
    for (const { requestId } of failures) {
      const ofOne = logged.filter((line) => line.requestId === requestId);
      expect(ofOne.map(({ message }) => message)).toEqual(['request failed', 'served', undefined]);
      expect(ofOne.at(-1)).toMatchObject({ status: '503', resource: expect.any(String) });
    }
    // Stack traces name the lines of the sources, not of the bundles.
    const traces = failures.map(({ error }) => error.stack);
    expect(traces).toContainEqual(
      expect.stringMatching(/\((?:adapters|core|lambdas)\/[\w/-]+\.ts:\d+:\d+\)/),
    );
    for (const { error } of failures) {
      expect(error.stack).not.toContain('.mjs:');
      expect([error.name, error.message]).toEqual([expect.any(String), expect.any(String)]);
      expect(error.cause?.stack ?? '').not.toContain('.mjs:');
    }
  });

  test('they contain no issued token', () => {
    expect(found(cloud.written)).toEqual([]);
    expect(leakedSecrets(cloud.written)).toEqual([]);
  });

  test('they contain no secret of the service', () => {
    const kept = JSON.parse(readFileSync(join(cloud.stateDir, 'secrets.json'), 'utf8'));
    const own = valuesIn(kept).map((value) => value.replace(/-----[^-]+-----/g, '').trim());
    expect(own.length).toBeGreaterThanOrEqual(4);
    for (const value of own) {
      expect(value.length).toBeGreaterThanOrEqual(16);
      expect(cloud.written.includes(value.slice(0, 60))).toBe(false);
    }
  });

  test('no row, object key or queue message contains one, except what sending to a webhook needs', () => {
    expect(rows.length).toBeGreaterThan(1000);
    expect(found(rows)).toEqual([
      'address of a webhook',
      'secret of a webhook',
      'new secret of a webhook',
    ]);
  });
});

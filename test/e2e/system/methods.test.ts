import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Operation } from '../../../contract/operation.ts';
import { examplePath } from '../../../contract/operation-parts.ts';
import { operations } from '../../../contract/operations.ts';
import { signIn } from '../../fixtures/accounts/accounts.ts';
import { type Answer, ask, baseUrl, file, isLocal } from '../../fixtures/clouds/client.ts';
import { expectRefusal } from '../../fixtures/clouds/refusals.ts';
import { created } from '../../fixtures/projects/projects.ts';
import { Browser } from '../../fixtures/visits/browser.ts';

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const foreign = { origin: 'https://elsewhere.example' };

/** A path and what its `Allow` must list; computed from the operations, as a client would. */
interface KnownPath {
  url: string;
  allowed: string[];
  auths: Operation['auth'][];
}

const byPath = new Map<string, KnownPath>();
for (const operation of operations) {
  const { path, method, auth } = operation;
  const known = byPath.get(path) ?? {
    url: examplePath(operation),
    allowed: ['OPTIONS'],
    auths: [],
  };
  known.allowed.push(method, ...(method === 'GET' ? ['HEAD'] : []));
  known.auths.push(auth);
  byPath.set(path, known);
}
const known = [...byPath];

/** Pages of the app and their forms. */
const pages: [path: string, allow: string][] = [
  ['/', 'GET, HEAD, OPTIONS'],
  ['/docs', 'GET, HEAD, OPTIONS'],
  ['/docs/getting-started', 'GET, HEAD, OPTIONS'],
  ['/robots.txt', 'GET, HEAD, OPTIONS'],
  ['/claim/unknown', 'GET, HEAD, POST, OPTIONS'],
  ['/account/keep/unknown', 'GET, HEAD, POST, OPTIONS'],
  ['/mails/stop/unknown', 'GET, HEAD, POST, OPTIONS'],
  ['/upload/unknown', 'GET, HEAD, POST, OPTIONS'],
  ['/oauth/authorize', 'GET, HEAD, POST, OPTIONS'],
  ['/oauth/connections', 'GET, HEAD, OPTIONS'],
];

const send = (method: string, path: string, headers: Record<string, string> = {}) =>
  ask(`${baseUrl}${path}`, { method, headers });
const allowOf = ({ headers }: Answer) => String(headers['allow']).split(', ').toSorted();
const isOpen = ({ auths }: KnownPath) =>
  auths.some((auth) => auth === 'key' || auth === 'key-only' || auth === 'optional');

/** A response that pages of other origins may read, though not with cookies, or one that they may not. */
function expectOpen({ headers }: Answer, open: boolean): void {
  expect(headers['access-control-allow-origin']).toBe(open ? '*' : undefined);
  expect(headers).not.toHaveProperty('access-control-allow-credentials');
}

describe('point 4: a wrong method', () => {
  test.each(known)(
    'at %s is 405 and names the right ones, as JSON for everybody',
    async (_, path) => {
      for (const method of methods.filter((one) => !path.allowed.includes(one))) {
        // A PUT to `…/uploads` of an upload link would otherwise be a file of that name.
        const headers = { ...browser, 'content-type': 'application/json' };
        const answer = await send(method, path.url, headers);
        if (method !== 'HEAD') expectRefusal(answer, 405, 'METHOD_NOT_ALLOWED');
        expect([method, answer.status]).toEqual([method, 405]);
        expect([method, allowOf(answer)]).toEqual([method, path.allowed.toSorted()]);
        expectOpen(answer, isOpen(path));
      }
    },
  );

  test.each(pages)(
    'at the page %s is a page for browsers, JSON for programs',
    async (path, allow) => {
      const page = await send('PUT', path, browser);
      expect([page.status, page.headers['allow']]).toEqual([405, allow]);
      expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(page.text).toContain('<p class="status">405</p>');
      expectRefusal(await send('PUT', path), 405, 'METHOD_NOT_ALLOWED');
      expectOpen(page, false);
    },
  );

  test('at an address that does not exist is still 404', async () => {
    for (const method of methods) {
      expect([method, (await send(method, '/nothing')).status]).toEqual([method, 404]);
      expect([method, (await send(method, '/v1/nothing')).status]).toEqual([method, 404]);
    }
  });
});

describe('point 4: OPTIONS', () => {
  test.each(known)('%s says which methods there are', async (_, path) => {
    const answer = await send('OPTIONS', path.url, {
      ...foreign,
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'authorization,idempotency-key',
    });
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(allowOf(answer)).toEqual(path.allowed.toSorted());
    expectOpen(answer, isOpen(path));
    const preflight = isOpen(path) && path.allowed.filter((method) => method !== 'OPTIONS');
    const granted = answer.headers['access-control-allow-methods'];
    expect(granted?.split(',').toSorted()).toEqual(preflight ? preflight.toSorted() : undefined);
    expect(answer.headers['access-control-allow-headers']).toBe(
      preflight
        ? 'Authorization,Content-Type,Accept,Idempotency-Key,Content-Disposition,X-Filename'
        : undefined,
    );
  });

  test.each(pages)('%s says so too, and opens nothing', async (path, allow) => {
    const answer = await send('OPTIONS', path, foreign);
    expect([answer.status, answer.headers['allow']]).toEqual([204, allow]);
    expect(Object.keys(answer.headers).join()).not.toContain('access-control');
  });
});

describe('point 4: whatever media type it has, OPTIONS', () => {
  test.each([...known.map(([path, { url }]) => [path, url] as const), ['/mcp', '/mcp'] as const])(
    '%s says which methods there are',
    async (_, path) => {
      const { status } = await send('OPTIONS', path, { 'content-type': 'text/plain' });
      expect(status).toBe(204);
    },
  );
});

/** Headers that differ between two requests, or that describe a body. */
const ofOneRequest =
  /^(?:date|age|x-request-id|x-amz|x-cache|x-amzn|content-length|transfer-|ratelimit-)/;
const comparable = ({ headers }: Answer) =>
  Object.entries(headers).filter(([name]) => !ofOneRequest.test(name));

async function expectHeadLikeGet(path: string, headers: Record<string, string> = {}) {
  const get = await send('GET', path, headers);
  const head = await send('HEAD', path, headers);
  expect([path, head.status, head.body.length]).toEqual([path, get.status, 0]);
  expect(Object.fromEntries(comparable(head))).toEqual(Object.fromEntries(comparable(get)));
  return get;
}

describe('point 4: HEAD', () => {
  const reads = operations.filter(({ method }) => method === 'GET');

  test.each(reads.map((operation) => [operation.path, examplePath(operation)] as const))(
    'of %s is its GET without the body, also of a refusal',
    async (_, path) => {
      await expectHeadLikeGet(path);
    },
  );

  test.each(pages)('of the page %s is its GET without the body', async (path) => {
    await expectHeadLikeGet(path, browser);
  });

  test.each([
    '/.well-known/oauth-authorization-server',
    '/.well-known/oauth-protected-resource/mcp',
    '/.well-known/security.txt',
    '/.well-known/nothing',
    '/docs/nothing',
    '/nothing',
    '/favicon.ico',
    '/mcp',
  ])('of %s is its GET without the body', async (path) => {
    await expectHeadLikeGet(path);
  });
});

// Codes are read from the local inbox.
(isLocal ? describe : describe.skip)('point 4: with a credential', () => {
  let key: string;
  let projectId: string;
  beforeAll(async () => {
    key = await signIn();
    projectId = (await created(key)).projectId;
  });
  const withKey = () => ({ authorization: `Bearer ${key}`, ...foreign });

  test('a key reads with HEAD what it reads with GET', async () => {
    for (const path of [
      '/v1/user',
      '/v1/auth/session',
      '/v1/projects',
      `/v1/projects/${projectId}`,
      `/v1/projects/${projectId}/status`,
      `/v1/projects/${projectId}/analytics`,
      `/v1/projects/${projectId}/analytics/hits.csv`,
      `/qr/${projectId}.png`,
      `/qr/${projectId}.svg`,
    ]) {
      expect([path, (await expectHeadLikeGet(path, withKey())).status]).toEqual([path, 200]);
    }
  });

  test('a page of another origin reads responses to its key, refusals included', async () => {
    const statuses: number[] = [];
    for (const [method, path, headers] of [
      ['GET', '/v1/user', withKey()],
      ['GET', '/v1/user', foreign],
      ['GET', `/v1/projects/${key}`, withKey()],
      ['POST', '/v1/projects', { ...withKey(), 'content-type': 'text/plain' }],
      ['PATCH', `/v1/projects/${projectId}`, withKey()],
    ] as const) {
      const answer = await send(method, path, headers);
      statuses.push(answer.status);
      expectOpen(answer, true);
      const exposed = String(answer.headers['access-control-expose-headers']).split(', ');
      expect(exposed).toEqual(expect.arrayContaining(['Retry-After', 'X-Request-Id', 'Allow']));
    }
    expect(statuses).toEqual([200, 401, 404, 415, 422]);
  });

  test('a page of another origin gets nothing from a session’s cookie', async () => {
    const somebody = await new Browser().signIn();
    const read = await somebody.send('GET', '/v1/keys', undefined, { headers: foreign });
    expect(read.status).toBe(200);
    expectOpen(read, false);
    const name = { name: 'stolen' };
    const write = await somebody.send('POST', '/v1/keys', name, { headers: foreign });
    expectRefusal(write, 403, 'ORIGIN_REFUSED');
    expectOpen(write, false);
    const head = await somebody.send('HEAD', '/v1/keys', undefined, { headers: foreign });
    expect([head.status, head.body.length]).toEqual([200, 0]);
    // Where a key is accepted too, no page of another origin may read the answer to a cookie.
    const user = await somebody.send('GET', '/v1/user', undefined, { headers: foreign });
    expectOpen(user, true);
    const pushed = await somebody.send('POST', '/v1/workspaces', name, { headers: foreign });
    expectRefusal(pushed, 403, 'ORIGIN_REFUSED');
  });

  test('Allow of a form on a site names the methods that do not get 405', async () => {
    const { url } = await created(key, { files: [file('index.html', 'x')] });
    for (const path of ['unlock', 'open', 'owner', 'report', 'cleared', 'preview/off']) {
      const address = `${url}/_slipway/${path}`;
      const refused = await ask(address, { method: 'PUT' });
      const allow = String(refused.headers['allow']).split(', ');
      for (const method of ['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS']) {
        const { status, headers } = await ask(address, { method });
        expect([path, method, status !== 405]).toEqual([path, method, allow.includes(method)]);
        if (status === 405) expect(headers['allow']).toBe(refused.headers['allow']);
      }
    }
  });

  test('a wrong method changes nothing, with a key either', async () => {
    const before = (await send('GET', `/v1/projects/${projectId}`, withKey())).json;
    for (const path of [
      `/v1/projects/${projectId}/archive`,
      `/v1/projects/${projectId}/view-link`,
    ]) {
      for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE']) {
        expect((await send(method, path, withKey())).status).toBe(405);
      }
    }
    expect((await send('GET', `/v1/projects/${projectId}`, withKey())).json).toEqual(before);
  });
});

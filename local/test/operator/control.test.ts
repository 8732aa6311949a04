import { describe, expect, test } from '@jest/globals';
import { control, type ControlDeps, isControlRequest } from '../../operator/control.ts';
import { zoneStore } from '../../dns/zone-store.ts';
import type { HttpRequest } from '../../http/http.ts';
import { temporaryFolder } from '../temporary-folder.ts';

function aRequest(change: Partial<HttpRequest> = {}): HttpRequest {
  return {
    method: 'GET',
    path: '/_local/',
    query: '',
    headers: { host: 'localhost:8787' },
    body: Buffer.alloc(0),
    viewer: { address: '127.0.0.1', port: 1 },
    ...change,
  };
}

function deps() {
  const did: unknown[] = [];
  const all: ControlDeps = {
    mails: { add: () => undefined, list: (to) => (to === undefined ? [] : (did.push(to), [])) },
    bounce: (address, reason) => did.push(`${reason} ${address}`),
    calls: () => ({}),
    resetCalls: () => did.push('reset'),
    state: async () => ({ dynamodb: {} }),
    advance: async (seconds) => void did.push(seconds),
    now: () => new Date(0),
    maintain: async () => void did.push('maintain'),
    invalidate: (items) => did.push(items),
    fail: (failure) => did.push(failure),
    dns: {
      resolvers: ['127.0.0.1:5301'],
      zones: zoneStore(temporaryFolder('dns'), 5),
      lookUp: () => ({ rcode: 'NXDOMAIN', answers: [], authorities: [], dnssec: 'unsigned' }),
      forget: () => did.push('forgotten'),
      close: async () => undefined,
    },
  };
  return { all, did };
}

describe('only the app’s host has control endpoints', () => {
  test.each<[boolean, string, string]>([
    [true, 'localhost:8787', '/_local/'],
    [true, '127.0.0.1:8787', '/_local/mail'],
    [true, 'LOCALHOST', '/_local'],
    [false, 'slug.sites.localhost:8787', '/_local/'],
    [false, 'evil.example', '/_local/state'],
    [false, 'localhost:8787', '/_locally'],
  ])('%s: %s%s', (expected, host, path) => {
    expect(isControlRequest(aRequest({ headers: { host }, path }))).toBe(expected);
  });

  test.each([
    [true, '127.0.0.1'],
    [true, '::1'],
    [true, '::ffff:127.0.0.1'],
    [false, '192.168.1.30'],
    [false, '::ffff:192.168.1.30'],
    [false, '1270.0.0.1'],
  ])('%s: for a socket of %s, whatever host it names', (expected, address) => {
    expect(isControlRequest(aRequest({ viewer: { address, port: 1 } }))).toBe(expected);
  });
});

test.each<[string, string, string, unknown]>([
  ['POST', '/_local/clock', '{"advanceSeconds":60}', 60],
  ['POST', '/_local/maintenance', '', 'maintain'],
  ['POST', '/_local/invalidate', '{"items":["#p-1"]}', ['#p-1']],
  ['POST', '/_local/bounce', '{"address":"a@example.org"}', 'BOUNCE a@example.org'],
  ['DELETE', '/_local/calls', '', 'reset'],
])('%s %s works', async (method, path, body, expected) => {
  const { all, did } = deps();
  const answer = await control(all, aRequest({ method, path, body: Buffer.from(body) }));
  expect(answer.status).toBe(200);
  expect(did).toEqual([expected]);
});

test.each<[number, string, Partial<HttpRequest>]>([
  [
    400,
    'a clock that goes back',
    { method: 'POST', path: '/_local/clock', body: Buffer.from('{"advanceSeconds":-1}') },
  ],
  [400, 'no JSON', { method: 'POST', path: '/_local/clock', body: Buffer.from('x') }],
  [404, 'an unknown path', { path: '/_local/else' }],
  [404, 'a wrong method', { method: 'PUT', path: '/_local/mail' }],
  [
    403,
    'a page of another origin',
    {
      method: 'POST',
      path: '/_local/maintenance',
      headers: { host: 'localhost:8787', origin: 'http://slug.sites.localhost:8787' },
    },
  ],
])('answers %d to %s', async (status, _, change) => {
  const { all, did } = deps();
  const answer = await control(all, aRequest(change));
  expect(answer.status).toBe(status);
  expect(JSON.parse(String(Buffer.isBuffer(answer.body) && answer.body))).toMatchObject({
    status: 'error',
    code: expect.any(String),
  });
  expect(did).toEqual([]);
});

test('the inbox can be filtered by address', async () => {
  const { all, did } = deps();
  await control(all, aRequest({ path: '/_local/mail.json', query: 'to=ann%40example.com' }));
  expect(did).toEqual(['ann@example.com']);
});

describe('DNS', () => {
  const form = (fields: Record<string, string>) => ({
    method: 'POST',
    headers: {
      host: 'localhost:8787',
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: Buffer.from(new URLSearchParams(fields).toString()),
  });

  test('records are set and removed as JSON', async () => {
    const { all, did } = deps();
    const body = Buffer.from('{"name":"Customer.com.","type":"TXT","value":"proof"}');
    const request = { path: '/_local/dns/records', body };
    expect((await control(all, aRequest({ ...request, method: 'POST' }))).status).toBe(200);
    const list = await control(all, aRequest({ path: '/_local/dns.json' }));
    expect(JSON.parse(String(list.body))).toMatchObject({
      resolvers: ['127.0.0.1:5301'],
      zones: { 'customer.com': { records: [{ name: 'customer.com', ttlSeconds: 5 }] } },
    });
    await control(all, aRequest({ ...request, method: 'DELETE' }));
    expect(all.dns.zones.zones()['customer.com']?.records).toEqual([]);
    await control(all, aRequest({ path: '/_local/dns/forget', method: 'POST' }));
    expect(did).toEqual(['forgotten']);
  });

  test('a form comes back to the page, which says what was refused and runs no markup', async () => {
    const { all } = deps();
    const path = '/_local/dns/records';
    const added = await control(
      all,
      aRequest({
        path,
        ...form({ name: 'customer.com', type: 'TXT', value: '<b>', ttlSeconds: '' }),
      }),
    );
    expect(added).toMatchObject({ status: 303, headers: { location: '/_local/dns' } });
    const refused = await control(
      all,
      aRequest({ path, ...form({ name: 'customer.com', type: 'A', value: '<i>' }) }),
    );
    const { location } = refused.headers;
    const query = String(location).split('?')[1] ?? '';
    const page = String((await control(all, aRequest({ path: '/_local/dns', query }))).body);
    expect(page).toContain('must be an IPv4 address');
    expect(page).toContain('&lt;b&gt;');
    expect(page).not.toContain('<b></code>');
    await control(
      all,
      aRequest({
        path,
        ...form({ method: 'DELETE', name: 'customer.com', type: 'TXT', value: '<b>' }),
      }),
    );
    expect(all.dns.zones.zones()['customer.com']?.records).toEqual([]);
  });

  test('pages of other origins change nothing', async () => {
    const { all } = deps();
    const request = form({ name: 'customer.com', type: 'TXT', value: 'x' });
    const headers = { ...request.headers, origin: 'http://slug.sites.localhost:8787' };
    const path = '/_local/dns/records';
    expect((await control(all, aRequest({ path, ...request, headers }))).status).toBe(403);
    expect(all.dns.zones.zones()).toEqual({});
  });
});

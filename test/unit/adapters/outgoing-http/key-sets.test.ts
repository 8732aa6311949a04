import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { jwtVerify } from 'jose';
import { keySets } from '../../../../adapters/outgoing-http/key-sets.ts';
import { connections } from '../../../../adapters/outgoing-http/http-exchange.ts';
import { CiService, githubClaims } from '../../../fixtures/agents/ci-tokens.ts';

let server: Server;
let reads = 0;
let aheadMs = 0;
const realNow = Date.now.bind(Date);
let answer: RequestListener;
let address = '';
let service: CiService;
const over = connections();

beforeEach(async () => {
  aheadMs = 0;
  Date.now = () => realNow() + aheadMs;
  reads = 0;
  service = await CiService.create('https://ci.example');
  server = createServer((request, response) => {
    reads += 1;
    answer(request, response);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`;
  const set = JSON.stringify(await service.keySet());
  answer = (_, response) => response.end(set);
});
afterEach(async () => {
  Date.now = realNow;
  over.closeIdle();
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
});

const aToken = (header: object = {}, by = service) =>
  by.sign({ audience: 'us', now: new Date() }, githubClaims(), header);

async function verify(sets: ReturnType<typeof keySets>, token: string, at = address) {
  return jwtVerify(token, sets.of(new URL(at)));
}

test('a set is read once in ten minutes', async () => {
  const sets = keySets(over, over);
  await Promise.all([1, 2, 3].map(async () => verify(sets, await aToken())));
  expect(reads).toBe(1);
  aheadMs += 601_000;
  await verify(sets, await aToken());
  expect(reads).toBe(2);
});

test('keys that somebody invents make it be read again at most once a minute', async () => {
  const sets = keySets(over, over);
  await verify(sets, await aToken());
  for (const kid of ['a', 'b', 'c', 'd']) {
    const code = 'ERR_JWKS_NO_MATCHING_KEY';
    await expect(verify(sets, await aToken({ kid }))).rejects.toMatchObject({ code });
  }
  expect(reads).toBe(1);
  aheadMs += 61_000;
  // A new key of the service is found then.
  const next = await CiService.create('https://ci.example');
  const set = JSON.stringify(await next.keySet());
  answer = (_, response) => response.end(set);
  await verify(sets, await aToken({}, next));
  await expect(verify(sets, await aToken({ kid: 'e' }))).rejects.toThrow();
  expect(reads).toBe(2);
});

test.each<[string, RequestListener]>([
  ['an error', (_, response) => response.writeHead(500).end()],
  ['a redirect', (_, response) => response.writeHead(302, { location: '/other' }).end()],
  ['what is no JSON', (_, response) => response.end('<html>')],
  ['what is no set', (_, response) => response.end('{"keys":"none"}')],
  ['more than 64 kB', (_, response) => response.end(' '.repeat(64 * 1024 + 1))],
  ['nothing', (_, response) => response.destroy()],
])('after %s the service is unavailable, and works again later', async (_, broken) => {
  const sets = keySets(over, over);
  const works = answer;
  answer = broken;
  await expect(verify(sets, await aToken())).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  answer = works;
  expect(await verify(sets, await aToken())).toBeDefined();
});

test('https goes to public addresses only', async () => {
  const sets = keySets();
  const own = address.replace('http://127.0.0.1', 'https://localhost');
  await expect(verify(sets, await aToken(), own)).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    cause: { message: 'its host has no public address' },
  });
  expect(reads).toBe(0);
});

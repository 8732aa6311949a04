import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomBytes, randomInt } from 'node:crypto';
import { readAuthorization } from '../../../core/oauth/authorization/authorize.ts';
import { exchangeToken } from '../../../core/oauth/tokens/exchange-token.ts';
import { findToken } from '../../../core/oauth/tokens/authenticate-agent.ts';
import { registerClient } from '../../../core/oauth/clients/register-client.ts';
import { revokeToken } from '../../../core/oauth/tokens/revoke-token.ts';
import {
  aStranger,
  callback,
  type OAuthStores,
  oauthStores,
} from '../../fixtures/agents/oauth-stores.ts';

let stores: OAuthStores;
let clientId: string;
beforeAll(async () => {
  stores = await oauthStores();
  ({ client_id: clientId } = await stores.aClient());
});
afterAll(() => stores.close());

const pick = <T>(from: readonly T[]) => from[randomInt(from.length)] as T;
const names = [
  'grant_type',
  'client_id',
  'client_secret',
  'client_assertion',
  'code',
  'code_verifier',
  'code_challenge',
  'code_challenge_method',
  'redirect_uri',
  'refresh_token',
  'response_type',
  'resource',
  'request_uri',
  'scope',
  'state',
  'token',
  '',
  '__proto__',
];
const texts = (): readonly string[] => [
  '',
  'code',
  'S256',
  'authorization_code',
  'refresh_token',
  clientId,
  callback,
  'https://nowhere.example/client',
  `sw_oauth_code_${'0'.repeat(49)}`,
  `sw_oauth_refresh_${'0'.repeat(49)}`,
  '\u0000\uFFFF\uD800 \r\n',
  randomBytes(40).toString('latin1'),
  randomBytes(40).toString('utf8'),
  'x'.repeat(20_000),
  '%'.repeat(100),
  '..',
];
const aForm = () =>
  new URLSearchParams(
    Array.from({ length: randomInt(9) }, (): [string, string] => [pick(names), pick(texts())]),
  );
const anAuthorization = () =>
  pick([
    undefined,
    'Basic',
    `Basic ${randomBytes(30).toString('base64')}`,
    `Basic ${Buffer.from(`${clientId}:%`).toString('base64')}`,
    `Basic ${'A'.repeat(10_000)}`,
    `Bearer ${pick(texts())}`,
  ]);

/** The outcome of a use case: the class of its error, or success. */
const outcome = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => (error as Error).name,
  );

test('every form gets a response or a described error', async () => {
  const outcomes = new Set<string>();
  for (let round = 0; round < 60; round += 1) {
    const works = Array.from({ length: 5 }, () => {
      const posted = { form: aForm(), authorization: anAuthorization() };
      return [
        exchangeToken(stores.deps, aStranger(), posted),
        revokeToken(stores.deps, aStranger(), posted),
        readAuthorization(stores.deps, aStranger(), aForm()),
      ];
    });
    for (const name of await Promise.all(works.flat().map(outcome))) outcomes.add(name);
  }
  expect(outcomes).toEqual(new Set(['done', 'OAuthError']));
});

test.each([
  ['a name of half a character', { client_name: 'a\uD800b' }],
  ['a name of a million characters', { client_name: '\u202E'.repeat(1_000_000) }],
  ['a name of its own prototype', JSON.parse('{"__proto__":{"client_name":"x"}}')],
  ['deep fields', { contacts: JSON.parse(`${'['.repeat(5000)}${']'.repeat(5000)}`) }],
  ['very many fields', Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`f${n}`, n]))],
])('a registration with %s succeeds', async (_, more) => {
  const answer = await registerClient(stores.deps, aStranger(), {
    redirect_uris: [callback],
    ...more,
  });
  expect(Object.keys(answer)).toHaveLength(8);
  const row = (await stores.rows()).find(({ id }) => id === answer['client_id']);
  expect(JSON.stringify(row).length).toBeLessThan(1000);
});

test.each([[{}], [[]], ['x'], [7], [true], [{ length: 3 }]])(
  '%j instead of redirect URIs is refused with a described error',
  async (sent) => {
    const refused = registerClient(stores.deps, aStranger(), { redirect_uris: sent });
    expect(await outcome(refused)).toBe('OAuthError');
  },
);

test('no random token is accepted', async () => {
  for (const text of texts()) expect(await findToken(stores.deps, text)).toBeUndefined();
});

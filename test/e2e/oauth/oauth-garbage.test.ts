import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { oauthPaths } from '../../../contract/oauth/oauth-paths.ts';
import {
  type Answer,
  ask,
  type Ask,
  baseUrl,
  isLocal,
  somebody,
} from '../../fixtures/clouds/client.ts';
import { pkce } from '../../fixtures/agents/oauth-app.ts';
import { expectNoInsides } from '../../fixtures/clouds/refusals.ts';

// Strangers are counted by address, and only this machine has more than one.
const local = isLocal ? describe : describe.skip;

/** Fixed, so that a run that fails can be repeated. */
const runs = { seed: 20_261_121, numRuns: 30 };

const names = [
  'client_id',
  'client_secret',
  'code',
  'code_challenge',
  'code_challenge_method',
  'code_verifier',
  'decision',
  'email',
  'grant_type',
  'redirect_uri',
  'redirect_uris',
  'refresh_token',
  'resource',
  'resend',
  'response_type',
  'scope',
  'state',
  'token',
  'token_type_hint',
  '__proto__',
  '',
];
const known = [
  'authorization_code',
  'refresh_token',
  'code',
  'S256',
  'https://app.example/client.json',
  'https://127.0.0.1/client.json',
  'http://[::1',
  'javascript:alert(1)',
  `${baseUrl}/mcp`,
  'a@example.org',
  '123456',
  'allow',
  pkce().challenge,
];

const aValue = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...known) },
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('%', '%zz', '%00', '%ff%fe', '%ed%a0%80', '+', '\u0000', 'x'.repeat(3000)),
);
/** Names may come again; values are encoded by half of those who send them. */
const parameters = fc
  .array(fc.tuple(fc.constantFrom(...names), aValue, fc.boolean()), { maxLength: 14 })
  .map((pairs) =>
    pairs.map(([name, value, isEncoded]) => `${name}=${written(value, isEncoded)}`).join('&'),
  );
const bytes = fc.uint8Array({ maxLength: 600 }).map((array) => Buffer.from(array));
const aBody = fc.oneof(
  parameters.map((text) => Buffer.from(text)),
  bytes,
  fc.json().map((text) => Buffer.from(text)),
  fc.constantFrom(
    Buffer.from(`client_id=${'x'.repeat(300_000)}`),
    Buffer.from('a=1&'.repeat(60_000)),
    Buffer.from('['.repeat(50_000)),
    Buffer.from('{"redirect_uris":"https://app.example/"}'),
    Buffer.from('{"redirect_uris":[{},null,7,["https://app.example/"]]}'),
    Buffer.from(
      '{"redirect_uris":["https://app.example/cb"],"client_name":{"a":1},"grant_types":7,"jwks":[]}',
    ),
    Buffer.from('{"__proto__":{"redirect_uris":["https://app.example/cb"]}}'),
    Buffer.from('null'),
    Buffer.alloc(0),
  ),
);
const aContentType = fc.constantFrom(
  'application/x-www-form-urlencoded',
  'application/x-www-form-urlencoded; charset=utf-16',
  'application/json',
  'multipart/form-data',
  'multipart/form-data; boundary=x',
  'text/plain',
  'application/mcp+json',
  '%00',
  undefined,
);
const aHeader = fc.constantFrom<Record<string, string>>(
  {},
  { authorization: 'Basic' },
  { authorization: 'Basic !!!' },
  { authorization: `Basic ${Buffer.from('no colon').toString('base64')}` },
  { authorization: `Basic ${Buffer.from('%zz:%ff').toString('base64')}` },
  { authorization: `Basic ${'A'.repeat(6000)}` },
  { authorization: `Bearer ${'A'.repeat(6000)}` },
  { authorization: 'Bearer sw_live_' },
  { authorization: 'Bearer \u00e9\u00ff' },
  { cookie: '__Host-slipway-sign-in=; __Host-slipway-session=%00; =; a' },
  { cookie: `__Host-slipway-sign-in=${'x'.repeat(4000)}` },
  { origin: 'null' },
  { origin: new URL(baseUrl).origin, 'sec-fetch-site': 'same-origin' },
  { origin: 'http://[::1', 'mcp-protocol-version': '%' },
  { 'mcp-method': 'tools/call', 'mcp-name': 'x', 'mcp-protocol-version': '2026-07-28' },
);

function written(value: string, isEncoded: boolean): string {
  // A request line cannot contain spaces or control characters.
  return isEncoded
    ? new URLSearchParams({ value }).toString().slice(6)
    : value.replaceAll(/[^!-~]|#/g, '');
}

async function send(path: string, request: Ask): Promise<Answer> {
  const answer = await ask(`${baseUrl}${path}`, { ...request, from: somebody() });
  if (answer.status >= 500)
    throw new Error(`${request.method} ${path}: ${answer.status} ${answer.text}`);
  if (answer.status >= 400) expectNoInsides(answer.text);
  return answer;
}

local('garbage is refused, never a fault of ours', () => {
  test.each([
    ['POST', oauthPaths.register],
    ['POST', oauthPaths.token],
    ['POST', oauthPaths.revoke],
    ['POST', oauthPaths.deviceAuthorization],
    ['POST', oauthPaths.device],
    ['POST', oauthPaths.authorize],
    ['POST', oauthPaths.mcp],
  ])('in the body of %s %s', async (method, path) => {
    const property = fc.asyncProperty(aBody, aContentType, aHeader, async (body, type, header) => {
      const headers = { ...header, ...(type === undefined ? {} : { 'content-type': type }) };
      const answer = await send(path, { method, body, headers });
      expect(answer.headers['location']).toBeUndefined();
    });
    await fc.assert(property, runs);
  });

  test.each([
    ['GET', oauthPaths.authorize],
    ['POST', oauthPaths.authorize],
    ['GET', oauthPaths.serverMetadata],
    ['GET', `${oauthPaths.resourceMetadata}/mcp`],
    ['GET', oauthPaths.mcp],
    ['DELETE', oauthPaths.mcp],
  ])('in the query of %s %s', async (method, path) => {
    const property = fc.asyncProperty(parameters, aHeader, async (query, headers) => {
      const answer = await send(`${path}?${query}`, { method, headers });
      expect(answer.headers['location']).toBeUndefined();
    });
    await fc.assert(property, runs);
  });

  test.each([
    '/oauth',
    '/oauth/',
    '/oauth/nothing',
    '/oauth/token/x',
    '/.well-known/openid-configuration',
    '/.well-known/oauth-authorization-server/x/y',
    '/.well-known/oauth-protected-resource/../../etc',
    '/.well-known/%00',
    '/.well-known/%ff',
    '/mcp/sse',
  ])('in the path %s', async (path) => {
    for (const method of ['GET', 'POST', 'DELETE', 'PUT', 'OPTIONS']) {
      const { headers, status } = await send(path, { method });
      if (status >= 400) expect(headers['content-type']).toMatch(/^application\/json/);
    }
  });
});

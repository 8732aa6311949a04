import { describe, expect, test } from '@jest/globals';
import { ask, baseUrl } from '../../fixtures/clouds/client.ts';
import { expectRefusal } from '../../fixtures/clouds/refusals.ts';

const wellKnown = (path: string, more = {}) => ask(`${baseUrl}/.well-known/${path}`, more);

describe.each([
  ['oauth-authorization-server', 'issuer'],
  ['oauth-protected-resource', 'resource'],
])('/.well-known/%s', (name, field) => {
  test.each(['', '/', '/mcp', '/mcp/'])('with the suffix "%s" is the document', async (behind) => {
    const answer = await wellKnown(name + behind, { headers: { origin: 'https://claude.ai' } });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.headers['cache-control']).toBe('public, max-age=300');
    expect(answer.headers['access-control-allow-origin']).toBe('*');
    expect(answer.headers['access-control-expose-headers']).toContain('WWW-Authenticate');
    expect(answer.headers['set-cookie']).toBeUndefined();
    expect(answer.json).toEqual((await wellKnown(name)).json);
    expect(answer.json[field]).toBe(field === 'issuer' ? baseUrl : `${baseUrl}/mcp`);
  });

  test.each(['/mcp/x', '/v1', '/%6dcp', '/mcp%2F', '/__proto__', `/${'a'.repeat(3000)}`])(
    'with the suffix "%s" is a 404 in JSON with CORS',
    async (behind) => {
      const answer = await wellKnown(name + behind);
      expectRefusal(answer, 404, 'NOT_FOUND');
      expect(answer.headers['content-type']).toMatch(/^application\/json/);
      expect(answer.headers['access-control-allow-origin']).toBe('*');
    },
  );
});

test('both documents name exactly the same issuer, and existing endpoints', async () => {
  const server = (await wellKnown('oauth-authorization-server')).json;
  const resource = (await wellKnown('oauth-protected-resource/mcp')).json;
  expect(resource.authorization_servers).toEqual([server.issuer]);
  expect(server.issuer).not.toMatch(/\/$/);
  expect(server.scopes_supported).toEqual(resource.scopes_supported);
  const { status } = await ask(server.authorization_endpoint);
  expect(status).toBe(400);
  for (const name of ['token_endpoint', 'registration_endpoint', 'revocation_endpoint']) {
    const answer = await ask(server[name], { method: 'POST' });
    expect([name, answer.status]).toEqual([name, 400]);
    expect(answer.json.error).toMatch(/^invalid_/);
  }
});

test.each([
  'openid-configuration',
  'openid-configuration/mcp',
  'security.txt/x',
  'oauth-authorization-serverx',
  '..%2Fv1',
  '%00',
])('/.well-known/%s is a 404 in JSON', async (path) => {
  const answer = await wellKnown(path);
  expectRefusal(answer, 404, 'NOT_FOUND');
  expect(answer.headers['access-control-allow-origin']).toBe('*');
});

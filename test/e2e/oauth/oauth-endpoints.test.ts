import { describe, expect, test } from '@jest/globals';
import { type Ask, ask, baseUrl, somebody } from '../../fixtures/clouds/client.ts';
import { expectOAuthError, OAuthApp } from '../../fixtures/agents/oauth-app.ts';

const from = somebody();
const json = { 'content-type': 'application/json' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const post = (path: string, more: Ask) =>
  ask(`${baseUrl}/oauth/${path}`, { method: 'POST', from, ...more });
const register = (metadata: unknown) =>
  post('register', { headers: json, body: JSON.stringify(metadata) });

describe('POST /oauth/register', () => {
  test.each([
    ['Claude', ['https://claude.ai/api/mcp/auth_callback']],
    ['Claude elsewhere', ['https://claude.com/api/mcp/auth_callback']],
    ['ChatGPT', ['https://chatgpt.com/connector/oauth/aB3dE-f_9']],
    ['ChatGPT before', ['https://chatgpt.com/connector_platform_oauth_redirect']],
    [
      'Cursor',
      [
        'cursor://anysphere.cursor-mcp/oauth/callback',
        'https://www.cursor.com/agents/mcp/oauth/callback',
        'http://localhost:8787/callback',
      ],
    ],
    [
      'VS Code',
      [
        'https://insiders.vscode.dev/redirect',
        'https://vscode.dev/redirect',
        'http://127.0.0.1/',
        'http://127.0.0.1:33418/',
      ],
    ],
    ['Codex', ['http://127.0.0.1:53682/callback']],
  ])(
    'accepts the registration of %s and returns its redirect URIs unchanged',
    async (name, uris) => {
      const answer = await register({
        client_name: name,
        redirect_uris: uris,
        grant_types: ['authorization_code', 'refresh_token', 'urn:unknown'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
        scope: 'openid everything',
        client_uri: 'https://client.example',
        logo_uri: 'https://client.example/logo.png',
        application_type: 'native',
        software_id: { nested: ['unknown'] },
      });
      expect(answer.status).toBe(201);
      expect(answer.headers['cache-control']).toBe('no-store');
      expect(answer.headers['pragma']).toBe('no-cache');
      expect(answer.headers['access-control-allow-origin']).toBe('*');
      expect(answer.json).toMatchObject({
        client_id: expect.any(String),
        client_name: name,
        redirect_uris: uris,
        token_endpoint_auth_method: 'none',
      });
      expect(answer.json).not.toHaveProperty('client_secret');
    },
  );

  test.each([
    ['javascript:alert(1)'],
    ['data:text/html,x'],
    ['http://evil.example/callback'],
    ['https://app.example/#fragment'],
    ['not an address'],
  ])('refuses to answer at %s', async (uri) => {
    const answer = await register({ redirect_uris: ['https://app.example/', uri] });
    expectOAuthError(answer, 400, 'invalid_redirect_uri');
    expect(answer.json.nextStep).toMatch(/https/);
  });

  test.each<[string, Ask]>([
    ['no body', { headers: json }],
    ['no JSON', { headers: json, body: '{"redirect_uris":' }],
    ['a list', { headers: json, body: '[]' }],
    ['a form', { headers: form, body: 'redirect_uris=https://app.example/' }],
    ['a name twice', { headers: json, body: '{"client_name":"a","client_name":"b"}' }],
    ['bytes', { headers: json, body: Buffer.from([0xff, 0xfe, 0x00]) }],
    ['too much', { headers: json, body: JSON.stringify({ logo_uri: 'x'.repeat(65 * 1024) }) }],
  ])('refuses %s', async (_, more) => {
    expectOAuthError(await post('register', more), 400, 'invalid_client_metadata');
  });
});

describe.each(['token', 'revoke'])('POST /oauth/%s', (path) => {
  test.each<[string, Ask, RegExp]>([
    ['JSON', { headers: json, body: '{"grant_type":"refresh_token"}' }, /form-urlencoded.*JSON/],
    ['no content type', { body: 'grant_type=refresh_token' }, /form-urlencoded/],
    [
      'a multipart form',
      { headers: { 'content-type': 'multipart/form-data; boundary=x' }, body: '--x--' },
      /form-urlencoded/,
    ],
    ['too much', { headers: form, body: `token=${'x'.repeat(17 * 1024)}` }, /at most 16384 bytes/],
  ])('refuses %s', async (_, more, said) => {
    const answer = await post(path, more);
    expectOAuthError(answer, 400, 'invalid_request');
    expect(answer.json.error_description).toMatch(said);
    expect(answer.json.nextStep).toMatch(/error_description/);
    expect(answer.headers['pragma']).toBe('no-cache');
  });

  test('refuses an unknown client, with a challenge if it used Basic authentication', async () => {
    const body = 'grant_type=refresh_token&refresh_token=x&token=x';
    const unknown = await post(path, { headers: form, body: `${body}&client_id=nobody` });
    expectOAuthError(unknown, 401, 'invalid_client');
    // API Gateway takes the plain name from what a function answers.
    expect(unknown.headers).not.toHaveProperty('www-authenticate');
    const headers = { ...form, authorization: 'Basic bm9ib2R5OnNlY3JldA==' };
    const challenged = await post(path, { headers, body });
    expectOAuthError(challenged, 401, 'invalid_client');
    expect(challenged.headers['www-authenticate']).toBe('Basic realm="oauth"');
  });

  test('accepts a form with a charset', async () => {
    const app = await new OAuthApp().register();
    const answer = await post(path, {
      headers: { 'content-type': 'Application/X-WWW-Form-Urlencoded; charset=UTF-8' },
      body: `grant_type=refresh_token&refresh_token=x&token=x&client_id=${app.clientId}`,
    });
    if (path === 'token') return expectOAuthError(answer, 400, 'invalid_grant');
    expect(answer.status).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
  });
});

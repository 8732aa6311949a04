import { expect, test } from '@jest/globals';
import { commandClientId, deviceGrant, oauthPaths } from '../../../contract/oauth/oauth-paths.ts';
import { asks, Person } from '../../fixtures/agents/oauth.ts';
import { expectOAuthError, listTools } from '../../fixtures/agents/oauth-app.ts';
import { ask, baseUrl, somebody } from '../../fixtures/clouds/client.ts';

const from = somebody();
const post = (path: string, fields: Record<string, string>) =>
  ask(baseUrl + path, {
    method: 'POST',
    from,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ client_id: commandClientId, ...fields }).toString(),
  });
const begin = async () => (await post(oauthPaths.deviceAuthorization, {})).json;
const poll = (deviceCode: string) =>
  post(oauthPaths.token, { grant_type: deviceGrant, device_code: deviceCode });

test('a person signs in, sees who asks and allows it; the key works in REST and at /mcp', async () => {
  const begun = await begin();
  expectOAuthError(await poll(begun.device_code), 400, 'authorization_pending');
  const person = new Person();
  const page = await person.reachConsent(begun.verification_uri_complete);
  expect(page.words).toContain(begun.user_code);
  expect(page.words).toContain('Did somebody send you this link or code? Then stop.');
  expect(page.words).toContain(person.email);
  expect(page.words).toContain('Publish, change and delete projects');
  expect(page.words).toMatch(/Asked from ?127\.[\d.]+: (the|another) network/);
  expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'");
  const done = await person.submit(page, {}, ['decision', 'allow']);
  expect(done.words).toContain('The command line is connected');
  const { json } = await poll(begun.device_code);
  expect(json).toEqual({
    access_token: expect.stringMatching(/^\w+_live_\w+$/),
    token_type: 'Bearer',
    scope: 'projects:read projects:write account:read',
  });
  const headers = { authorization: `Bearer ${json.access_token}` };
  const session = await ask(`${baseUrl}/v1/auth/session`, { headers, from });
  expect(session.json.data).toMatchObject({ email: person.email });
  expect((await listTools(json.access_token)).status).toBe(200);
  expectOAuthError(await poll(begun.device_code), 400, 'invalid_grant');
});

test('the code can be typed; a wrong one asks again; a denied one gives nothing', async () => {
  const begun = await begin();
  const person = await new Person().signIn();
  const form = await person.open(baseUrl + oauthPaths.device);
  expect(asks(form, 'user_code')).toBe(true);
  const wrong = await person.open(`${baseUrl}${oauthPaths.device}?user_code=BBBB-BBBB`);
  expect([wrong.status, asks(wrong, 'user_code')]).toEqual([404, true]);
  const typed = begun.user_code.toLowerCase();
  const page = await person.open(`${baseUrl}${oauthPaths.device}?user_code=${typed}`);
  const done = await person.submit(page, {}, ['decision', 'deny']);
  expect(done.words).toContain('Nothing was allowed');
  expectOAuthError(await poll(begun.device_code), 400, 'access_denied');
  const again = await person.open(`${baseUrl}${oauthPaths.device}?user_code=${typed}`);
  expect(again.status).toBe(404);
});

test('no other page allows it, and the form of one code allows no other', async () => {
  const [one, two] = [await begin(), await begin()];
  const person = await new Person().signIn();
  const page = await person.open(one.verification_uri_complete);
  const [form] = page.forms.filter(({ buttons }) => buttons.some(({ value }) => value === 'allow'));
  const fields = new URLSearchParams([...(form?.fields ?? []), ['decision', 'allow']]).toString();
  const moved = await person.send(two.verification_uri_complete, fields);
  expect(moved.status).toBe(403);
  const foreign = await person.send(one.verification_uri_complete, fields, {
    origin: 'https://evil.example',
    'sec-fetch-site': 'cross-site',
  });
  expect(foreign.status).toBe(403);
  expectOAuthError(await poll(one.device_code), 400, 'authorization_pending');
  expectOAuthError(await poll(two.device_code), 400, 'authorization_pending');
});

import { describe, expect, test } from '@jest/globals';
import { get, signIn } from '../../fixtures/accounts/accounts.ts';
import { ask, baseUrl, isLocal } from '../../fixtures/clouds/client.ts';
import { called } from '../../fixtures/agents/mcp.ts';
import { listTools, OAuthApp } from '../../fixtures/agents/oauth-app.ts';
import { Person } from '../../fixtures/agents/oauth.ts';
import { expectRefusal } from '../../fixtures/clouds/refusals.ts';
import { uploadTo } from '../../fixtures/uploads/upload-links.ts';

// The codes are read from the local inbox.
const local = isLocal ? describe : describe.skip;

local('/v1/connections', () => {
  test('lists the apps that a person has connected, newest first, and disconnects one', async () => {
    const person = new Person();
    const [first, second] = [
      await new OAuthApp().register('Tide <b>table</b>'),
      await new OAuthApp(baseUrl, 'none', 'http://127.0.0.1/callback').register('Chart room'),
    ];
    await first.connect(person, { scope: 'projects:read' });
    const tokens = await second.connect(person);
    const answer = await person.request('GET', '/v1/connections');
    expect(answer.status).toBe(200);
    const { connections } = answer.json.data;
    expect(connections).toMatchObject([
      { clientName: 'Chart room', scopes: ['projects:read', 'projects:write', 'account:read'] },
      { clientName: 'Tide <b>table</b>', redirectHost: 'app.example', scopes: ['projects:read'] },
    ]);
    for (const connection of connections) {
      expect(Object.keys(connection).toSorted()).toEqual(
        ['clientName', 'createdAt', 'id', 'lastUsedAt', 'redirectHost', 'scopes'].toSorted(),
      );
    }
    const path = `/v1/connections/${connections[0].id}`;
    const gone = await person.request('DELETE', path);
    expect([gone.status, gone.json.data]).toEqual([200, { deleted: true }]);
    expectRefusal(await person.request('DELETE', path), 404, 'NOT_FOUND');
    const left = await person.request('GET', '/v1/connections');
    expect(left.json.data.connections).toEqual([connections[1]]);
    expect((await second.refresh(tokens.refresh_token)).json.error).toBe('invalid_grant');
  });

  test('refuses the tokens of one app from the next request on, and ends upload links that it made', async () => {
    const person = new Person();
    const connect = async (name: string) =>
      (await (await new OAuthApp().register(name)).connect(person)).access_token;
    const [kept, ended] = [await connect('Kept'), await connect('Ended')];
    const { pageUrl, uploadUrl } = await called(ended, 'create_upload_link');
    expect((await ask(pageUrl)).status).toBe(200);
    const { connections } = (await person.request('GET', '/v1/connections')).json.data;
    const { id } = connections.find(({ clientName }: any) => clientName === 'Ended');
    expect((await person.request('DELETE', `/v1/connections/${id}`)).status).toBe(200);
    expect([(await listTools(ended)).status, (await listTools(kept)).status]).toEqual([401, 200]);
    expect((await ask(pageUrl)).status).toBe(404);
    const late = await uploadTo(uploadUrl, [{ name: 'files', filename: 'a.txt', body: 'late' }]);
    expectRefusal(late, 404, 'UPLOAD_LINK_NOT_FOUND');
  });

  test('/oauth/connections leads to the list in the web app', async () => {
    const { status, headers } = await ask(`${baseUrl}/oauth/connections`);
    expect([status, headers['location']]).toEqual([303, '/dashboard/account#access']);
  });

  test('lists no connections of other accounts', async () => {
    const [owner, stranger] = [new Person(), new Person()];
    const app = await new OAuthApp().register();
    await app.connect(owner);
    await app.connect(stranger);
    const [{ id }] = (await owner.request('GET', '/v1/connections')).json.data.connections;
    expectRefusal(await stranger.request('DELETE', `/v1/connections/${id}`), 404, 'NOT_FOUND');
    const { connections } = (await stranger.request('GET', '/v1/connections')).json.data;
    expect(connections).toHaveLength(1);
    expect(connections[0].id).not.toBe(id);
    expect((await owner.request('GET', '/v1/connections')).json.data.connections).toHaveLength(1);
  });

  test.each(['x', '..%2Fx', '__proto__', '0b7e4c1a-5f60-4c39-9d0e-2f1a6f0c9a11'])(
    'answers 404 for a connection %s',
    async (id) => {
      const person = new Person();
      await (await new OAuthApp().register()).connect(person);
      expectRefusal(await person.request('DELETE', `/v1/connections/${id}`), 404, 'NOT_FOUND');
    },
  );

  test('refuses an API key and an access token', async () => {
    expectRefusal(await get('/v1/connections', await signIn()), 401, 'SESSION_MISSING');
    const app = await new OAuthApp().register();
    const { access_token: token } = await app.connect(new Person());
    expectRefusal(await get('/v1/connections', token), 401, 'SESSION_MISSING');
    expectRefusal(await ask(`${baseUrl}/v1/connections`), 401, 'SESSION_MISSING');
  });

  test('refuses the Lax cookie that browsers send from other sites', async () => {
    const person = new Person();
    await (await new OAuthApp().register()).connect(person);
    const cookie = `__Host-slipway-sign-in=${person.cookies['__Host-slipway-sign-in']}`;
    const answer = await ask(`${baseUrl}/v1/connections`, { headers: { cookie } });
    expectRefusal(answer, 401, 'SESSION_MISSING');
  });
});

import { tools } from '../../../contract/tools.ts';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Answer, ask, baseUrl, isLocal } from '../../fixtures/clouds/client.ts';
import { called, postMcp, rpc } from '../../fixtures/agents/mcp.ts';
import { OAuthApp } from '../../fixtures/agents/oauth-app.ts';
import { Person } from '../../fixtures/agents/oauth.ts';

// The codes are read from the local inbox.
const local = isLocal ? describe : describe.skip;

const challengeOf = ({ headers }: Answer) => headers['www-authenticate'];
const files = [{ path: 'index.html', content: '<h1>Hi</h1>' }];
const call = (token: string, name: string, args: object = {}) =>
  postMcp(rpc('tools/call', { name, arguments: args }, 'a'), { apiKey: token });

local('an app that was allowed to read only', () => {
  let person: Person;
  let token = '';
  beforeAll(async () => {
    person = new Person();
    const app = await new OAuthApp().register();
    token = (await app.connect(person, { scope: 'projects:read' })).access_token;
  });

  test('lists all tools and may call the reading ones', async () => {
    const list = await postMcp(rpc('tools/list'), { apiKey: token });
    expect(list.json.result.tools).toHaveLength(tools.length);
    expect(await called(token, 'list_projects')).toEqual({ projects: [], nextCursor: null });
  });

  test.each([
    ['publish_site', { files }, 'projects:read projects:write'],
    ['delete_project', { projectId: 'x' }, 'projects:read projects:write'],
    ['create_share_link', { projectId: 'x', name: 'Anna' }, 'projects:read projects:write'],
    ['get_account', {}, 'projects:read account:read'],
  ])('is refused %s, with the required scopes', async (name, args, scopes) => {
    const answer = await call(token, name, args);
    expect(answer.status).toBe(403);
    expect(challengeOf(answer)).toBe(
      `Bearer error="insufficient_scope", resource_metadata="${baseUrl}/.well-known/oauth-protected-resource/mcp", scope="${scopes}"`,
    );
    expect(answer.json).toMatchObject({ jsonrpc: '2.0', id: 'a', error: { code: -32000 } });
    expect(answer.json.error.message).toContain('this connection has `projects:read`');
    expect(answer.json.error.data).toMatchObject({ error: 'insufficient_scope', scope: scopes });
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('x-slipway'))).toEqual([]);
    expect(await called(token, 'list_projects')).toEqual({ projects: [], nextCursor: null });
  });

  test('connects again with more scopes, and can then publish', async () => {
    const app = await new OAuthApp().register();
    const more = await app.connect(person, { scope: 'projects:read projects:write' });
    const { url } = await called(more.access_token, 'publish_site', { files });
    expect((await ask(url)).text).toContain('Hi');
    const { projects } = await called(token, 'list_projects');
    expect(projects).toHaveLength(1);
  });

  test('gets no preview link, which would open a draft to others', async () => {
    const app = await new OAuthApp().register();
    const more = await app.connect(person, { scope: 'projects:read projects:write' });
    const { projectId } = await called(more.access_token, 'publish_site', { files });
    const edit = { projectId, files: [{ path: 'index.html', content: 'a draft' }], draft: true };
    const { version, draft } = await called(more.access_token, 'update_project_files', edit);
    expect(draft.previewUrl).toContain('/_slipway/preview/');
    const { shown } = await called(token, 'get_project', { projectId, version });
    expect(shown).toMatchObject({ version, against: 1, changed: ['index.html'] });
    expect(shown).not.toHaveProperty('previewUrl');
    expect(shown).not.toHaveProperty('previewExpiresAt');
  });

  test('gives access to /mcp only', async () => {
    const headers = { authorization: `Bearer ${token}` };
    expect((await ask(`${baseUrl}/v1/projects`, { headers })).status).toBe(401);
  });
});

import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { get, signIn } from '../../fixtures/accounts/accounts.ts';
import { callTool } from '../../fixtures/agents/mcp.ts';
import { Person } from '../../fixtures/agents/oauth.ts';
import { OAuthApp } from '../../fixtures/agents/oauth-app.ts';
import { file, isLocal } from '../../fixtures/clouds/client.ts';
import { expectRefusal } from '../../fixtures/clouds/refusals.ts';
import { created } from '../../fixtures/projects/projects.ts';
import { pushed } from '../../fixtures/projects/versions.ts';
import { open } from '../../fixtures/visits/opens.ts';

// The codes are read from the local inbox.
const local = isLocal ? describe : describe.skip;

/** A person with a project, and where the events after its creation begin. */
async function owner() {
  const person = await new Person().signIn();
  const key = await signIn(person.email);
  const { projectId, url }: { projectId: string; url: string } = await created(key);
  const { nextCursor: after } = (await get('/v1/events', key)).json.data;
  return { person, key, projectId, url, after, path: `/v1/events?wait=25&after=${after}` };
}

/** Waits with a credential that ends meanwhile, before the event comes. */
async function ending<T>(waiting: Promise<T>, end: () => Promise<unknown>, happen: () => unknown) {
  await sleep(1000);
  await end();
  await happen();
  return waiting;
}

local('a request that waits for events gets none after', () => {
  test('its key was deleted', async () => {
    const { person, key, projectId, path } = await owner();
    const other = (await person.request('POST', '/v1/keys', { name: 'Waits' })).json.data;
    const answer = await ending(
      get(path, other.key),
      () => person.request('DELETE', `/v1/keys/${other.id}`),
      () => pushed(key, projectId, [file('index.html', 'new')]),
    );
    expectRefusal(answer, 401, 'API_KEY_INVALID');
  });

  test('its session was ended', async () => {
    const { person, key, projectId, path } = await owner();
    const again = await new Person(person.service, person.email).signIn();
    const { sessions } = (await again.request('GET', '/v1/sessions')).json.data;
    const { id } = sessions.find(({ current }: { current: boolean }) => !current);
    const answer = await ending(
      person.request('GET', path),
      () => again.request('DELETE', `/v1/sessions/${id}`),
      () => pushed(key, projectId, [file('index.html', 'new')]),
    );
    expectRefusal(answer, 401, 'SESSION_MISSING');
  });

  test('its connection was ended', async () => {
    const { person, projectId, url, after } = await owner();
    const { access_token } = await (await new OAuthApp().register('Waits')).connect(person);
    const { connections } = (await person.request('GET', '/v1/connections')).json.data;
    const result = await ending(
      callTool(access_token, 'wait_for_open', { projectId, after }),
      () => person.request('DELETE', `/v1/connections/${connections[0].id}`),
      () => open(url),
    );
    expect([result.isError, result.content[0].text]).toEqual([
      true,
      expect.stringContaining('API_KEY_INVALID'),
    ]);
  });
});

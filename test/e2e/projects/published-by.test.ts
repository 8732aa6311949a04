import { describe, expect, test } from '@jest/globals';
import { get } from '../../fixtures/accounts/accounts.ts';
import { called } from '../../fixtures/agents/mcp.ts';
import { OAuthApp } from '../../fixtures/agents/oauth-app.ts';
import { Person } from '../../fixtures/agents/oauth.ts';
import { ask, baseUrl, file, isLocal } from '../../fixtures/clouds/client.ts';
import { claim, created, temporary } from '../../fixtures/projects/projects.ts';
import { change, pushed } from '../../fixtures/projects/versions.ts';
import { aForm } from '../../fixtures/uploads/multipart.ts';
import { linked, sentByLink, sendTo, uploadTo } from '../../fixtures/uploads/upload-links.ts';
import { Browser } from '../../fixtures/visits/browser.ts';

// The codes are read from the local inbox.
const local = isLocal ? describe : describe.skip;

const page = (text: string) => [file('index.html', text)];

/** A key of this name, and its id. */
async function aKey(browser: Browser, name: string): Promise<{ key: string; id: string }> {
  return (await browser.send('POST', '/v1/keys', { name })).json.data;
}

/** What published each version, oldest first. */
async function publishedBy(key: string, projectId: string) {
  const { data } = (await get(`/v1/projects/${projectId}/status`, key)).json;
  return data.map((one: any) => one.publishedBy).toReversed();
}

local('what published a version', () => {
  test('is the key, the browser, the app or the upload link, under the name of then', async () => {
    const person = new Person();
    const app = await new OAuthApp().register('Tide <b>table</b>');
    const { access_token: token } = await app.connect(person);
    const browser = await new Browser(person.email).signIn();
    const { key, id } = await aKey(browser, 'Build server');
    const { projectId } = await created(key, { files: page('by a key') });
    await pushed(key, projectId, page('by a key again'), { fields: { draft: 'true' } });
    await change(key, projectId, page('by a merge of a key'));

    const form = aForm(page('by a browser'));
    const sent = await browser.send('PUT', `/v1/projects/${projectId}`, undefined, {
      body: form.body,
      headers: { 'content-type': form.contentType, 'user-agent': 'Mozilla/5.0' },
    });
    expect(sent.status).toBe(200);
    const files = [{ path: 'index.html', content: 'by an app' }];
    await called(token, 'update_project_files', { projectId, files });
    const { uploadUrl } = await linked(key, { projectId, title: 'For Ada' });
    expect((await uploadTo(uploadUrl, page('by a link'))).status).toBe(200);
    const large = await linked(key, { projectId });
    const bytes = Buffer.from('by a large upload with a link');
    const uploadId = await sentByLink(large.uploadUrl, [{ path: 'index.html', bytes }]);
    expect((await sendTo(large.uploadUrl, 'PUT', { uploadId })).status).toBe(200);

    const [connection] = (await browser.send('GET', '/v1/connections')).json.data.connections;
    const byKey = { kind: 'key', id, name: 'Build server' };
    const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/);
    const expected = [
      byKey,
      byKey,
      byKey,
      { kind: 'session', id: uuid, name: expect.stringContaining('rowser') },
      { kind: 'app', id: connection.id, name: 'Tide <b>table</b>' },
      { kind: 'link', id: uuid, name: 'For Ada' },
      { kind: 'link', id: uuid, name: null },
    ];
    expect(await publishedBy(key, projectId)).toEqual(expected);

    // What published them is gone, and the history still says what it was.
    const reader = await aKey(browser, 'Reader');
    expect((await browser.send('DELETE', `/v1/keys/${id}`)).status).toBe(200);
    expect((await browser.send('DELETE', `/v1/connections/${connection.id}`)).status).toBe(200);
    expect(await publishedBy(reader.key, projectId)).toEqual(expected);
  });

  test('is nobody with an account before a claim, and a rollback does not change it', async () => {
    const browser = await new Browser().signIn();
    const { key, id } = await aKey(browser, 'CI');
    const { projectId, claimToken } = await temporary(page('temporary'));
    expect((await claim(key, claimToken)).status).toBe(200);
    await pushed(key, projectId, page('second'));
    const answer = await ask(`${baseUrl}/v1/projects/${projectId}/rollback`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ version: 1 }),
    });
    expect(answer.status).toBe(200);
    expect(await publishedBy(key, projectId)).toEqual([
      { kind: 'temporary', id: null, name: null },
      { kind: 'key', id, name: 'CI' },
    ]);
  });
});

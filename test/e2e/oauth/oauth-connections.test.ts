import { describe, expect, test } from '@jest/globals';
import { codeSentTo } from '../../fixtures/accounts/accounts.ts';
import { Browser } from '../../fixtures/visits/browser.ts';
import { ask, baseUrl, isLocal } from '../../fixtures/clouds/client.ts';
import { called } from '../../fixtures/agents/mcp.ts';
import { listTools, OAuthApp } from '../../fixtures/agents/oauth-app.ts';
import { asks, Person } from '../../fixtures/agents/oauth.ts';
import { expectRefusal } from '../../fixtures/clouds/refusals.ts';
import { uploadTo } from '../../fixtures/uploads/upload-links.ts';

// The codes are read from the local inbox.
const local = isLocal ? describe : describe.skip;
const address = `${baseUrl}/oauth/connections`;

/** An app that a person allowed, with its access token. */
async function connect(person: Person, name: string): Promise<string> {
  const app = await new OAuthApp().register(name);
  return (await app.connect(person)).access_token;
}

local('the page of connected apps', () => {
  test('asks for sign-in, then lists the grants of this account only', async () => {
    const person = new Person();
    await connect(new Person(), 'Of somebody else');
    await connect(person, 'Tide <i>table</i>');
    const stranger = new Person(baseUrl, person.email);
    const first = await stranger.open(address);
    expect([first.status, asks(first, 'email')]).toEqual([200, true]);
    expect(first.text).not.toContain('Tide');
    const second = await stranger.submit(first, { email: person.email });
    const page = await stranger.submit(second, { code: await codeSentTo(person.email) });
    expect(page.words).toContain('Tide <i>table</i>');
    expect(page.text).not.toContain('<i>');
    expect(page.words).toContain(person.email);
    expect(page.words).toContain('app.example');
    expect(page.words).not.toContain('Of somebody else');
    expect(page.headers['cache-control']).toBe('private, no-store');
    expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'");
  });

  test('disconnects one app, whose token is refused from the next request on', async () => {
    const person = new Person();
    const [kept, ended] = [await connect(person, 'Kept'), await connect(person, 'Ended')];
    const page = await person.open(address);
    const [id = ''] = /value="([0-9a-f-]{36})" aria-describedby/.exec(page.text)?.slice(1) ?? [];
    const after = await person.submit(page, {}, ['disconnect', id]);
    expect(after.words).not.toContain('Ended');
    expect(after.words).toContain('Kept');
    expect((await listTools(ended)).status).toBe(401);
    expect((await listTools(kept)).status).toBe(200);
    const again = await person.send(address, `disconnect=${id}`);
    expect(again.status).toBe(200);
  });

  test('shows the browsers that are signed in, and signs one or all others out', async () => {
    const person = new Person();
    await connect(person, 'App');
    const other = await new Browser(person.email).signIn();
    const page = await person.open(address);
    expect(page.words).toContain('This browser.');
    const [, id = ''] = /name="sign-out" value="([0-9a-f-]{36})"/.exec(page.text) ?? [];
    await person.submit(page, {}, ['sign-out', id]);
    expectRefusal(await other.send('GET', '/v1/session'), 401, 'SESSION_MISSING');
    const second = await new Browser(person.email).signIn();
    const after = await person.submit(await person.open(address), {}, ['sign-out', 'others']);
    expect(after.words).toContain('This browser.');
    expect(after.text).not.toContain('name="sign-out"');
    expectRefusal(await second.send('GET', '/v1/session'), 401, 'SESSION_MISSING');
  });

  test('ends upload links that the app created, together with the app', async () => {
    const person = new Person();
    const token = await connect(person, 'Ended');
    const { pageUrl, uploadUrl } = await called(token, 'create_upload_link');
    expect((await ask(pageUrl)).status).toBe(200);
    const page = await person.open(address);
    const [id = ''] = /value="([0-9a-f-]{36})" aria-describedby/.exec(page.text)?.slice(1) ?? [];
    await person.submit(page, {}, ['disconnect', id]);
    expect((await ask(pageUrl)).status).toBe(404);
    const late = await uploadTo(uploadUrl, [{ name: 'files', filename: 'a.txt', body: 'late' }]);
    expectRefusal(late, 404, 'UPLOAD_LINK_NOT_FOUND');
  });

  test('refuses requests from another origin, and for another account', async () => {
    const [person, other] = [new Person(), new Person()];
    const token = await connect(person, 'Kept');
    await connect(other, 'Another');
    const page = await person.open(address);
    const [id = ''] = /value="([0-9a-f-]{36})" aria-describedby/.exec(page.text)?.slice(1) ?? [];
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    expect((await person.send(address, `disconnect=${id}`, foreign)).status).toBe(403);
    expect((await other.send(address, `disconnect=${id}`)).status).toBe(200);
    expect((await new Person().send(address, `disconnect=${id}`)).status).toBe(401);
    expect((await person.send(address, 'disconnect=%00')).status).toBe(200);
    expect((await listTools(token)).status).toBe(200);
  });

  test('signs out', async () => {
    const person = new Person();
    await connect(person, 'Kept');
    const page = await person.open(address);
    const after = await person.submit(page, {}, ['account', 'other']);
    expect(asks(after, 'email')).toBe(true);
    // It identifies the browser at its next sign-in; it gives no access.
    expect(Object.keys(person.lastingCookies)).toEqual(['__Host-slipway-browser']);
    expect((await ask(address)).text).not.toContain(person.email);
  });
});

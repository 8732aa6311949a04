import { describe, expect, test } from '@jest/globals';
import {
  anEmail,
  codeSentTo,
  get,
  mailsTo,
  post,
  signIn,
} from '../../fixtures/accounts/accounts.ts';
import { ask, baseUrl, isLocal } from '../../fixtures/clouds/client.ts';
import { expectRefusal } from '../../fixtures/clouds/refusals.ts';
import { created } from '../../fixtures/projects/projects.ts';
import { Browser } from '../../fixtures/visits/browser.ts';

// The codes are read from the local inbox.
const local = isLocal ? describe : describe.skip;

local('DELETE /v1/account', () => {
  test('refuses every credential until its owner signs in again', async () => {
    const email = anEmail();
    const key = await signIn(email);
    const { projectId } = await created(key);
    const browser = await new Browser(email).signIn();
    const close = (confirm: unknown) => browser.send('DELETE', '/v1/account', { confirm });
    expectRefusal(await close(anEmail()), 400, 'INVALID_REQUEST');
    expectRefusal(await close(undefined), 400, 'INVALID_REQUEST');
    expect((await close(email.toUpperCase())).json.data).toEqual({
      closed: true,
      restorableUntil: expect.any(String),
    });
    expectRefusal(await get('/v1/user', key), 403, 'ACCOUNT_SUSPENDED');
    expectRefusal(await browser.send('GET', '/v1/session'), 403, 'ACCOUNT_SUSPENDED');
    expect((await browser.send('DELETE', '/v1/session')).status).toBe(200);
    await post('/v1/auth/otp/request', { email });
    const code = await codeSentTo(email);
    const refused = await browser.send('POST', '/v1/session', { email, code, restore: false });
    expectRefusal(refused, 409, 'ACCOUNT_CLOSED');
    expect(Date.parse(refused.json.restorableUntil)).toBeGreaterThan(Date.now());
    expectRefusal(await get('/v1/user', key), 403, 'ACCOUNT_SUSPENDED');
    await new Browser(email).signIn();
    expect((await get('/v1/user', key)).json.data.email).toBe(email);
    expect((await get(`/v1/projects/${projectId}`, key)).status).toBe(200);
  });
});

/** The link in the latest mail to an address that stops the deletion of its account. */
async function stopLinkTo(email: string): Promise<string | undefined> {
  const [mail] = await mailsTo(email);
  const link = /\S+\/account\/keep\/\S+/.exec(mail.text)?.[0];
  if (link !== undefined) expect(mail.html).toContain(`href="${link}"`);
  return link;
}

async function stopLinkOf(email: string): Promise<string> {
  const link = await stopLinkTo(email);
  if (link === undefined) throw new Error(`the latest mail to ${email} has no link`);
  return link;
}

local('the link that stops a deletion', () => {
  test('is in every mail meanwhile, works for one deletion, and only by its button', async () => {
    const email = anEmail();
    const key = await signIn(email);
    const browser = await new Browser(email).signIn();
    const close = async () => {
      const closed = await browser.send('DELETE', '/v1/account', { confirm: email });
      expect(closed.status).toBe(200);
      return stopLinkOf(email);
    };
    const expectState = async (status: number) =>
      expect((await get('/v1/user', key)).status).toBe(status);

    const first = await close();
    expect(new URL(first).origin).toBe(new URL(baseUrl).origin);
    await post('/v1/auth/otp/request', { email });
    expect((await mailsTo(email))[0].subject).toMatch(/code$/);
    expect(await stopLinkTo(email)).toBe(first);
    const other = await new Browser().signIn();
    expect((await other.send('POST', '/v1/account/email', { email })).status).toBe(200);
    expect((await mailsTo(email))[0].subject).toMatch(/has a .* account/);
    expect(await stopLinkTo(email)).toBe(first);
    expect(await stopLinkTo(other.email)).toBeUndefined();

    for (const method of ['GET', 'GET', 'HEAD'] as const) {
      const page = await ask(first, { method });
      expect(page.status).toBe(200);
      expect(page.headers['content-security-policy']).toMatch(/default-src 'none'/);
      if (method === 'GET') expect(page.text).toContain('>Keep my account</button>');
    }
    await expectState(403);
    const kept = await ask(first, { method: 'POST' });
    expect([kept.status, kept.text]).toEqual([200, expect.stringContaining('account is kept')]);
    await expectState(200);

    const nothing = await ask(first);
    expect(nothing.status).toBe(404);
    expect((await ask(first, { method: 'POST' })).status).toBe(404);
    await expectState(200);

    const second = await close();
    expect(second).not.toBe(first);
    expect((await ask(first)).text).toBe(nothing.text);
    expect((await ask(first, { method: 'POST' })).status).toBe(404);
    await expectState(403);
    for (const wrong of [`${second}x`, second.replace(/\/[^/]+$/, '/x'), second.slice(0, -1)]) {
      const answer = await ask(wrong, { method: 'POST' });
      expect([answer.status, answer.text]).toEqual([404, nothing.text]);
    }
    await expectState(403);
    expect((await ask(second, { method: 'POST' })).status).toBe(200);
    await expectState(200);
  });
});

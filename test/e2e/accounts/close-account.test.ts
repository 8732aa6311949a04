import { describe, expect, test } from '@jest/globals';
import { anEmail, get, signIn } from '../../fixtures/accounts/accounts.ts';
import { isLocal } from '../../fixtures/clouds/client.ts';
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
    await new Browser(email).signIn();
    expect((await get('/v1/user', key)).json.data.email).toBe(email);
    expect((await get(`/v1/projects/${projectId}`, key)).status).toBe(200);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { commandClientId, deviceGrant } from '../../../contract/oauth/oauth-paths.ts';
import type { Account } from '../../../core/accounts/account.ts';
import { hashKey } from '../../../core/accounts/keys/api-key.ts';
import {
  beginDeviceAuthorization,
  decideDevice,
  findWaitingDevice,
} from '../../../core/oauth/device/device-authorization.ts';
import { exchangeDeviceCode } from '../../../core/oauth/device/exchange-device-code.ts';
import { aStranger, type OAuthStores, oauthStores } from '../../fixtures/agents/oauth-stores.ts';

let stores: OAuthStores;
let account: Account;
let sessionHash: string;
const mails: { email: string; country: string | null }[] = [];
beforeAll(async () => {
  stores = await oauthStores();
});
beforeEach(async () => {
  account = await stores.anAccount();
  sessionHash = await stores.aSession(account);
  stores.pass(1);
  mails.length = 0;
});
afterAll(() => stores.close());

const form = (fields: Record<string, string>) => ({
  form: new URLSearchParams({ client_id: commandClientId, ...fields }),
  authorization: undefined,
});
const begin = (fields: Record<string, string> = {}, country = '') => {
  const agent = { userAgent: '', country, browserToken: undefined };
  return beginDeviceAuthorization(stores.deps, { ...aStranger(), agent }, form(fields));
};
const poll = (deviceCode: string, fields: Record<string, string> = {}) =>
  exchangeDeviceCode(
    stores.deps,
    aStranger(),
    form({ grant_type: deviceGrant, device_code: deviceCode, ...fields }),
  );
const find = (typed: string, caller = aStranger()) => findWaitingDevice(stores.deps, caller, typed);

async function decide(userCode: string, decision: 'allowed' | 'denied') {
  const device = await find(userCode);
  if (device === undefined) throw new Error(`nobody waits with ${userCode}`);
  const notices = {
    notices: {
      notify: async (email: string, { country }: { country: string | null }) =>
        void mails.push({ email, country }),
    },
    onFailure: (_: unknown, error: unknown) => {
      throw error;
    },
  };
  return decideDevice(
    { ...stores.deps, ...notices },
    { ...aStranger(), account, sessionHash },
    device,
    decision,
  );
}

test('an account allows thirty programs a day, and denies any number', async () => {
  for (let turn = 0; turn < 30; turn += 1)
    expect(await decide((await begin()).user_code, 'allowed')).toBe(true);
  const { user_code } = await begin();
  await expect(decide(user_code, 'allowed')).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  expect(mails).toHaveLength(30);
  expect(await decide(user_code, 'denied')).toBe(true);
});

test('a program gets a code of eight unambiguous letters for ten minutes', async () => {
  const begun = await begin();
  expect(begun).toEqual({
    device_code: expect.stringMatching(/^sw_oauth_device_\w{49}$/),
    user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
    verification_uri: 'https://app.example.com/device',
    verification_uri_complete: `https://app.example.com/device?user_code=${begun.user_code}`,
    expires_in: 600,
    interval: 5,
  });
  expect(JSON.stringify(await stores.rows())).not.toContain(begun.device_code);
});

test('an allowed code gives a key with its permissions, once, and its owner a mail', async () => {
  const { device_code: code, user_code: shown } = await begin({ scope: 'projects:read' }, 'NO');
  await expect(poll(code)).rejects.toMatchObject({ code: 'authorization_pending' });
  stores.pass(5);
  expect(await decide(shown, 'allowed')).toBe(true);
  expect(mails).toEqual([{ email: account.email, country: 'NO' }]);
  const { access_token: key, ...rest } = await poll(code);
  expect(rest).toEqual({ token_type: 'Bearer', scope: 'projects:read' });
  const found = await stores.keys.find(hashKey(key));
  expect(found).toMatchObject({
    accountId: account.id,
    kind: 'sign-in',
    name: 'Command line',
    permissions: ['projects:read'],
  });
  await expect(poll(code)).rejects.toMatchObject({ code: 'invalid_grant' });
});

test('a code that was allowed gives no key once the session that allowed it has ended', async () => {
  const { device_code: code, user_code: shown } = await begin();
  await decide(shown, 'allowed');
  await stores.sessions.end(sessionHash);
  await expect(poll(code)).rejects.toMatchObject({ code: 'invalid_grant' });
  expect(await stores.keys.list(account.id)).toEqual([]);
});

test('of many polls at once, one gets the key', async () => {
  const { device_code: code, user_code: shown } = await begin();
  await decide(shown, 'allowed');
  const answers = await Promise.allSettled(Array.from({ length: 8 }, () => poll(code)));
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('who asks too often waits five seconds more each time', async () => {
  const { device_code: code } = await begin();
  await expect(poll(code)).rejects.toMatchObject({ code: 'authorization_pending' });
  stores.pass(1);
  await expect(poll(code)).rejects.toMatchObject({
    code: 'slow_down',
    message: 'Wait 10 seconds between two requests.',
  });
  stores.pass(6);
  await expect(poll(code)).rejects.toMatchObject({ code: 'slow_down' });
  stores.pass(15);
  await expect(poll(code)).rejects.toMatchObject({ code: 'authorization_pending' });
});

test('a denied code gives nothing, and nobody decides twice', async () => {
  const { device_code: code, user_code: shown } = await begin();
  const device = await find(shown);
  await decide(shown, 'denied');
  expect(await find(shown)).toBeUndefined();
  expect(device === undefined).toBe(false);
  expect(
    await stores.deps.devices.decide(device?.userCode ?? '', {
      decision: 'allowed',
      accountId: account.id,
      sessionHash,
    }),
  ).toBe(false);
  expect(mails).toEqual([]);
  await expect(poll(code)).rejects.toMatchObject({ code: 'access_denied' });
});

test('a code ends after ten minutes, for both sides', async () => {
  const { device_code: code, user_code: shown } = await begin();
  const other = await begin();
  await decide(other.user_code, 'allowed');
  stores.pass(601);
  expect(await find(shown)).toBeUndefined();
  await expect(poll(code)).rejects.toMatchObject({ code: 'expired_token' });
  await expect(poll(other.device_code)).rejects.toMatchObject({ code: 'expired_token' });
});

test('a code is found as people type it', async () => {
  const { user_code: shown } = await begin();
  for (const typed of [shown, shown.toLowerCase(), ` ${shown.replace('-', ' ')} `]) {
    expect((await find(typed))?.userCode).toBe(shown.replace('-', ''));
  }
  for (const typed of ['', 'BCDF', 'BCDF-BCDF-BCDF', '\u0000']) {
    expect(await find(typed)).toBeUndefined();
  }
});

describe('refuses', () => {
  test.each<[string, Record<string, string>, string]>([
    ['an unknown code', {}, 'invalid_grant'],
    ['no code', { device_code: '' }, 'invalid_request'],
    ['an unknown client', { client_id: 'nobody' }, 'invalid_client'],
    ['no client', { client_id: '' }, 'invalid_client'],
  ])('%s', async (_, fields, code) => {
    await expect(poll('sw_oauth_device_x', fields)).rejects.toMatchObject({ code });
  });

  test('an app that registered: it has the authorization endpoint', async () => {
    const { client_id } = await stores.aClient();
    await expect(begin({ client_id })).rejects.toMatchObject({ code: 'unauthorized_client' });
    await expect(poll('x', { client_id })).rejects.toMatchObject({ code: 'unauthorized_client' });
  });

  test('a foreign resource', async () => {
    const resource = 'https://other.example/mcp';
    await expect(begin({ resource })).rejects.toMatchObject({ code: 'invalid_target' });
  });

  test('more than 30 codes, and more than 30 look-ups, of one address in ten minutes', async () => {
    const caller = aStranger();
    const tries = { ...caller, address: '198.51.100.9' };
    const begins = () => beginDeviceAuthorization(stores.deps, tries, form({}));
    for (let count = 0; count < 30; count += 1) await begins();
    await expect(begins()).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    for (let count = 0; count < 30; count += 1) await find('BCDF-BCDF', tries);
    await expect(find('BCDF-BCDF', tries)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  });
});

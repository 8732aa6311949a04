import { describe, expect, test } from '@jest/globals';
import { anEmail, codeSentTo, get, mailsTo, post } from '../../fixtures/accounts/accounts.ts';
import { isLocal } from '../../fixtures/clouds/client.ts';
import { expectRefusal } from '../../fixtures/clouds/refusals.ts';
import { Browser } from '../../fixtures/visits/browser.ts';

// The codes are read from the local inbox.
const local = isLocal ? describe : describe.skip;

local('POST /v1/account/email', () => {
  test('gives an account another address; keys stay, other browsers are signed out', async () => {
    const [email, newEmail] = [anEmail(), anEmail()];
    const browser = await new Browser(email).signIn();
    const { key } = (await browser.send('POST', '/v1/keys', { name: 'Laptop' })).json.data;
    const other = await new Browser(email).signIn();
    expectRefusal(
      await post(
        '/v1/account/email',
        { email: newEmail },
        { headers: { authorization: `Bearer ${key}` } },
      ),
      401,
      'SESSION_MISSING',
    );
    const begun = await browser.send('POST', '/v1/account/email', { email: newEmail });
    expect(begun.json.data).toMatchObject({ currentEmail: email, newEmail });
    const currentCode = await codeSentTo(email);
    const newCode = await codeSentTo(newEmail);
    // They are for the change alone.
    expectRefusal(
      await post('/v1/auth/otp/verify', { email: newEmail, code: newCode }),
      401,
      'OTP_EXPIRED',
    );
    const finish = () => browser.send('POST', '/v1/account/email/verify', { currentCode, newCode });
    expect((await finish()).json.data).toEqual({ email: newEmail });
    expectRefusal(await finish(), 401, 'OTP_EXPIRED');
    expect((await browser.send('GET', '/v1/session')).json.data.email).toBe(newEmail);
    expectRefusal(await other.send('GET', '/v1/session'), 401, 'SESSION_MISSING');
    expect((await get('/v1/user', key)).json.data.email).toBe(newEmail);
    const [notice] = await mailsTo(email);
    expect(notice.text).toContain(newEmail);
    const again = await new Browser(newEmail).signIn();
    expect((await again.send('GET', '/v1/session')).json.data.email).toBe(newEmail);
  });
});

import { expect, test } from '@jest/globals';
import {
  endedSessionCookies,
  sessionCookies,
  sessionToken,
  signInCookie,
} from '../../../../lambdas/http/session-cookie.ts';

test('one cookie is not sent on requests from other sites; the other is sent on links from them', () => {
  const opened = { email: 'a@example.org', expiresAt: '2026-11-21T09:00:00.000Z' };
  const cookies = sessionCookies({ ...opened, token: 't', browserToken: 'b' });
  expect(cookies).toEqual([
    '__Host-slipway-session=t; HttpOnly; Secure; SameSite=Strict; Path=/; Max-Age=2592000',
    '__Host-slipway-browser=b; HttpOnly; Secure; SameSite=Lax; Path=/; Max-Age=34560000',
    '__Host-slipway-sign-in=t; HttpOnly; Secure; SameSite=Lax; Path=/; Max-Age=2592000',
  ]);
  expect(endedSessionCookies).toEqual([
    '__Host-slipway-session=; HttpOnly; Secure; SameSite=Strict; Path=/; Max-Age=0',
    '__Host-slipway-sign-in=; HttpOnly; Secure; SameSite=Lax; Path=/; Max-Age=0',
  ]);
});

test.each([
  [undefined, undefined, undefined],
  ['', undefined, undefined],
  ['__Host-slipway-session=a', 'a', undefined],
  ['__Host-slipway-sign-in=b', undefined, 'b'],
  ['x=1; __Host-slipway-sign-in=b;__Host-slipway-session=a', 'a', 'b'],
  ['my__Host-slipway-session=a; slipway-sign-in=b', undefined, undefined],
])('neither cookie is read as the other: %s', (cookies, session, signIn) => {
  expect([sessionToken(cookies), signInCookie.read(cookies)]).toEqual([session, signIn]);
});

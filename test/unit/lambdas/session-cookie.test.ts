import { expect, test } from '@jest/globals';
import {
  endedSessionCookie,
  sessionCookie,
  sessionToken,
  signInCookie,
} from '../../../lambdas/runtime/session-cookie.ts';

test('the token is kept from other sites by one cookie, and told by the other where they lead to', () => {
  expect([sessionCookie('t'), signInCookie.keep('t')]).toEqual([
    '__Host-slipway-session=t; HttpOnly; Secure; SameSite=Strict; Path=/; Max-Age=2592000',
    '__Host-slipway-sign-in=t; HttpOnly; Secure; SameSite=Lax; Path=/; Max-Age=2592000',
  ]);
  expect([endedSessionCookie, signInCookie.forget]).toEqual([
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
])('neither is read for the other: %s', (cookies, session, signIn) => {
  expect([sessionToken(cookies), signInCookie.read(cookies)]).toEqual([session, signIn]);
});

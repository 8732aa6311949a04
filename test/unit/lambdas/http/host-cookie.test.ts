import { expect, test } from '@jest/globals';
import { hostCookie } from '../../../../lambdas/http/host-cookie.ts';

const { read } = hostCookie('__Host-slipway-test', 'Strict', 60);

test.each([
  '__Host-slipway-test=t',
  'a=b; __Host-slipway-test=t',
  'a=b;\t__Host-slipway-test=t;c=d',
])('reads its cookie in %j', (cookies) => {
  expect(read(cookies)).toBe('t');
});

test.each(['\u2000', '\u00a0', '\ufeff', '\u2028', '\v'])(
  'a cookie whose name begins with %j is another one, which any host may set',
  (space) => {
    expect(read(`${space}__Host-slipway-test=x`)).toBeUndefined();
    expect(read(`${space}__Host-slipway-test=x; __Host-slipway-test=t`)).toBe('t');
  },
);

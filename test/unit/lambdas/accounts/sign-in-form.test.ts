import { expect, test } from '@jest/globals';
import { readSignInForm } from '../../../../lambdas/accounts/sign-in-steps.ts';

test.each([
  ['email=a%40example.org', { step: 'address', email: 'a@example.org', resend: false }],
  [
    'email=a%40example.org&resend=1&code=',
    { step: 'address', email: 'a@example.org', resend: true },
  ],
  ['email=a%40example.org&code=012+345', { step: 'code', email: 'a@example.org', code: '012345' }],
  [
    'email=a%40example.org&code=+BCDF-ghjk+mnpq-rstv-wxyz-bcdf',
    { step: 'long-code', email: 'a@example.org', longCode: 'bcdf-ghjk-mnpq-rstv-wxyz-bcdf' },
  ],
  [
    'email=a%40example.org&code=bcdf-ghjk-mnpq-rstv-wxyz-bcd',
    { step: 'invalid', email: 'a@example.org', problem: 'code' },
  ],
  ['email=a%40example.org&code=12', { step: 'invalid', email: 'a@example.org', problem: 'code' }],
  ['email=a%40example.org&code=', { step: 'invalid', email: 'a@example.org', problem: 'code' }],
  ['email=nobody&code=123456', { step: 'invalid', email: 'nobody', problem: 'address' }],
  ['', { step: 'invalid', email: '', problem: 'address' }],
  ['%', { step: 'invalid', email: '', problem: 'address' }],
])('%s', (body, form) => {
  expect(readSignInForm(new URLSearchParams(body))).toEqual(form);
});

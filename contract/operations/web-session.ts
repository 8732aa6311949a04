import * as z from 'zod';
import { EmailAddress, Instant, SignInCode, Tier } from '../fields.ts';
import { example } from '../examples.ts';
import { operation } from '../operation.ts';

/** `POST /v1/session`: signs a browser in with a mailed code; sets the session cookie. */
export const openSession = operation({
  id: 'openWebSession',
  group: 'accounts',
  method: 'POST',
  path: '/v1/session',
  summary: 'Sign in with the code in a browser; sets a cookie, makes no key.',
  auth: 'none',
  paid: false,
  body: 'json',
  input: z.object({ email: EmailAddress, code: SignInCode }),
  output: z.object({ email: z.string(), expiresAt: Instant }),
  envelope: 'data',
  status: 200,
  errors: ['ORIGIN_REFUSED', 'OTP_INVALID', 'OTP_EXPIRED', 'OTP_TOO_MANY_ATTEMPTS'],
  example: {
    input: { email: example.email, code: '123456' },
    output: { email: example.email, expiresAt: example.later },
  },
});

/** `GET /v1/session`: who is signed in in this browser, and until when. */
export const getWebSession = operation({
  id: 'getWebSession',
  group: 'accounts',
  method: 'GET',
  path: '/v1/session',
  summary: 'Who is signed in in this browser, and until when.',
  auth: 'session',
  paid: false,
  body: 'none',
  input: z.object({}),
  output: z.object({ email: z.string(), plan: Tier, expiresAt: Instant }),
  envelope: 'data',
  status: 200,
  errors: [],
  example: {
    input: {},
    output: { email: example.email, plan: 'pro', expiresAt: example.later },
  },
});

/** `DELETE /v1/session`: signs this browser out. Needs no session, so that it can be sent again. */
export const endSession = operation({
  id: 'endWebSession',
  group: 'accounts',
  method: 'DELETE',
  path: '/v1/session',
  summary: 'Sign this browser out; also answers 200 where nobody is signed in.',
  auth: 'none',
  paid: false,
  body: 'none',
  input: z.object({}),
  output: z.object({ signedOut: z.boolean() }),
  envelope: 'data',
  status: 200,
  errors: ['ORIGIN_REFUSED'],
  example: {
    input: {},
    output: { signedOut: true },
  },
});

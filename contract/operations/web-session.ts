import * as z from 'zod';
import { AttemptToken, EmailAddress, Instant, PathId, SignInCode, Tier } from '../fields.ts';
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
  input: z.object({ email: EmailAddress, code: SignInCode, attemptToken: AttemptToken }),
  output: z.object({ email: z.string(), expiresAt: Instant }),
  envelope: 'data',
  status: 200,
  errors: [
    'ORIGIN_REFUSED',
    'ACCOUNT_SUSPENDED',
    'OTP_INVALID',
    'OTP_EXPIRED',
    'OTP_TOO_MANY_ATTEMPTS',
  ],
  example: {
    input: { email: example.email, code: '123456', attemptToken: example.attemptToken },
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

/** `GET /v1/sessions`: the browsers that are signed in, last used first. */
export const listSessions = operation({
  id: 'listSessions',
  group: 'accounts',
  method: 'GET',
  path: '/v1/sessions',
  summary:
    'Browsers that are signed in to your account, last used first. A session ends 30 days after its sign-in. Browser session only.',
  auth: 'session',
  paid: false,
  body: 'none',
  input: z.object({}),
  output: z.object({
    sessions: z.array(
      z.object({
        id: z.uuid(),
        createdAt: Instant,
        /** Noted once an hour. */
        lastUsedAt: Instant.nullable(),
        expiresAt: Instant,
        /** As the browser calls itself; null where it does not say. */
        browser: z.string().nullable(),
        os: z.string().nullable(),
        /** ISO 3166-1 alpha-2; where the sign-in came from. */
        country: z.string().nullable(),
        /** Whether it is the session of this request. */
        current: z.boolean(),
      }),
    ),
  }),
  envelope: 'data',
  status: 200,
  errors: [],
  example: {
    input: {},
    output: {
      sessions: [
        {
          id: example.sessionId,
          createdAt: example.at,
          lastUsedAt: example.at,
          expiresAt: example.later,
          browser: 'Firefox',
          os: 'macOS',
          country: 'DE',
          current: true,
        },
      ],
    },
  },
});

/** `DELETE /v1/sessions/{sessionId}`: signs one browser out. */
export const deleteSession = operation({
  id: 'deleteSession',
  group: 'accounts',
  method: 'DELETE',
  path: '/v1/sessions/{sessionId}',
  summary: 'Sign a browser out; its next request is refused. Browser session only.',
  auth: 'session',
  paid: false,
  body: 'none',
  input: z.object({ sessionId: PathId }),
  output: z.object({ deleted: z.boolean() }),
  envelope: 'data',
  status: 200,
  errors: ['NOT_FOUND'],
  example: { input: { sessionId: example.sessionId }, output: { deleted: true } },
});

/** `DELETE /v1/sessions`: signs all other browsers out. */
export const deleteOtherSessions = operation({
  id: 'deleteOtherSessions',
  group: 'accounts',
  method: 'DELETE',
  path: '/v1/sessions',
  summary:
    'Sign all browsers out but this one; `deleted` says how many. API keys and connected apps stay. Browser session only.',
  auth: 'session',
  paid: false,
  body: 'none',
  input: z.object({}),
  output: z.object({ deleted: z.number().int() }),
  envelope: 'data',
  status: 200,
  errors: [],
  example: { input: {}, output: { deleted: 2 } },
});

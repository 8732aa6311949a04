import * as z from 'zod';
import { AttemptToken, EmailAddress, Instant, PathId, SignInCode, Tier } from '../fields.ts';
import { example } from '../examples.ts';
import { operation } from '../operation.ts';

/** `POST /v1/session`: signs a browser in with a code; sets the session cookie. */
export const openWebSession = operation({
  id: 'openWebSession',
  group: 'accounts',
  route: 'POST /v1/session',
  summary:
    'Sign a browser in with the code. Sets a cookie and creates no key. An account that its owner deleted is restored, unless `restore` is false.',
  auth: 'page',
  body: 'json',
  input: z.object({
    email: EmailAddress,
    code: SignInCode,
    attemptToken: AttemptToken,
    restore: z
      .boolean()
      .optional()
      .describe(
        'False: an account that was deleted is not restored (409), and the code still works.',
      ),
  }),
  output: z.object({ email: z.string(), expiresAt: Instant }),
  errors: [
    'ACCOUNT_CLOSED',
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

/** `GET /v1/session`: the account that is signed in in this browser. */
export const getWebSession = operation({
  id: 'getWebSession',
  group: 'accounts',
  route: 'GET /v1/session',
  summary: 'The account that is signed in in this browser, and when the session expires.',
  auth: 'session',
  input: z.object({}),
  output: z.object({
    email: z.string(),
    plan: Tier,
    expiresAt: Instant,
    isOperator: z.boolean().describe('Whether this account may use /v1/operator.'),
  }),
  example: {
    input: {},
    output: { email: example.email, plan: 'pro', expiresAt: example.later, isOperator: false },
  },
});

/** `DELETE /v1/session`: signs this browser out. Needs no session, so that it can be repeated. */
export const endWebSession = operation({
  id: 'endWebSession',
  group: 'accounts',
  route: 'DELETE /v1/session',
  summary: 'Sign this browser out. Answers 200 even if it was not signed in.',
  auth: 'page',
  input: z.object({}),
  output: z.object({ signedOut: z.boolean() }),
  example: {
    input: {},
    output: { signedOut: true },
  },
});

/** `GET /v1/sessions`: the signed-in browsers, last used first. */
export const listSessions = operation({
  id: 'listSessions',
  group: 'accounts',
  route: 'GET /v1/sessions',
  summary:
    'List the browsers that are signed in to your account, last used first. A session expires 30 days after its sign-in. Browser session only.',
  auth: 'session',
  input: z.object({}),
  output: z.object({
    sessions: z.array(
      z.object({
        id: z.uuid(),
        createdAt: Instant,
        /** Updated at most once an hour. */
        lastUsedAt: z.nullable(Instant),
        expiresAt: Instant,
        /** From the User-Agent; null if unknown. */
        browser: z.string().nullable(),
        os: z.string().nullable(),
        /** Country of the sign-in, ISO 3166-1 alpha-2. */
        country: z.string().nullable(),
        /** True for the session of this request. */
        current: z.boolean(),
      }),
    ),
  }),
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
  route: 'DELETE /v1/sessions/{sessionId}',
  summary: 'Sign another browser out. Its next request is refused. Browser session only.',
  auth: 'session',
  input: z.object({ sessionId: PathId }),
  output: z.object({ deleted: z.boolean() }),
  errors: ['NOT_FOUND'],
  example: { input: { sessionId: example.sessionId }, output: { deleted: true } },
});

/** `DELETE /v1/sessions`: signs all other browsers out. */
export const deleteOtherSessions = operation({
  id: 'deleteOtherSessions',
  group: 'accounts',
  route: 'DELETE /v1/sessions',
  summary:
    'Sign out all browsers except this one. `deleted` is their number. API keys and connected apps are not affected. Browser session only.',
  auth: 'session',
  input: z.object({}),
  output: z.object({ deleted: z.number().int() }),
  example: { input: {}, output: { deleted: 2 } },
});

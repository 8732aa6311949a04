import * as z from 'zod';
import { AttemptToken, EmailAddress, Instant, SignInCode, Tier } from '../fields.ts';
import { example, exampleQuota } from '../examples.ts';
import { operation } from '../operation.ts';
import { defaultPlans, MonthUsage, PlanFacts } from '../plans.ts';

/** `POST /v1/auth/otp/request`: sends a six-digit sign-in code by e-mail. */
export const requestSignInCode = operation({
  id: 'requestSignInCode',
  group: 'accounts',
  route: 'POST /v1/auth/otp/request',
  summary: 'Send a six-digit sign-in code by e-mail. No account is needed beforehand.',
  auth: 'none',
  body: 'json',
  input: z.object({ email: EmailAddress, resend: z.boolean().default(false) }),
  output: z.object({
    status: z.literal('success'),
    message: z.string(),
    nextStep: z.string().optional(),
    data: z.object({
      sent: z.boolean(),
      resent: z.boolean(),
      codeAlreadySent: z.boolean(),
      expiresAt: Instant,
      resendAvailableInSeconds: z.number().int().nonnegative(),
      attemptToken: z
        .string()
        .optional()
        .describe(
          'Identifies the caller who requested the code. Send it with the code, so that wrong codes from others do not count against you.',
        ),
    }),
  }),
  envelope: 'bare',
  errors: ['RATE_LIMITED'],
  example: {
    input: { email: example.email },
    output: {
      status: 'success',
      message: 'A six-digit code is on its way to this address.',
      nextStep:
        'Ask for the six digits from the e-mail, then call POST /v1/auth/otp/verify with them and this `attemptToken`.',
      data: {
        sent: true,
        resent: false,
        codeAlreadySent: false,
        expiresAt: example.at,
        resendAvailableInSeconds: 60,
        attemptToken: example.attemptToken,
      },
    },
  },
});

/** `POST /v1/auth/otp/verify`: exchanges a code for an API key. */
export const verifySignInCode = operation({
  id: 'verifySignInCode',
  group: 'accounts',
  route: 'POST /v1/auth/otp/verify',
  summary: 'Exchange the code for an API key. The key is shown only once.',
  auth: 'none',
  body: 'json',
  input: z.object({ email: EmailAddress, code: SignInCode, attemptToken: AttemptToken }),
  output: z.object({
    email: z.string(),
    apiKey: z.string(),
    expiresAt: Instant,
    message: z.string(),
  }),
  errors: ['ACCOUNT_SUSPENDED', 'OTP_INVALID', 'OTP_EXPIRED', 'OTP_TOO_MANY_ATTEMPTS'],
  example: {
    input: { email: example.email, code: '123456', attemptToken: example.attemptToken },
    output: {
      email: example.email,
      apiKey: example.apiKey,
      expiresAt: example.later,
      message: 'Keep this key: it is shown only once.',
    },
  },
});

/** `GET /v1/auth/session`: whether a key works and when it expires. Does not renew the key. */
export const getSession = operation({
  id: 'getSession',
  group: 'accounts',
  route: 'GET /v1/auth/session',
  summary: 'Check whether the key works, to which account it belongs and when it expires.',
  auth: 'key-only',
  permissions: [],
  limitedKeys: true,
  input: z.object({}),
  output: z.object({
    email: z.string(),
    plan: Tier,
    apiKey: z.object({ expiresAt: Instant, renewsWhileInUse: z.boolean() }),
  }),
  example: {
    input: {},
    output: {
      email: example.email,
      plan: 'pro',
      apiKey: { expiresAt: example.later, renewsWhileInUse: true },
    },
  },
});

/** `GET /v1/user`: plan, limits and usage. */
export const getUser = operation({
  id: 'getUser',
  group: 'accounts',
  route: 'GET /v1/user',
  summary: 'The plan of the account, its limits and the current usage.',
  auth: 'key',
  permissions: ['account:read'],
  input: z.object({}),
  output: z.object({ email: z.string(), ...PlanFacts.shape, usage: MonthUsage }),
  example: {
    input: {},
    output: {
      email: example.email,
      plan: {
        tier: 'pro',
        trialEndsAt: example.later,
        upgradeUrl: 'https://example.org/plans',
        limits: defaultPlans.pro,
      },
      quota: exampleQuota,
      usage: { visits: 1200, bytes: 340_000_000 },
    },
  },
});

/** `DELETE /v1/account`: ends the account of this browser's session. */
export const closeAccount = operation({
  id: 'closeAccount',
  group: 'accounts',
  route: 'DELETE /v1/account',
  summary:
    'Delete your account. `confirm` is its e-mail address. Keys and apps are refused at once, and its projects are offline within minutes. Signing in within 30 days, or the link in each mail meanwhile, restores everything; then it is deleted for good. Browser session only.',
  auth: 'session',
  body: 'json',
  input: z.object({ confirm: EmailAddress }),
  output: z.object({ closed: z.literal(true), restorableUntil: Instant }),
  example: {
    input: { confirm: example.email },
    output: { closed: true, restorableUntil: example.later },
  },
});

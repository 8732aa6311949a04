import * as z from 'zod';
import { ExportPage } from '../account-export.ts';
import { example, exampleExportedProject } from '../examples.ts';
import { EmailAddress, Instant, SignInCode } from '../fields.ts';
import { operation } from '../operation.ts';

/** `GET /v1/account/export`: the whole account, in pages. */
export const exportAccount = operation({
  id: 'exportAccount',
  group: 'export',
  method: 'GET',
  path: '/v1/account/export',
  summary:
    'Export the whole account in pages: projects, settings, kept versions, and a link to each file that is not empty. The links work for one hour. A project that the operator has taken down is left out.',
  auth: 'key',
  permissions: ['account:read', 'projects:read'],
  paid: false,
  body: 'none',
  input: z.object({
    cursor: z.string().max(1024).optional(),
    /** Maximum number of files on a page; a page has fewer if the answer would become too large. */
    limit: z.coerce.number().int().min(1).max(2000).default(2000),
  }),
  output: ExportPage,
  envelope: 'data',
  status: 200,
  errors: [],
  example: {
    input: { limit: 500 },
    output: {
      formatVersion: 1,
      exportedAt: example.later,
      account: {
        email: example.email,
        tier: 'pro',
        trialEndsAt: null,
        createdAt: example.at,
        projectCount: 1,
        storageBytes: 15,
      },
      workspaces: [],
      projects: [exampleExportedProject],
      next: null,
    },
  },
});

/** `POST /v1/account/email`: mails a code to the old and one to the new address. */
export const requestEmailChange = operation({
  id: 'requestEmailChange',
  group: 'accounts',
  method: 'POST',
  path: '/v1/account/email',
  summary:
    'Begin a change of your e-mail address. A six-digit code goes to the current address, and another one to the new address. An earlier change of this browser that is not finished ends. Browser session only.',
  auth: 'session',
  paid: false,
  body: 'json',
  input: z.object({ email: EmailAddress }),
  output: z.object({ currentEmail: z.string(), newEmail: z.string(), expiresAt: Instant }),
  envelope: 'data',
  status: 200,
  errors: ['RATE_LIMITED', 'UNAVAILABLE'],
  example: {
    input: { email: 'new@example.com' },
    output: {
      currentEmail: example.email,
      newEmail: 'new@example.com',
      expiresAt: example.later,
    },
  },
});

/** `POST /v1/account/email/verify`: finishes the change with both codes. */
export const verifyEmailChange = operation({
  id: 'verifyEmailChange',
  group: 'accounts',
  method: 'POST',
  path: '/v1/account/email/verify',
  summary:
    'Finish the change of your e-mail address with both codes. All other browsers are signed out; API keys and connected apps stay. The old address gets a mail about it. Browser session only.',
  auth: 'session',
  paid: false,
  body: 'json',
  input: z.object({
    currentCode: SignInCode.describe('The code that was sent to the current address.'),
    newCode: SignInCode.describe('The code that was sent to the new address.'),
  }),
  output: z.object({ email: z.string() }),
  envelope: 'data',
  status: 200,
  errors: ['EMAIL_TAKEN', 'OTP_INVALID', 'OTP_EXPIRED', 'OTP_TOO_MANY_ATTEMPTS'],
  example: {
    input: { currentCode: '123456', newCode: '654321' },
    output: { email: 'new@example.com' },
  },
});

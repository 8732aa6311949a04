import * as z from 'zod';
import { ExportPage } from '../account-export.ts';
import { example, exampleExportedProject } from '../examples.ts';
import { EmailAddress, Instant, SignInCode } from '../fields.ts';
import { operation } from '../operation.ts';

/** `GET /v1/account/export`: the whole account, in pages. */
export const exportAccount = operation({
  id: 'exportAccount',
  group: 'export',
  route: 'GET /v1/account/export',
  summary:
    'Export the whole account in pages: projects, settings, kept versions, and a link to each file that is not empty. The links work for one hour. A project that the operator has taken down is left out.',
  auth: 'key',
  permissions: ['account:read', 'projects:read'],
  input: z.object({
    cursor: z.string().max(1024).optional(),
    /** Maximum number of files on a page; a page has fewer if the answer would become too large. */
    limit: z.coerce.number().int().min(1).max(2000).default(2000),
  }),
  output: ExportPage,
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
  route: 'POST /v1/account/email',
  summary:
    'Begin a change of your e-mail address. A six-digit code goes to the current address, and another one to the new address. An earlier change of this browser that is not finished ends. Browser session only.',
  auth: 'session',
  body: 'json',
  input: z.object({ email: EmailAddress }),
  output: z.object({ currentEmail: z.string(), newEmail: z.string(), expiresAt: Instant }),
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
  route: 'POST /v1/account/email/verify',
  summary:
    'Finish the change of your e-mail address with both codes. All other browsers are signed out; API keys and connected apps stay. The old address gets a mail about it. Browser session only.',
  auth: 'session',
  body: 'json',
  input: z.object({
    currentCode: SignInCode.describe('The code that was sent to the current address.'),
    newCode: SignInCode.describe('The code that was sent to the new address.'),
  }),
  output: z.object({ email: z.string() }),
  errors: ['EMAIL_TAKEN', 'OTP_INVALID', 'OTP_EXPIRED', 'OTP_TOO_MANY_ATTEMPTS'],
  example: {
    input: { currentCode: '123456', newCode: '654321' },
    output: { email: 'new@example.com' },
  },
});

/** Which mails an owner gets; all of them until they switch some off. */
const MailChoices = z.object({
  opens: z
    .boolean()
    .describe('Somebody opened a project or a share link whose `notify` asks for it.'),
  uploads: z.boolean().describe('Files came by an upload link whose `notify` asks for it.'),
  expiry: z.boolean().describe('A project expires in a day.'),
  trial: z.boolean().describe('The trial ends in three days.'),
  takedowns: z.boolean().describe('The operator took a project down or suspended the account.'),
});

const exampleMails = { opens: true, uploads: true, expiry: true, trial: false, takedowns: true };

/** `GET /v1/account/mails`: which mails the owner gets. */
export const getMailChoices = operation({
  id: 'getMailChoices',
  group: 'accounts',
  route: 'GET /v1/account/mails',
  summary: 'Which e-mails you get. Browser session only.',
  auth: 'session',
  input: z.object({}),
  output: z.object({ mails: MailChoices }),
  example: { input: {}, output: { mails: exampleMails } },
});

/** `PATCH /v1/account/mails`: switches mails on or off. */
export const updateMailChoices = operation({
  id: 'updateMailChoices',
  group: 'accounts',
  route: 'PATCH /v1/account/mails',
  summary:
    'Choose which e-mails you get. Codes, and mails about the security of your account, always come. Browser session only.',
  auth: 'session',
  body: 'json',
  invalid: 'VALIDATION_FAILED',
  input: z.strictObject({ mails: z.strictObject(MailChoices.shape).partial() }),
  output: z.object({ mails: MailChoices }),
  example: { input: { mails: { trial: false } }, output: { mails: exampleMails } },
});

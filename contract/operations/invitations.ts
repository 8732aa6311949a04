import * as z from 'zod';
import { example } from '../examples.ts';
import { EmailAddress, Instant, SignUpPolicy, Tier } from '../fields.ts';
import { operation } from '../operation.ts';

const shared = { group: 'operators', auth: 'session' } as const;

const InvitationOutput = z.object({
  email: z.string(),
  plan: Tier.nullable().describe(
    'The plan of the new account; null for that of every new account.',
  ),
  invitedAt: Instant,
  expiresAt: Instant,
  joinedAt: z.nullable(Instant).describe('When its account was created.'),
});

const exampleInvitation = {
  email: example.email,
  plan: null,
  invitedAt: example.at,
  expiresAt: example.later,
  joinedAt: null,
};

/** `GET /v1/operator/invitations`: who was invited. */
export const listInvitations = operation({
  ...shared,
  id: 'listInvitations',
  route: 'GET /v1/operator/invitations',
  summary:
    'List the invitations of the last 30 days, newest first, with who may sign up at all. Operators only.',
  input: z.object({}),
  output: z.object({
    signUpPolicy: SignUpPolicy,
    allowedEmailDomains: z
      .array(z.string())
      .describe('Domains whose addresses need no invitation where sign-up is open; empty for all.'),
    invitations: z.array(InvitationOutput),
  }),
  errors: ['NOT_FOUND'],
  example: {
    input: {},
    output: { signUpPolicy: 'invite', allowedEmailDomains: [], invitations: [exampleInvitation] },
  },
});

/** `POST /v1/operator/invitations`: lets an address sign up. */
export const createInvitation = operation({
  ...shared,
  id: 'createInvitation',
  route: 'POST /v1/operator/invitations',
  summary:
    'Let an address have an account, and mail it. The link of the mail only opens the page on which to sign in. It works for 30 days; a second call replaces it, and sends the mail again unless the first was within a day. Operators only.',
  body: 'json',
  input: z.strictObject({ email: EmailAddress, plan: Tier.optional() }),
  output: InvitationOutput.extend({
    url: z.string().describe('The page on which the address signs in.'),
    mailed: z
      .boolean()
      .describe(
        'False where this service has no sender of mails, or the address was invited within the last day.',
      ),
  }),
  errors: ['NOT_FOUND', 'EMAIL_TAKEN'],
  example: {
    input: { email: example.email },
    output: {
      ...exampleInvitation,
      url: 'https://app.example.com/dashboard/sign-in?email=ada%40example.com',
      mailed: true,
    },
  },
});

/** `DELETE /v1/operator/invitations?email=…`: takes an invitation back. */
export const deleteInvitation = operation({
  ...shared,
  id: 'deleteInvitation',
  route: 'DELETE /v1/operator/invitations',
  summary:
    'Take an invitation back. An account that was created with it stays. Operators only; succeeds if there is none.',
  input: z.object({ email: z.string().max(254) }),
  output: z.object({ deleted: z.boolean() }),
  errors: ['NOT_FOUND'],
  example: { input: { email: example.email }, output: { deleted: true } },
});

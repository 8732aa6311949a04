import * as z from 'zod';
import { ReportReason } from '../abuse-report.ts';
import { example } from '../examples.ts';
import { AccountId, Instant, PathId, ProjectId, Tier } from '../fields.ts';
import { operation } from '../operation.ts';

const shared = {
  group: 'operators',
  auth: 'session',
  paid: false,
  envelope: 'data',
  status: 200,
} as const;

/** A project as operators see it. */
const OperatedProject = z.object({
  projectId: ProjectId,
  title: z.string(),
  host: z.string(),
  /** Null until it is claimed. */
  ownerId: z.nullable(AccountId),
  takedown: z.object({ reason: z.string(), at: Instant }).nullable(),
});
export type OperatedProject = z.infer<typeof OperatedProject>;

/** An account as operators see it. `closed`: its owner deleted it. */
const OperatedAccount = z.object({
  accountId: AccountId,
  email: z.string(),
  plan: Tier,
  projectCount: z.number().int(),
  storageBytes: z.number().int(),
  createdAt: Instant,
  state: z.enum(['active', 'suspended', 'lifting', 'closed']),
});
export type OperatedAccount = z.infer<typeof OperatedAccount>;

const exampleOperated = {
  projectId: example.projectId,
  title: 'Calm harbour',
  host: 'calm-harbour.sites.example.net',
  ownerId: example.workspaceId,
  takedown: null,
};
const exampleAccount = {
  accountId: example.workspaceId,
  email: example.email,
  plan: 'pro',
  projectCount: 1,
  storageBytes: 15,
  createdAt: example.at,
  state: 'active',
} as const;

/** `GET /v1/operator/reports`: what visitors reported, newest first. */
export const listReports = operation({
  ...shared,
  id: 'listReports',
  method: 'GET',
  path: '/v1/operator/reports',
  summary:
    'List the newest reports of abuse, with the present state of their projects. Operators only; everybody else gets 404.',
  body: 'none',
  input: z.object({ limit: z.coerce.number().int().min(1).max(100).default(50) }),
  output: z.object({
    reports: z.array(
      z.object({
        id: z.uuid(),
        at: Instant,
        host: z.string(),
        reason: ReportReason,
        message: z.string().describe('Written by a stranger, as are `email` and `url`.'),
        email: z.string().nullable(),
        url: z.string().nullable(),
        project: OperatedProject.nullable().describe('Null when it was deleted.'),
      }),
    ),
  }),
  errors: ['NOT_FOUND'],
  example: {
    input: {},
    output: {
      reports: [
        {
          id: example.uploadId,
          at: example.at,
          host: exampleOperated.host,
          reason: 'phishing',
          message: 'It asks for the password of my bank.',
          email: null,
          url: null,
          project: exampleOperated,
        },
      ],
    },
  },
});

/** `POST /v1/operator/takedowns`: blocks a project for everybody. */
export const takeDownProject = operation({
  ...shared,
  id: 'takeDownProject',
  method: 'POST',
  path: '/v1/operator/takedowns',
  summary:
    'Block a project for everybody, from the next request on. Its owner reads the reason; a second call changes it. Operators only.',
  body: 'json',
  input: z.strictObject({
    target: z.string().trim().min(1).max(300).describe('The id of a project, or its address.'),
    reason: z.string().trim().min(1).max(1000),
  }),
  output: OperatedProject,
  errors: ['NOT_FOUND'],
  example: {
    input: { target: exampleOperated.host, reason: 'Phishing.' },
    output: { ...exampleOperated, takedown: { reason: 'Phishing.', at: example.at } },
  },
});

/** `DELETE /v1/operator/takedowns/{projectId}`: lifts a takedown. */
export const liftTakedown = operation({
  ...shared,
  id: 'liftTakedown',
  method: 'DELETE',
  path: '/v1/operator/takedowns/{projectId}',
  summary: 'Serve a project again that was taken down. Operators only.',
  body: 'none',
  input: z.object({ projectId: PathId }),
  output: OperatedProject,
  errors: ['NOT_FOUND'],
  example: { input: { projectId: example.projectId }, output: exampleOperated },
});

/** `GET /v1/operator/accounts`: one account. */
export const findAccount = operation({
  ...shared,
  id: 'findAccount',
  method: 'GET',
  path: '/v1/operator/accounts',
  summary: 'Find an account by its id or its e-mail address. Operators only.',
  body: 'none',
  input: z.object({ account: z.string().trim().min(1).max(254) }),
  output: OperatedAccount,
  errors: ['NOT_FOUND'],
  example: { input: { account: example.email }, output: exampleAccount },
});

/** `POST /v1/operator/accounts/{accountId}/suspension`: blocks an account with all its projects. */
export const suspendAccount = operation({
  ...shared,
  id: 'suspendAccount',
  method: 'POST',
  path: '/v1/operator/accounts/{accountId}/suspension',
  summary:
    'Block an account with all its projects. Nothing is deleted. If the answer does not come, send it again: it continues. Operators only.',
  body: 'none',
  input: z.object({ accountId: PathId }),
  output: OperatedAccount,
  errors: ['NOT_FOUND'],
  example: {
    input: { accountId: example.workspaceId },
    output: { ...exampleAccount, state: 'suspended' },
  },
});

/** `DELETE /v1/operator/accounts/{accountId}/suspension`: lifts a suspension. */
export const unsuspendAccount = operation({
  ...shared,
  id: 'unsuspendAccount',
  method: 'DELETE',
  path: '/v1/operator/accounts/{accountId}/suspension',
  summary:
    'Lift a suspension: the projects are served again, with as much of their lifetimes left as before. Operators only.',
  body: 'none',
  input: z.object({ accountId: PathId }),
  output: OperatedAccount,
  errors: ['NOT_FOUND'],
  example: { input: { accountId: example.workspaceId }, output: exampleAccount },
});

import * as z from 'zod';
import { ReportOutcome, ReportReason } from '../abuse-report.ts';
import { example } from '../examples.ts';
import { AccountId, Instant, PathId, ProjectId, Tier } from '../fields.ts';
import { operation } from '../operation.ts';

const shared = { group: 'operators', auth: 'session' } as const;

/** A project as operators see it. */
const OperatedProject = z.object({
  projectId: ProjectId,
  title: z.string(),
  host: z.string(),
  url: z.url(),
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
  /** Why it is suspended, if an operator said so. */
  suspensionReason: z.string().nullable(),
  state: z.enum(['active', 'suspended', 'lifting', 'closed']),
});
export type OperatedAccount = z.infer<typeof OperatedAccount>;

const exampleOperated = {
  projectId: example.projectId,
  title: 'Calm harbour',
  host: 'calm-harbour.sites.example.net',
  url: 'https://calm-harbour.sites.example.net',
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
  suspensionReason: null,
  state: 'active',
} as const;

const OperatorReason = z.string().trim().min(1).max(1000);

const OperatedReports = z.object({
  projectId: ProjectId,
  host: z.string(),
  /** When the first of these reports came. */
  since: Instant,
  count: z.number().int().describe('How many reports there are. Only the first 20 are stored.'),
  lastNumber: z.number().int().describe('The number of the last report, for `resolveReports`.'),
  reports: z
    .array(
      z.object({
        number: z.number().int(),
        at: Instant,
        reason: ReportReason,
        message: z.string().describe('Written by a stranger, as are `email` and `url`.'),
        email: z.string().nullable(),
        url: z.string().nullable(),
        siteUrl: z.url().describe('The site, version or preview at which the visitor was.'),
      }),
    )
    .describe('Those that are stored, the latest first.'),
  project: OperatedProject.extend({ ownerEmail: z.string().nullable() })
    .nullable()
    .describe('Null when it was deleted.'),
  resolution: z
    .object({ outcome: ReportOutcome, reason: z.string(), at: Instant })
    .nullable()
    .describe('Null while the reports are open.'),
});
export type OperatedReports = z.infer<typeof OperatedReports>;

const exampleReports: z.input<typeof OperatedReports> = {
  projectId: example.projectId,
  host: exampleOperated.host,
  since: example.at,
  count: 1,
  lastNumber: 1,
  reports: [
    {
      number: 1,
      at: example.at,
      reason: 'phishing',
      message: 'It asks for the password of my bank.',
      email: null,
      url: null,
      siteUrl: exampleOperated.url,
    },
  ],
  project: { ...exampleOperated, ownerEmail: example.email },
  resolution: null,
};

/** `GET /v1/operator/reports`: what visitors reported, by project. */
export const listReports = operation({
  ...shared,
  id: 'listReports',
  route: 'GET /v1/operator/reports',
  summary:
    'List the projects with open reports of abuse, those first that wait longest, or what was decided, newest first; each with its number of reports and its present state. For the next page send `nextCursor` as `cursor`. Operators only; everybody else gets 404.',
  input: z.object({
    state: z.enum(['open', 'resolved']).default('open'),
    limit: z.coerce.number().int().min(1).max(10).default(10),
    cursor: z.string().max(100).optional(),
  }),
  output: z.object({ projects: z.array(OperatedReports), nextCursor: z.string().nullable() }),
  errors: ['NOT_FOUND'],
  example: { input: {}, output: { projects: [exampleReports], nextCursor: null } },
});

/** `POST /v1/operator/reports/{projectId}/resolution`: what was decided about the reports of a project. */
export const resolveReports = operation({
  ...shared,
  id: 'resolveReports',
  route: 'POST /v1/operator/reports/{projectId}/resolution',
  summary:
    'Resolve the open reports of a project up to `lastNumber`, as the list had it: nothing is wrong, the project is taken down, or its account is suspended. Later reports stay open. The owner reads the reason of the last two. Operators only.',
  body: 'json',
  input: z.strictObject({
    projectId: PathId,
    lastNumber: z.number().int().min(1),
    outcome: ReportOutcome,
    reason: OperatorReason,
  }),
  output: z.object({ resolved: z.number().int().describe('How many reports.') }),
  errors: ['NOT_FOUND'],
  example: {
    input: {
      projectId: example.projectId,
      lastNumber: 1,
      outcome: 'taken-down',
      reason: 'Phishing.',
    },
    output: { resolved: 1 },
  },
});

/** `POST /v1/operator/takedowns`: blocks a project for everybody. */
export const takeDownProject = operation({
  ...shared,
  id: 'takeDownProject',
  route: 'POST /v1/operator/takedowns',
  summary:
    'Block a project for everybody, from the next request on. Its owner reads the reason; a second call changes it. Operators only.',
  body: 'json',
  input: z.strictObject({
    target: z.string().trim().min(1).max(300).describe('The id of a project, or its address.'),
    reason: OperatorReason,
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
  route: 'DELETE /v1/operator/takedowns/{projectId}',
  summary: 'Serve a project again that was taken down. Operators only.',
  input: z.object({ projectId: PathId }),
  output: OperatedProject,
  errors: ['NOT_FOUND'],
  example: { input: { projectId: example.projectId }, output: exampleOperated },
});

/** `GET /v1/operator/accounts`: all accounts, or one. */
export const listAccounts = operation({
  ...shared,
  id: 'listAccounts',
  route: 'GET /v1/operator/accounts',
  summary:
    'List all accounts, newest first, or with `account` (an id or an e-mail address) that one. For the next page send `nextCursor` as `cursor`. Operators only.',
  input: z.object({
    account: z.string().trim().min(1).max(254).optional(),
    limit: z.coerce.number().int().min(1).max(50).default(20),
    cursor: z.string().max(100).optional(),
  }),
  output: z.object({ accounts: z.array(OperatedAccount), nextCursor: z.string().nullable() }),
  errors: ['NOT_FOUND'],
  example: {
    input: { account: example.email },
    output: { accounts: [exampleAccount], nextCursor: null },
  },
});

/** `PUT /v1/operator/accounts/{accountId}/plan`: changes the plan of an account. */
export const setAccountPlan = operation({
  ...shared,
  id: 'setAccountPlan',
  route: 'PUT /v1/operator/accounts/{accountId}/plan',
  summary:
    'Change the plan of an account at once. A trial ends. After a change to a smaller plan the owner gets a mail, and a week to make everything fit. Operators only.',
  body: 'json',
  input: z.strictObject({ accountId: PathId, plan: Tier }),
  output: OperatedAccount,
  errors: ['NOT_FOUND'],
  example: { input: { accountId: example.workspaceId, plan: 'pro' }, output: exampleAccount },
});

/** `POST /v1/operator/accounts/{accountId}/suspension`: blocks an account with all its projects. */
export const suspendAccount = operation({
  ...shared,
  id: 'suspendAccount',
  route: 'POST /v1/operator/accounts/{accountId}/suspension',
  summary:
    'Block an account with all its projects. Nothing is deleted, and its owner reads the reason. If the answer does not come, send it again: it continues. Operators only.',
  body: 'json',
  input: z.strictObject({ accountId: PathId, reason: OperatorReason }),
  output: OperatedAccount,
  errors: ['NOT_FOUND'],
  example: {
    input: { accountId: example.workspaceId, reason: 'Phishing.' },
    output: { ...exampleAccount, suspensionReason: 'Phishing.', state: 'suspended' },
  },
});

/** `DELETE /v1/operator/accounts/{accountId}/suspension`: lifts a suspension. */
export const unsuspendAccount = operation({
  ...shared,
  id: 'unsuspendAccount',
  route: 'DELETE /v1/operator/accounts/{accountId}/suspension',
  summary:
    'Lift a suspension: the projects are served again, with as much of their lifetimes left as before. Operators only.',
  input: z.object({ accountId: PathId }),
  output: OperatedAccount,
  errors: ['NOT_FOUND'],
  example: { input: { accountId: example.workspaceId }, output: exampleAccount },
});

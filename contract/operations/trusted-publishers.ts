import * as z from 'zod';
import { example } from '../examples.ts';
import { Instant, KeyId, PathId } from '../fields.ts';
import { OAuthScope } from '../oauth/oauth.ts';
import { operation } from '../operation.ts';
import { KeyProjects, NewKeyProjects, NewPermissions } from './keys.ts';

/** The service that runs the jobs of a repository and signs their tokens. */
export const CiProvider = z.enum(['github', 'gitlab']);
export type CiProvider = z.infer<typeof CiProvider>;

/** `owner/name` at GitHub, the path of the project at GitLab: `group/subgroup/name`. */
const Repository = z
  .string()
  .max(255)
  .regex(/^[\w.-]+(?:\/[\w.-]+)+$/, 'must be the full name of one repository: owner/name');

/** A branch as git names it (git-check-ref-format): one branch, never a pattern. */
const Branch = z
  .string()
  .max(255)
  .regex(/^[^\s~^:?*[\\\p{Cc}\p{Cf}]+$/u, 'must be the name of one branch, without a pattern');

const Environment = z
  .string()
  .max(255)
  .regex(/^[^*\p{Cc}\p{Cf}]+$/u, 'must be the name of one environment, without a pattern');

/** The jobs of a repository that an account trusts: those of one branch, of one environment or of pull requests. */
export const TrustedPublisher = z.object({
  /** Not secret. A job sends it as `client_id`. */
  id: KeyId,
  provider: CiProvider,
  repository: z.string(),
  /** Null unless jobs of one branch are trusted. */
  branch: z.nullable(z.string()),
  /** Null unless jobs of one environment are trusted. */
  environment: z.nullable(z.string()),
  /** True if jobs of pull requests within the repository are trusted, and no others. */
  pullRequests: z.boolean(),
  permissions: z.array(OAuthScope),
  projectIds: KeyProjects,
  /** The provider's number of the repository, since its first job: the name alone could pass to somebody else. */
  repositoryId: z.nullable(z.string()),
  createdAt: Instant,
  /** When a job got a key last. */
  lastUsedAt: z.nullable(Instant),
});

const exampleId = example.keyId;

const examplePublisher = {
  id: exampleId,
  provider: 'github',
  repository: 'octo/site',
  branch: 'main',
  environment: null,
  pullRequests: false,
  permissions: ['projects:read', 'projects:write'],
  projectIds: [example.projectId],
  repositoryId: null,
  createdAt: example.at,
  lastUsedAt: null,
} satisfies z.input<typeof TrustedPublisher>;

/** `GET /v1/trusted-publishers`: the repositories whose jobs get keys, newest first. */
export const listTrustedPublishers = operation({
  id: 'listTrustedPublishers',
  group: 'accounts',
  route: 'GET /v1/trusted-publishers',
  summary:
    'List your trusted publishers, newest first: repositories whose jobs at GitHub or GitLab get a key of ten minutes without a stored secret.',
  auth: 'key',
  permissions: ['account:read'],
  input: z.object({}),
  output: z.object({ publishers: z.array(TrustedPublisher) }),
  example: { input: {}, output: { publishers: [examplePublisher] } },
});

/**
 * `POST /v1/trusted-publishers/add`: trusts a branch, an environment or the pull requests of a repository. It has a
 * path of its own: pages of other origins may call the list with a key, and never what takes a session.
 */
export const addTrustedPublisher = operation({
  id: 'addTrustedPublisher',
  group: 'accounts',
  route: 'POST /v1/trusted-publishers/add',
  summary:
    'Trust jobs of one repository: those of one `branch`, of one `environment` (GitHub), or of its `pullRequests`. They exchange the token that GitHub or GitLab signs for each job for a key of ten minutes, at `/oauth/token`. The key has these `permissions`, by default to read and change projects, and these projects; without `projectIds` all of the account. Browser session only.',
  auth: 'session',
  body: 'json',
  input: z
    .strictObject({
      provider: CiProvider,
      repository: Repository,
      branch: Branch.optional(),
      environment: Environment.optional(),
      pullRequests: z.literal(true).optional(),
      permissions: NewPermissions.optional(),
      projectIds: NewKeyProjects.optional(),
    })
    .refine(
      (sent) =>
        [sent.branch, sent.environment, sent.pullRequests].filter((one) => one !== undefined)
          .length === 1,
      { path: ['branch'], error: 'send one of `branch`, `environment` and `pullRequests`' },
    )
    .refine((sent) => sent.provider !== 'gitlab' || sent.environment === undefined, {
      path: ['environment'],
      error: 'GitLab lets every branch name every environment: send `branch` instead',
    })
    .refine((sent) => sent.provider !== 'github' || sent.repository.split('/').length === 2, {
      path: ['repository'],
      error: 'must be owner/name',
    }),
  output: TrustedPublisher,
  status: 201,
  errors: ['KEY_LIMIT_REACHED', 'NOT_FOUND'],
  example: {
    input: {
      provider: 'github',
      repository: 'octo/site',
      branch: 'main',
      projectIds: [example.projectId],
    },
    output: examplePublisher,
  },
});

/** `DELETE /v1/trusted-publishers/{publisherId}`: trusts it no more; its keys are refused from the next request on. */
export const deleteTrustedPublisher = operation({
  id: 'deleteTrustedPublisher',
  group: 'accounts',
  route: 'DELETE /v1/trusted-publishers/{publisherId}',
  summary:
    'Trust a repository no more. Keys that its jobs have are refused from the next request on.',
  auth: 'key',
  permissions: ['account:read', 'projects:write'],
  input: z.object({ publisherId: PathId }),
  output: z.object({ deleted: z.boolean() }),
  errors: ['NOT_FOUND'],
  example: { input: { publisherId: exampleId }, output: { deleted: true } },
});

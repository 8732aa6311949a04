import type { JWTPayload } from 'jose';
import * as z from 'zod';
import type { CiProvider } from '../../../contract/operations/trusted-publishers.ts';

/** What a publisher allows: a branch, an environment, or pull requests. */
type Place = { branch: string } | { environment: string } | 'pull request';

/** Where and how a job runs, as its token says. */
interface Job {
  repository: string;
  /** Numbers are never given to another repository, names are. */
  repositoryId: string;
  /**
   * The branch whose code runs; undefined for a tag and for pull requests. At GitHub strangers may start jobs of the
   * default branch too, with an issue or a comment: what they run is still the branch's own workflow.
   */
  branch: string | undefined;
  environment: string | undefined;
  isPullRequest: boolean;
  subject: string;
  /** The subjects that a job of this repository has at a place. */
  subjects: (place: Place) => string[];
}

/** A token whose signature, audience and times are right. */
export interface IdToken extends Job {
  provider: CiProvider;
  issuer: string;
  jti: string;
  /** From then on it is too old in any case. */
  refusedFrom: Date;
}

interface Provider {
  /** Below the issuer. */
  keySetPath: string;
  /** The longest time between the signing of a token and its use. */
  maxAgeSeconds: number;
  /** Undefined for a token with other claims than this service signs. */
  read: (payload: JWTPayload) => Job | undefined;
}

const text = z.string().min(1);

/** https://docs.github.com/en/actions/reference/security/oidc, "OIDC token claims". */
const GithubClaims = z.object({
  sub: text,
  repository: text,
  repository_id: text,
  repository_owner: text,
  repository_owner_id: text,
  ref: text,
  ref_type: text,
  event_name: text,
  environment: z.string().optional(),
});

/** https://docs.gitlab.com/ci/secrets/id_token_authentication, "Token payload". */
const GitlabClaims = z.object({
  sub: text,
  project_path: text,
  project_id: text,
  ref: text,
  ref_type: text,
  pipeline_source: text,
});

/** How pipelines of a branch begin. Others run for a merge request, perhaps within another pipeline. */
const branchSources = new Set(['push', 'web', 'schedule', 'api', 'trigger', 'pipeline']);

/** The CI services, each with what its tokens say. */
export const ciProviders: Readonly<Record<CiProvider, Provider>> = {
  github: {
    keySetPath: '/.well-known/jwks',
    maxAgeSeconds: 600,
    read(payload) {
      const { data: claims } = GithubClaims.safeParse(payload);
      if (claims === undefined) return undefined;
      const { repository, repository_id: repositoryId, environment, event_name } = claims;
      return {
        repository,
        repositoryId,
        branch: branchOf(claims),
        environment,
        isPullRequest: event_name === 'pull_request',
        subject: claims.sub,
        subjects: (place) =>
          githubNames(claims).map((name) => `repo:${name}:${githubPlace(place)}`),
      };
    },
  },
  gitlab: {
    keySetPath: '/oauth/discovery/keys',
    // GitLab signs when the job begins, and the build comes first.
    maxAgeSeconds: 3600,
    read(payload) {
      const { data: claims } = GitlabClaims.safeParse(payload);
      if (claims === undefined) return undefined;
      const { project_path: repository, project_id: repositoryId, ref, pipeline_source } = claims;
      const isBranch = claims.ref_type === 'branch';
      return {
        repository,
        repositoryId,
        branch: isBranch && branchSources.has(pipeline_source) ? ref : undefined,
        environment: undefined,
        isPullRequest: isBranch && pipeline_source === 'merge_request_event',
        subject: claims.sub,
        subjects: () => [`project_path:${repository}:ref_type:branch:ref:${ref}`],
      };
    },
  },
};

/** Anybody may open a pull request; `pull_request_target` runs for it on the branch that it is for. */
function branchOf({ ref, ref_type, event_name }: z.infer<typeof GithubClaims>) {
  const [, branch] = /^refs\/heads\/(.+)$/s.exec(ref) ?? [];
  return ref_type === 'branch' && !event_name.startsWith('pull_request') ? branch : undefined;
}

/** A repository in a subject: for newer ones with the numbers of owner and repository. */
function githubNames(claims: z.infer<typeof GithubClaims>): string[] {
  const { repository, repository_id, repository_owner: owner, repository_owner_id } = claims;
  const name = repository.slice(owner.length + 1);
  return [`${owner}/${name}`, `${owner}@${repository_owner_id}/${name}@${repository_id}`];
}

function githubPlace(place: Place): string {
  if (place === 'pull request') return 'pull_request';
  if ('branch' in place) return `ref:refs/heads/${place.branch}`;
  // A colon separates the parts of a subject.
  return `environment:${place.environment.replaceAll(':', '%3A')}`;
}

import { type AccountId, type Instant, ProjectId } from '../../contract/fields.ts';
import type { ChangeOutcome, ProjectChange } from './change/project-change.ts';
import type { Project } from './project.ts';
import type { QuotaCharge, QuotaRefusal } from './quota.ts';
import type { Removal } from './removal/removal.ts';
import type { AccountCaller } from '../caller.ts';
import { CodedError } from '../errors.ts';
import type { ProjectStore } from '../ports.ts';

/** Changes projects together with the usage totals of their accounts, in one transaction. */
export interface OwnedProjectStore {
  /** Writes a project's next state over the one it was made from. */
  change(change: ProjectChange): Promise<ChangeOutcome>;
  findClaim(claimHash: string): Promise<Claim | undefined>;
  /** Moves a temporary project into an account; `lost` when it is claimed, expired or being removed, `account-state` when the account is suspended. */
  claim(claiming: ClaimWrite): Promise<ClaimOutcome>;
  /** Removes a project's serving record and its usage; false when it changed or its removal has begun already. */
  beginRemoval(removal: Removal): Promise<boolean>;
  /**
   * Records whether a deleted project is taken down; false when it changed, or cannot be restored
   * any more.
   */
  noteTakedown(
    deleted: Project,
    note: { takedown: Project['takedown']; now: Date },
  ): Promise<boolean>;
  /** An account's projects, newest first. */
  list(query: ProjectQuery): Promise<Project[]>;
  /** All active or all archived projects of an account by their age, in the pages in which they are read. */
  scan(query: ProjectScan): AsyncIterable<Project[]>;
}

/** The claim behind a claim token. */
export interface Claim {
  projectId: ProjectId;
  /** Set once somebody has claimed the project. */
  claimedAt: Instant | null;
}

/** The result of writing a claim. */
export type ClaimOutcome = 'claimed' | 'lost' | 'account-state' | QuotaRefusal;

/** The data of a claim for one write. */
export interface ClaimWrite {
  /** The project as it will be: owned, with its new expiry. */
  project: Project;
  claimHash: string;
  charge: QuotaCharge | undefined;
  at: Instant;
}

/** All active or all archived projects of an account, by age. */
export interface ProjectScan {
  accountId: AccountId;
  state: 'active' | 'archived';
  isNewestFirst: boolean;
  /** The project after which to begin. */
  after: { createdAt: Instant; id: string } | undefined;
  /** How many are read at once; undefined for as many as one call gives. */
  pageSize: number | undefined;
}

/** Which projects of an account. */
export interface ProjectQuery {
  accountId: AccountId;
  archived: 'true' | 'false' | 'all';
  workspaceId?: string | undefined;
  limit: number;
  offset: number;
}

/**
 * The caller's project with this id. For the caller, projects of other accounts, projects for which their
 * key was not made and projects that are being removed do not exist.
 * @throws CodedError NOT_FOUND
 */
export async function requireOwnedProject(
  projects: Pick<ProjectStore, 'get'>,
  caller: AccountCaller,
  id: string,
): Promise<Project> {
  const projectId = ProjectId.safeParse(id).data;
  const isSeen = projectId !== undefined && caller.projectIds?.includes(projectId) !== false;
  const project = isSeen ? await projects.get(projectId) : undefined;
  if (project === undefined || project.ownerId !== caller.account.id) throw projectNotFound();
  if (project.failure !== null) throw firstUploadFailed(project.failure);
  if (project.removingAt !== null) throw projectNotFound();
  return project;
}

/**
 * A `catch` handler for reads of data outside a project's row, such as manifests: a removal may
 * have deleted them since the row was read.
 * @throws CodedError NOT_FOUND; the error itself while the project is there
 */
export function unlessRemoved(
  projects: Pick<ProjectStore, 'get'>,
  caller: AccountCaller,
  id: string,
) {
  return async (error: unknown): Promise<never> => {
    await requireOwnedProject(projects, caller, id);
    throw error;
  };
}

/** For the caller there is no such project. */
export function projectNotFound(): CodedError {
  return new CodedError('NOT_FOUND', { error: 'You have no project with this id.' });
}

function firstUploadFailed(failure: string): CodedError {
  return new CodedError('NOT_FOUND', {
    error: `This project was not published: ${failure}`,
    nextStep: 'Correct the problem in `error`, then upload and publish again. Nothing was kept.',
  });
}

/**
 * The error for operations that need a published version, while the project's first upload is still
 * being stored.
 */
export function uploadNotPublished(): CodedError {
  return new CodedError('UPLOAD_INCOMPLETE', {
    error: 'The first upload of this project is not published yet.',
    nextStep: 'Wait until GET /v1/projects/{projectId} shows another status than `uploading`.',
  });
}

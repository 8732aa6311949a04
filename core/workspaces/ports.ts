import type { AccountId, Instant, ProjectId, WorkspaceId } from '../../contract/fields.ts';
import type { Workspace } from './workspace.ts';

/** Workspaces of accounts. */
export interface WorkspaceStore {
  /** Stores a new workspace unless the account has `limit` of them; false then. */
  createWithinLimit(limit: number, accountId: AccountId, workspace: Workspace): Promise<boolean>;
  /** Every workspace of an account, in no order, also one whose deletion has begun. */
  list(accountId: AccountId): Promise<Workspace[]>;
  /** Undefined when there is none or its deletion has begun. */
  rename(
    accountId: AccountId,
    workspaceId: WorkspaceId,
    change: { name: string; updatedAt: Instant },
  ): Promise<Workspace | undefined>;
  /** Begins a deletion: from then on no project can be added. Also true if it was begun before. */
  beginDeletion(accountId: AccountId, workspaceId: WorkspaceId, at: Instant): Promise<boolean>;
  /** Removes a workspace whose deletion has begun; false while projects are in it. */
  endDeletion(accountId: AccountId, workspaceId: WorkspaceId): Promise<boolean>;
}

/** The projects of workspaces. */
export interface WorkspaceProjects {
  /** May lag behind by moments, in both directions. */
  idsIn(accountId: AccountId, workspaceId: WorkspaceId): AsyncIterable<ProjectId>;
  /**
   * Removes a project from the workspace and from its count; does nothing if the project is not in
   * it.
   */
  release(accountId: AccountId, projectId: ProjectId, workspaceId: WorkspaceId): Promise<void>;
}

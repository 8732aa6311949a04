import type { AccountId, Instant, ProjectId } from '../../contract/fields.ts';
import type { Change, Changed } from './settings/change.ts';
import type { Project } from './project.ts';
import type { Charge, Refusal } from './quota.ts';
import type { Removal } from './removal/removal.ts';

/** Where projects and the sums of the accounts they count for change together, or not at all. */
export interface OwnedProjectStore {
  /** Writes a project's next state over the one it was made from. */
  change(change: Change): Promise<Changed>;
  findClaim(claimHash: string): Promise<Claim | undefined>;
  /** Gives an ownerless project to an account; `lost` when it is claimed, expired or being removed, `account-state` when that account is suspended. */
  claim(claiming: Claiming): Promise<'claimed' | 'lost' | 'account-state' | Refusal>;
  /** Takes a project from visitors and from its owner's sums; false when it changed or was taken already. */
  beginRemoval(removal: Removal): Promise<boolean>;
  /** An account's projects, newest first. */
  list(query: ProjectQuery): Promise<Project[]>;
}

/** What a claim token leads to. */
export interface Claim {
  projectId: ProjectId;
  /** Set once somebody has claimed the project. */
  claimedAt: Instant | null;
}

/** One claim as it is to be written. */
export interface Claiming {
  /** The project as it will be: owned, with its new expiry. */
  project: Project;
  claimHash: string;
  charge: Charge | undefined;
  at: Instant;
  /** When the edge is told to forget that search engines were to keep away. */
  purgeAt: Instant;
}

/** Which projects of an account. */
export interface ProjectQuery {
  accountId: AccountId;
  archived: 'true' | 'false' | 'all';
  workspaceId?: string | undefined;
  limit: number;
  offset: number;
}

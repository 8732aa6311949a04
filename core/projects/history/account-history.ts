import type { AccountId, Instant, ProjectId } from '../../../contract/fields.ts';
import type { Account } from '../../accounts/account.ts';
import type { ProjectHistory } from './project-history.ts';

/** The earlier versions of all projects of an account, and when they are checked. */
export interface AccountHistory extends PlanChecks {
  /** An account, and the total bytes of the earlier versions of its projects. */
  find(accountId: AccountId): Promise<{ account: Account; earlierBytes: number } | undefined>;
  /** Its projects with earlier versions; eventually consistent. */
  projects(accountId: AccountId): Promise<readonly ProjectWithHistory[]>;
  /** Schedules maintenance to trim the earlier versions to the plan's bytes. */
  scheduleTrim(accountId: AccountId, at: Instant): Promise<void>;
  /** Deletes a trim that was due at `at`; one that was scheduled later stays. */
  endTrim(accountId: AccountId, at: Instant): Promise<void>;
}

/** When accounts are compared with their plans; one check for each account. */
export interface PlanChecks {
  findCheck(accountId: AccountId): Promise<PlanCheck | undefined>;
  /** Schedules a check; `keeping` leaves a check that exists already. */
  scheduleCheck(check: PlanCheck, mode: 'keeping' | 'replacing'): Promise<void>;
  /** Replaces a check; false when it changed in the meantime. */
  moveCheck(from: PlanCheck, to: PlanCheck): Promise<boolean>;
  /** Deletes a check; false when it changed in the meantime. */
  endCheck(check: PlanCheck): Promise<boolean>;
  /** Times that are due. A check may have moved to another time since. */
  dueChecks(now: Date): AsyncIterable<PlanCheckTime>;
  /** Deletes a time that has no check any more. */
  forgetTime(time: PlanCheckTime): Promise<void>;
}

/** A time at which a check is scheduled, or was. */
export type PlanCheckTime = Pick<PlanCheck, 'accountId' | 'dueAt'>;

export interface ProjectWithHistory {
  projectId: ProjectId;
  history: ProjectHistory;
}

/** When an account is compared with its plan. */
export interface PlanCheck {
  accountId: AccountId;
  dueAt: Instant;
  /** Set after the owner was notified: versions above the plan are removed at this time. */
  pruneAt: Instant | null;
}

/** Whether a notice is running or about to be sent. */
export function isNoticePending(check: PlanCheck | undefined, now: Date): boolean {
  if (check === undefined) return false;
  return check.pruneAt !== null || Date.parse(check.dueAt) <= now.getTime();
}

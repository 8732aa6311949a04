import type { AccountId, Instant, ProjectId } from '../../../contract/fields.ts';
import type { Account } from '../../accounts/account.ts';
import type { ProjectHistory } from './project-history.ts';

/** What all projects of an account keep beside their live versions, and when that is looked at. */
export interface AccountHistory extends PlanChecks {
  /** An account, and the bytes of all earlier versions of its projects. */
  find(accountId: AccountId): Promise<{ account: Account; earlierBytes: number } | undefined>;
  /** Its projects that keep earlier versions; follows their changes within moments. */
  projects(accountId: AccountId): Promise<readonly ProjectWithHistory[]>;
  /** Has an account's earlier versions brought down to the plan's bytes by maintenance. */
  scheduleTrim(accountId: AccountId, at: Instant): Promise<void>;
  /** Forgets a trim that was due by `at`; one that was asked for later stays. */
  endTrim(accountId: AccountId, at: Instant): Promise<void>;
}

/** When accounts are compared with their plans; one check for each. */
export interface PlanChecks {
  findCheck(accountId: AccountId): Promise<PlanCheck | undefined>;
  /** Has an account compared with its plan at a time; `keeping` one that stands already. */
  scheduleCheck(check: PlanCheck, mode: 'keeping' | 'replacing'): Promise<void>;
  /** Puts a check in the place of another; false when that changed in the meantime. */
  moveCheck(from: PlanCheck, to: PlanCheck): Promise<boolean>;
  /** Forgets a check; false when it changed in the meantime. */
  endCheck(check: PlanCheck): Promise<boolean>;
  /** Times that are over; a check may have moved since. */
  dueChecks(now: Date): AsyncIterable<PlanCheckTime>;
  /** Forgets a time at which nothing is to be done any more. */
  forgetTime(time: PlanCheckTime): Promise<void>;
}

/** A time at which an account is compared with its plan, or was to be. */
export type PlanCheckTime = Pick<PlanCheck, 'accountId' | 'dueAt'>;

export interface ProjectWithHistory {
  projectId: ProjectId;
  history: ProjectHistory;
}

/** When an account is compared with its plan. */
export interface PlanCheck {
  accountId: AccountId;
  dueAt: Instant;
  /** Set once the owner was told: what is above the plan then, leaves. */
  pruneAt: Instant | null;
}

/** For so long an owner is told before what is above a smaller plan leaves. */
export const noticeSeconds = 7 * 86_400;

/** Whether what is above a plan waits for the end of a notice, or is about to be told of. */
export function isNoticePending(check: PlanCheck | undefined, now: Date): boolean {
  if (check === undefined) return false;
  return check.pruneAt !== null || Date.parse(check.dueAt) <= now.getTime();
}

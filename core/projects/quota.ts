import type { AccountId } from '../../contract/fields.ts';
import type { PlanLimits } from '../../contract/plans.ts';
import { type Account, effectiveTier, type Plans } from '../accounts/account.ts';
import { CodedError } from '../errors.ts';
import { previewBytes } from './previews/named-preview.ts';
import type { Project } from './project.ts';

type QuotaUsage = Pick<Account, 'projectCount' | 'storageBytes'> & { archivedCount?: number };

/**
 * Archived projects of an account, in every plan. Closing or suspending an account changes each of them, and a search
 * reads each.
 */
export const maxArchivedProjects = 500;

/** The limits of an account, and whether it has a webhook that may want to know when one is near. */
export type AccountLimits = PlanLimits & Pick<Account, 'hasWebhooks'>;

/** The limits of an account's usage totals; -1 means unlimited. */
export type TotalLimits = Pick<AccountLimits, 'maxProjects' | 'maxStorageBytes' | 'hasWebhooks'>;

/** Changes by operators have no limits. */
export const unlimited: TotalLimits = { maxProjects: -1, maxStorageBytes: -1 };

/** How a change of one project changes its owner's usage totals, and their limits. */
export interface QuotaCharge extends TotalLimits {
  accountId: AccountId;
  /** 1, 0 or -1. */
  projects: number;
  /** Archived ones: 1, 0 or -1. */
  archived: number;
  bytes: number;
  /** Bytes of earlier versions. They never cause a refusal. */
  earlierBytes: number;
}

/** A charge that was refused, with the usage totals at that time. */
export interface QuotaRefusal {
  refused: QuotaUsage;
}

/** The limits of the plan that an account has now. */
export function effectiveLimits(plans: Plans, account: Account, now: Date): AccountLimits {
  const { hasWebhooks } = account;
  return { ...plans[effectiveTier(account, now)], ...(hasWebhooks && { hasWebhooks }) };
}

type QuotaFields = Pick<
  Project,
  'ownerId' | 'archivedAt' | 'removingAt' | 'bytes' | 'history' | 'previews'
>;

/** The charge for a change of a project; `undefined` when no total changes. */
export function calculateCharge(
  before: QuotaFields | undefined,
  after: QuotaFields,
  limits: TotalLimits,
): QuotaCharge | undefined {
  const accountId = after.ownerId ?? before?.ownerId ?? null;
  const usedBefore = countedUsage(before);
  const usedAfter = countedUsage(after);
  const projects = usedAfter.projects - usedBefore.projects;
  const archived = usedAfter.archived - usedBefore.archived;
  const bytes = usedAfter.bytes - usedBefore.bytes;
  const earlierBytes = earlierBytesOf(after) - earlierBytesOf(before);
  const isSame = projects === 0 && archived === 0 && bytes === 0 && earlierBytes === 0;
  if (accountId === null || isSame) return undefined;
  const { maxProjects, maxStorageBytes, hasWebhooks } = limits;
  const change = { projects, archived, bytes, earlierBytes };
  return {
    accountId,
    ...change,
    maxProjects,
    maxStorageBytes,
    ...(hasWebhooks && { hasWebhooks }),
  };
}

/** Earlier versions of archived projects count too: they are still stored. */
function earlierBytesOf(project: QuotaFields | undefined): number {
  if (project === undefined || project.ownerId === null || project.removingAt !== null) return 0;
  return project.history.bytes;
}

/** Bytes of archived projects do not count; expired projects count until they are removed. */
function countedUsage(project: QuotaFields | undefined) {
  const isOwned = project !== undefined && project.ownerId !== null && project.removingAt === null;
  if (!isOwned) return { projects: 0, archived: 0, bytes: 0 };
  return project.archivedAt === null
    ? { projects: 1, archived: 0, bytes: project.bytes + previewBytes(project.previews) }
    : { projects: 0, archived: 1, bytes: 0 };
}

/** The error for a charge that exceeds the limits; `undefined` when it does not. */
export function quotaError(charge: QuotaCharge, used: QuotaUsage): CodedError | undefined {
  const { projects, archived, bytes, maxProjects, maxStorageBytes } = charge;
  if (archived > 0 && (used.archivedCount ?? 0) + archived > maxArchivedProjects) {
    return new CodedError('PROJECT_LIMIT_REACHED', {
      error: `An account can keep ${maxArchivedProjects} archived projects.`,
      nextStep: 'Delete archived projects that you no longer need, then archive this one.',
    });
  }
  if (projects > 0 && maxProjects !== -1 && used.projectCount + projects > maxProjects) {
    return new CodedError('PROJECT_LIMIT_REACHED', {
      error: `The plan allows ${maxProjects} active projects; ${used.projectCount} are in use.`,
    });
  }
  if (bytes > 0 && maxStorageBytes !== -1 && used.storageBytes + bytes > maxStorageBytes) {
    return new CodedError('STORAGE_LIMIT_REACHED', {
      error: `The plan allows ${maxStorageBytes} bytes; ${used.storageBytes} are in use, and this adds ${bytes}.`,
    });
  }
  return undefined;
}

/**
 * Refuses a charge that exceeds the limits. Only the check in the write itself is exact.
 * @throws CodedError PROJECT_LIMIT_REACHED, STORAGE_LIMIT_REACHED
 */
export function requireQuota(charge: QuotaCharge | undefined, used: QuotaUsage): void {
  const refusal = charge === undefined ? undefined : quotaError(charge, used);
  if (refusal !== undefined) throw refusal;
}

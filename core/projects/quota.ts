import type { AccountId } from '../../contract/fields.ts';
import type { PlanLimits } from '../../contract/plans.ts';
import { type Account, effectiveTier, type Plans } from '../accounts/account.ts';
import { CodedError } from '../errors.ts';
import type { Project } from './project.ts';

type Used = Pick<Account, 'projectCount' | 'storageBytes'>;

/** How far a plan lets an account's sums grow; -1 means unlimited. */
export type SumLimits = Pick<PlanLimits, 'maxProjects' | 'maxStorageBytes'>;

/** What operators do is not held to a plan. */
export const unlimited: SumLimits = { maxProjects: -1, maxStorageBytes: -1 };

/** How a change of one project changes its owner's sums, and how far they may grow by it. */
export interface Charge extends SumLimits {
  accountId: AccountId;
  /** 1, 0 or -1. */
  projects: number;
  bytes: number;
  /** Of versions that are kept beside live ones; they refuse nothing. */
  earlierBytes: number;
}

/** A charge that the account's sums, as they stood, did not allow. */
export interface Refusal {
  refused: Used;
}

/** The plan that counts for an account now. */
export function limitsOf(plans: Plans, account: Account, now: Date): PlanLimits {
  return plans[effectiveTier(account, now)];
}

type Counted = Pick<Project, 'ownerId' | 'archivedAt' | 'removingAt' | 'bytes' | 'history'>;

/** The charge of a change from one state of a project to another; `undefined` when no sum changes. */
export function chargeOf(
  before: Counted | undefined,
  after: Counted,
  limits: SumLimits,
): Charge | undefined {
  const accountId = after.ownerId ?? before?.ownerId ?? null;
  const was = counts(before);
  const is = counts(after);
  const projects = is.projects - was.projects;
  const bytes = is.bytes - was.bytes;
  const earlierBytes = earlierBytesOf(after) - earlierBytesOf(before);
  const isSame = projects === 0 && bytes === 0 && earlierBytes === 0;
  if (accountId === null || isSame) return undefined;
  const { maxProjects, maxStorageBytes } = limits;
  return { accountId, projects, bytes, earlierBytes, maxProjects, maxStorageBytes };
}

/** Those of archived projects count as well: they are kept all the same. */
function earlierBytesOf(project: Counted | undefined): number {
  if (project === undefined || project.ownerId === null || project.removingAt !== null) return 0;
  return project.history.bytes;
}

/** Only active projects of an account count; expired ones do until they are removed. */
function counts(project: Counted | undefined): { projects: number; bytes: number } {
  const isCounted =
    project !== undefined &&
    project.ownerId !== null &&
    project.archivedAt === null &&
    project.removingAt === null;
  return isCounted ? { projects: 1, bytes: project.bytes } : { projects: 0, bytes: 0 };
}

/** Why an account's sums do not allow a charge, with figures; `undefined` when they do. */
export function overQuota(charge: Charge, used: Used): CodedError | undefined {
  const { projects, bytes, maxProjects, maxStorageBytes } = charge;
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
 * Refuses what an account's sums do not allow; exact only where the sums were read with the write.
 * @throws CodedError PROJECT_LIMIT_REACHED, STORAGE_LIMIT_REACHED
 */
export function checkCharge(charge: Charge | undefined, used: Used): void {
  const refusal = charge === undefined ? undefined : overQuota(charge, used);
  if (refusal !== undefined) throw refusal;
}

import type { AccountId } from '../../contract/fields.ts';
import type { PlanLimits } from '../../contract/plans.ts';
import { type Account, effectiveTier, type Plans } from '../accounts/account.ts';
import { CodedError } from '../errors.ts';

type Used = Pick<Account, 'projectCount' | 'storageBytes'>;

/** One more project for an account, and how far its plan lets it go; -1 means unlimited. */
export interface Charge {
  accountId: AccountId;
  bytes: number;
  maxProjects: number;
  maxStorageBytes: number;
}

/** A charge that the account's sums, as they stood, did not allow. */
export interface Refusal {
  refused: Used;
}

/** The plan that counts for an account now. */
export function limitsOf(plans: Plans, account: Account, now: Date): PlanLimits {
  return plans[effectiveTier(account, now)];
}

/** One more project of `bytes` bytes for an account. */
export function chargeOf({ id }: Account, limits: PlanLimits, bytes: number): Charge {
  const { maxProjects, maxStorageBytes } = limits;
  return { accountId: id, bytes, maxProjects, maxStorageBytes };
}

/** Why an account's sums do not allow a charge, with figures; `undefined` when they do. */
export function overQuota(charge: Charge, used: Used): CodedError | undefined {
  const { bytes, maxProjects, maxStorageBytes } = charge;
  if (maxProjects !== -1 && used.projectCount >= maxProjects) {
    return new CodedError('PROJECT_LIMIT_REACHED', {
      error: `The plan allows ${maxProjects} active projects; ${used.projectCount} are in use.`,
    });
  }
  if (maxStorageBytes !== -1 && used.storageBytes + bytes > maxStorageBytes) {
    return new CodedError('STORAGE_LIMIT_REACHED', {
      error: `The plan allows ${maxStorageBytes} bytes; ${used.storageBytes} are in use, and this project has ${bytes}.`,
    });
  }
  return undefined;
}

/**
 * Refuses what an account's sums do not allow; exact only where the sums were read with the write.
 * @throws CodedError PROJECT_LIMIT_REACHED, STORAGE_LIMIT_REACHED
 */
export function checkCharge(charge: Charge, used: Used): void {
  const refusal = overQuota(charge, used);
  if (refusal !== undefined) throw refusal;
}

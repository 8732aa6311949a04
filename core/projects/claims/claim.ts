import type { Account } from '../../accounts/account.ts';
import { CodedError } from '../../errors.ts';
import { instant } from '../../instants.ts';
import { endAfterClaim, isExpired } from '../removal/ending.ts';
import type { Claim } from '../owned-projects.ts';
import type { Project } from '../project.ts';

/**
 * The project that a claim token leads to, if it can still be kept.
 * @throws CodedError CLAIM_NOT_FOUND, ALREADY_CLAIMED
 */
export function claimable(
  claim: Claim | undefined,
  project: Project | undefined,
  now: Date,
): Project {
  if (claim === undefined) throw unknownToken();
  if (claim.claimedAt !== null) throw alreadyClaimed();
  if (project === undefined || project.removingAt !== null) throw unknownToken();
  if (project.ownerId !== null) throw alreadyClaimed();
  if (isExpired(project, now)) throw unknownToken();
  return project;
}

/** The project as it is once an account has claimed it. */
export function claimed(
  project: Project,
  account: Pick<Account, 'id'>,
  isFree: boolean,
  now: Date,
): Project {
  return {
    ...project,
    ownerId: account.id,
    expiresAt: endAfterClaim(isFree, now),
    revision: project.revision + 1,
    updatedAt: instant(now),
  };
}

function unknownToken(): CodedError {
  return new CodedError('CLAIM_NOT_FOUND', {
    error: 'This claim link is not known, or its project has expired.',
  });
}

function alreadyClaimed(): CodedError {
  return new CodedError('ALREADY_CLAIMED', { error: 'This project has already been claimed.' });
}

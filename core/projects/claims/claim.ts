import type { Account } from '../../accounts/account.ts';
import { CodedError } from '../../errors.ts';
import { hasExpired, instant } from '../../instants.ts';
import { expiryAfterClaim } from '../removal/expiry.ts';
import type { Claim } from '../owned-projects.ts';
import type { Project } from '../project.ts';

/**
 * The project behind a claim token, if it can still be claimed.
 * @throws CodedError CLAIM_NOT_FOUND, ALREADY_CLAIMED
 */
export function requireClaimable(
  claim: Claim | undefined,
  project: Project | undefined,
  now: Date,
): Project {
  if (claim === undefined) throw unknownToken();
  if (claim.claimedAt !== null) throw alreadyClaimed();
  if (project === undefined || project.removingAt !== null) throw unknownToken();
  if (project.ownerId !== null) throw alreadyClaimed();
  if (hasExpired(project, now)) throw unknownToken();
  return project;
}

/** The project after an account has claimed it. */
export function claimedProject(
  project: Project,
  account: Pick<Account, 'id'>,
  isFree: boolean,
  now: Date,
): Project {
  return {
    ...project,
    ownerId: account.id,
    expiresAt: expiryAfterClaim(isFree, now),
    restingUntil: null,
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

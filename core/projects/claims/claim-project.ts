import { effectiveTier, type Plans } from '../../accounts/account.ts';
import { accountSuspended } from '../../accounts/suspension.ts';
import type { AccountCaller } from '../../caller.ts';
import { instant } from '../../instants.ts';
import type { ProjectStore } from '../../ports.ts';
import type { Addresses } from '../addresses/addresses.ts';
import { claimedProject, requireClaimable } from './claim.ts';
import type { OwnedProjectStore } from '../owned-projects.ts';
import type { Project } from '../project.ts';
import { calculateCharge, effectiveLimits, requireQuota, quotaError } from '../quota.ts';
import { hashSecretText } from '../../secret-text.ts';

/** Dependencies of {@link claimProject}. */
export interface ClaimProjectDeps {
  projects: Pick<ProjectStore, 'get'>;
  owned: Pick<OwnedProjectStore, 'findClaim' | 'claim'>;
  addresses: Addresses;
  plans: Plans;
  now(): Date;
}

/** After a lost try, the next one finds the reason. */
const tries = 5;

/**
 * Moves a temporary project into the caller's account. Exactly one caller succeeds, and never over the quota.
 * @throws CodedError CLAIM_NOT_FOUND, ALREADY_CLAIMED, PROJECT_LIMIT_REACHED, STORAGE_LIMIT_REACHED, ACCOUNT_SUSPENDED
 */
export async function claimProject(
  deps: ClaimProjectDeps,
  caller: Pick<AccountCaller, 'account'>,
  input: { claimToken: string },
) {
  const claimHash = hashSecretText(input.claimToken);
  for (let count = 1; count <= tries; count += 1) {
    const project = await tryClaim(deps, caller, claimHash);
    if (project === undefined) continue;
    const { id, slug, host, expiresAt } = project;
    return { projectId: id, slug, url: deps.addresses.siteUrl(host), expiresAt };
  }
  throw new Error(`a claim lost ${tries} times for no known reason`);
}

/**
 * The temporary project behind a token, if it can be claimed now.
 * @throws CodedError CLAIM_NOT_FOUND, ALREADY_CLAIMED
 */
export async function previewClaim(
  deps: Pick<ClaimProjectDeps, 'projects' | 'owned' | 'now'>,
  input: { claimToken: string },
): Promise<Project> {
  const { found } = await findClaimable(deps, hashSecretText(input.claimToken));
  return found;
}

/** One try; `undefined` when the project changed since it was read. */
async function tryClaim(
  deps: ClaimProjectDeps,
  { account }: Pick<AccountCaller, 'account'>,
  claimHash: string,
): Promise<Project | undefined> {
  const { found, now } = await findClaimable(deps, claimHash);
  const tier = effectiveTier(account, now);
  const project = claimedProject(found, account, tier === 'free', now);
  const charge = calculateCharge(found, project, effectiveLimits(deps.plans, account, now));
  requireQuota(charge, account);
  const at = instant(now);
  const outcome = await deps.owned.claim({ project, claimHash, charge, at });
  if (outcome === 'claimed') return project;
  if (outcome === 'lost') return undefined;
  if (outcome === 'account-state') throw accountSuspended();
  throw (
    (charge && quotaError(charge, outcome.refused)) ??
    new Error('a claim was refused although the plan has room')
  );
}

/** The current state of the project of a token. */
async function findClaimable(
  deps: Pick<ClaimProjectDeps, 'projects' | 'owned' | 'now'>,
  claimHash: string,
) {
  const claim = await deps.owned.findClaim(claimHash);
  const project = claim === undefined ? undefined : await deps.projects.get(claim.projectId);
  const now = deps.now();
  return { found: requireClaimable(claim, project, now), now };
}

import { effectiveTier, type Plans } from '../../accounts/account.ts';
import { accountSuspended } from '../../accounts/suspension.ts';
import type { AccountCaller } from '../../caller.ts';
import { instant } from '../../instants.ts';
import type { EdgeCache, ProjectStore } from '../../ports.ts';
import type { Addresses } from '../addresses/addresses.ts';
import { claimable, claimed } from './claim.ts';
import { hashToken } from './claim-token.ts';
import type { OwnedProjectStore } from '../owned-projects.ts';
import type { Project } from '../project.ts';
import { purgeDueAt } from '../removal/purge.ts';
import { chargeOf, checkCharge, overQuota } from '../quota.ts';

/** What keeping a temporary project needs. */
export interface ClaimProjectDeps {
  projects: Pick<ProjectStore, 'get'>;
  owned: Pick<OwnedProjectStore, 'findClaim' | 'claim'>;
  addresses: Addresses;
  edge: EdgeCache;
  plans: Plans;
  now(): Date;
}

/** Losing once tells why at the next look. */
const tries = 5;

/**
 * Makes a temporary project the caller's own; exactly one caller wins, and never over the quota.
 * @throws CodedError CLAIM_NOT_FOUND, ALREADY_CLAIMED, PROJECT_LIMIT_REACHED, STORAGE_LIMIT_REACHED, ACCOUNT_SUSPENDED
 */
export async function claimProject(
  deps: ClaimProjectDeps,
  caller: Pick<AccountCaller, 'account'>,
  input: { claimToken: string },
) {
  const claimHash = hashToken(input.claimToken);
  for (let count = 1; count <= tries; count += 1) {
    const project = await keep(deps, caller, claimHash);
    if (project === undefined) continue;
    const { id, slug, host, expiresAt } = project;
    // The edge may hold its pages with `noindex`. A failure is no failure of the claim: a purge is due in a minute.
    await deps.edge.forget(id).catch(() => undefined);
    return { projectId: id, slug, url: deps.addresses.siteUrl(host), expiresAt };
  }
  throw new Error(`a claim lost ${tries} times and could not be told why`);
}

/**
 * The temporary project behind a token, as it may be claimed now.
 * @throws CodedError CLAIM_NOT_FOUND, ALREADY_CLAIMED
 */
export async function previewClaim(
  deps: Pick<ClaimProjectDeps, 'projects' | 'owned' | 'now'>,
  input: { claimToken: string },
): Promise<Project> {
  const { found } = await look(deps, hashToken(input.claimToken));
  return found;
}

/** One try; `undefined` when something changed since it looked. */
async function keep(
  deps: ClaimProjectDeps,
  { account }: Pick<AccountCaller, 'account'>,
  claimHash: string,
): Promise<Project | undefined> {
  const { found, now } = await look(deps, claimHash);
  const tier = effectiveTier(account, now);
  const project = claimed(found, account, tier === 'free', now);
  const charge = chargeOf(found, project, deps.plans[tier]);
  checkCharge(charge, account);
  const at = instant(now);
  const purgeAt = purgeDueAt(now);
  const outcome = await deps.owned.claim({ project, claimHash, charge, at, purgeAt });
  if (outcome === 'claimed') return project;
  if (outcome === 'lost') return undefined;
  if (outcome === 'account-state') throw accountSuspended();
  throw (
    (charge && overQuota(charge, outcome.refused)) ??
    new Error('refused a claim that the sums allow')
  );
}

/** The project behind a token, as it is now. */
async function look(deps: Pick<ClaimProjectDeps, 'projects' | 'owned' | 'now'>, claimHash: string) {
  const claim = await deps.owned.findClaim(claimHash);
  const project = claim === undefined ? undefined : await deps.projects.get(claim.projectId);
  const now = deps.now();
  return { found: claimable(claim, project, now), now };
}

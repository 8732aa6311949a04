import { randomUUID } from 'node:crypto';
import { DomainId } from '../../contract/fields.ts';
import { domainHeldDays, maxUnprovenNamesOfZone } from '../../contract/limits.ts';
import type { AccountCaller } from '../caller.ts';
import { CodedError } from '../errors.ts';
import { instant } from '../instants.ts';
import { effectiveLimits } from '../projects/quota.ts';
import { advanceDomain, type AdvanceDomainDeps } from './advance-domain.ts';
import type { StoredDomain } from './domain.ts';
import { shownName } from './domain-name.ts';
import type { DomainName } from './parse-domain-name.ts';
import { observeProof } from './observe-records.ts';
import { proofName, proofPrefix, proofText } from './required-records.ts';
import { claimChange, tellLosers } from './removal/lose-domain.ts';
import {
  decideClaim,
  maxNamesOfZone,
  newClaim,
  provenRivals,
  withClaim,
  withProof,
  type ZoneClaims,
} from './zone-claims.ts';

/**
 * Rivals to check in one request: each check waits up to 8 s for name servers, and a request ends
 * after 29 s. A repeated request checks the next ones.
 */
const rivalsPerRequest = 2;

/** Another request for a name of the same zone was faster; its claims are read again. */
const claimAttempts = 10;

/**
 * Creates a domain, and claims its name for the caller.
 * @throws CodedError DOMAIN_TAKEN, DOMAIN_LIMIT_REACHED, UNAVAILABLE
 */
export async function claimName(
  deps: AdvanceDomainDeps,
  { account }: AccountCaller,
  { name, zone }: DomainName,
  now: Date,
): Promise<StoredDomain> {
  const limit = effectiveLimits(deps.plans, account, now).customDomains;
  const wanted = { name, zone, accountId: account.id };
  for (let attempt = 1; attempt <= claimAttempts; attempt += 1) {
    const claims = await currentClaims(deps, wanted, now);
    const hasProof = await requireClaimable(deps, claims, wanted, now);
    const domain = newDomain(wanted, now);
    const claim = newClaim(claims, wanted, domain.id);
    const after = (hasProof ? withProof : withClaim)(claims, name, claim, now);
    const change = claimChange(claims, after, account.id, now);
    const outcome = await deps.domains.create({ domain, claims: change, limit });
    if (outcome === 'created') {
      await tellLosers(deps, change, now);
      return domain;
    }
    if (outcome === 'limit') throw limitReached(limit);
  }
  throw new CodedError('UNAVAILABLE', {
    error: 'Many domains of this zone are being added at the same time.',
    nextStep: 'Send the same request again in a minute.',
    retryAfterSeconds: 60,
  });
}

/**
 * The claims of a zone. A name that another account had proven may have changed hands: before the
 * caller's proof counts, the other domain is checked again.
 */
async function currentClaims(
  deps: AdvanceDomainDeps,
  wanted: WantedName,
  now: Date,
): Promise<ZoneClaims> {
  const claims = await deps.domains.claims(wanted.zone);
  if (decideClaim(claims, wanted, now).kind !== 'taken') return claims;
  if ((await observeProof(deps.dns, wanted, deps.targets.baseUrl)) !== 'present') return claims;
  for (const id of provenRivals(claims, wanted).slice(0, rivalsPerRequest)) {
    await advanceDomain(deps, id, now, { isRequested: true });
  }
  return deps.domains.claims(wanted.zone);
}

type WantedName = Pick<StoredDomain, 'name' | 'zone' | 'accountId'>;

/**
 * Checks that the name can be claimed now.
 * @returns whether the zone had to carry the account's proof for that
 * @throws CodedError DOMAIN_TAKEN, DOMAIN_LIMIT_REACHED
 */
async function requireClaimable(
  deps: AdvanceDomainDeps,
  claims: ZoneClaims,
  wanted: WantedName,
  now: Date,
): Promise<boolean> {
  const decision = decideClaim(claims, wanted, now);
  const shown = shownName(wanted.name);
  switch (decision.kind) {
    case 'free':
      return false;
    case 'own':
      throw new CodedError('DOMAIN_TAKEN', {
        error: `You have added ${shown} already.`,
        nextStep: 'Find it with GET /v1/domains.',
      });
    case 'taken':
      throw new CodedError('DOMAIN_TAKEN', {
        error: `Another account has added and verified ${shown}, or a domain above or beneath it.`,
        nextStep: `If the domain is yours now, ${proofStep(wanted, deps.targets.baseUrl)}. Delete the TXT record of the former owner, whose value also begins with ${proofPrefix}, then send the same request again.`,
      });
    case 'full':
      throw new CodedError('DOMAIN_TAKEN', {
        error: `There are ${maxNamesOfZone} domains beneath ${shownName(wanted.zone)} already.`,
        nextStep: 'Remove one of them that is not needed.',
      });
    case 'too-many-unproven':
      throw tooManyUnproven(wanted);
    case 'needs-proof':
      if ((await observeProof(deps.dns, wanted, deps.targets.baseUrl)) === 'present') return true;
      throw needsProof(wanted, decision, deps.targets.baseUrl);
  }
}

function needsProof(
  wanted: WantedName,
  { isZoneFull }: { isZoneFull: boolean },
  baseUrl: string,
): CodedError {
  const [shown, zone] = [shownName(wanted.name), shownName(wanted.zone)];
  return new CodedError('DOMAIN_TAKEN', {
    error: isZoneFull
      ? `Others have added ${maxNamesOfZone} domains beneath ${zone}, some without verifying them.`
      : `Another account has added ${shown}, or removed it less than ${domainHeldDays} days ago.`,
    nextStep: `If the domain is yours, ${proofStep(wanted, baseUrl)}, then send the same request again.`,
  });
}

/** The record that a new owner sets before the domain is added. */
function proofStep(wanted: WantedName, baseUrl: string): string {
  return `create the TXT record ${proofName(wanted.name)} with the value ${proofText(wanted, baseUrl)}`;
}

function tooManyUnproven({ zone }: WantedName): CodedError {
  return new CodedError('DOMAIN_LIMIT_REACHED', {
    error: `You have added ${maxUnprovenNamesOfZone} domains beneath ${shownName(zone)} that are not verified yet.`,
    nextStep: 'Set the records of those domains, or remove some of them.',
  });
}

function newDomain({ name, zone, accountId }: WantedName, now: Date): StoredDomain {
  const at = instant(now);
  return {
    id: DomainId.parse(randomUUID()),
    accountId,
    name,
    zone,
    status: 'pending_verification',
    verifiedAt: null,
    proven: false,
    waitingSince: at,
    certificateArn: null,
    certificateRound: 0,
    countedRound: null,
    certificateRefusal: null,
    certificateExpiresAt: null,
    validation: null,
    records: [],
    projectCount: 0,
    rootProjectId: null,
    createdAt: at,
    checkedAt: null,
    dueAt: at,
    noticedAt: null,
    planEndedAt: null,
    removingAt: null,
    handedOverAt: null,
    revision: 0,
  };
}

function limitReached(limit: number): CodedError {
  return new CodedError('DOMAIN_LIMIT_REACHED', {
    error: `Your plan includes at most ${limit} custom domains.`,
  });
}

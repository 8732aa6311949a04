import { randomUUID } from 'node:crypto';
import { DomainId } from '../../contract/fields.ts';
import type { AccountCaller } from '../caller.ts';
import { CodedError } from '../errors.ts';
import { instant } from '../instants.ts';
import { effectiveLimits } from '../projects/quota.ts';
import { advanceDomain, type AdvanceDomainDeps } from './advance-domain.ts';
import type { StoredDomain } from './domain.ts';
import { shownName } from './domain-name.ts';
import type { DomainName } from './parse-domain-name.ts';
import { observeProof } from './observe-records.ts';
import { proofName, proofText } from './required-records.ts';
import {
  decideClaim,
  type NameClaim,
  provenRivals,
  withClaim,
  type ZoneClaims,
} from './zone-claims.ts';

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
    const former = await requireFree(deps, claims, wanted, now);
    const domain = newDomain(wanted, former, now);
    const stored = { accountId: account.id, domainId: domain.id, proven: false, heldUntil: null };
    const outcome = await deps.domains.create({
      domain,
      claims: { before: claims, after: withClaim(claims, name, stored, now) },
      limit,
      loses: former?.domainId ?? undefined,
    });
    if (outcome === 'created') return domain;
    if (outcome === 'limit') throw limitReached(limit);
  }
  throw new CodedError('UNAVAILABLE', {
    error: 'Many domains of this zone are being added at the same time.',
    nextStep: 'Send the same request again in a minute.',
    retryAfterSeconds: 60,
  });
}

/**
 * The claims of a zone. A name that another account had proven may have changed hands: whoever proves
 * it now has the other domain looked at first.
 */
async function currentClaims(
  deps: AdvanceDomainDeps,
  wanted: WantedName,
  now: Date,
): Promise<ZoneClaims> {
  const claims = await deps.domains.claims(wanted.zone);
  if (decideClaim(claims, wanted, now).kind !== 'taken') return claims;
  if ((await observeProof(deps.dns, wanted, deps.targets.baseUrl)) !== 'present') return claims;
  for (const id of provenRivals(claims, wanted)) {
    await advanceDomain(deps, id, now, { isAskedFor: true });
  }
  return deps.domains.claims(wanted.zone);
}

type WantedName = Pick<StoredDomain, 'name' | 'zone' | 'accountId'>;

/** @throws CodedError DOMAIN_TAKEN */
async function requireFree(
  deps: AdvanceDomainDeps,
  claims: ZoneClaims,
  wanted: WantedName,
  now: Date,
): Promise<NameClaim | undefined> {
  const decision = decideClaim(claims, wanted, now);
  const shown = shownName(wanted.name);
  switch (decision.kind) {
    case 'free':
      return decision.former;
    case 'own':
      throw new CodedError('DOMAIN_TAKEN', {
        error: `You have added ${shown} already.`,
        nextStep: 'Find it with GET /v1/domains.',
      });
    case 'taken':
      throw new CodedError('DOMAIN_TAKEN', {
        error: `Another account has added and verified ${shown}, or a domain above or beneath it.`,
      });
    case 'needs-proof':
      break;
  }
  const { baseUrl } = deps.targets;
  if ((await observeProof(deps.dns, wanted, baseUrl)) === 'present')
    return claims.names[wanted.name];
  throw new CodedError('DOMAIN_TAKEN', {
    error: `Another account has added ${shown}, or removed it less than 30 days ago.`,
    nextStep: `If the domain is yours, create the TXT record ${proofName(wanted.name)} with the value ${proofText(wanted, baseUrl)}, then send the same request again.`,
  });
}

function newDomain(
  { name, zone, accountId }: WantedName,
  former: NameClaim | undefined,
  now: Date,
): StoredDomain {
  const at = instant(now);
  const isOthers = former !== undefined && former.accountId !== accountId;
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
    handedOverAt: isOthers ? at : null,
    revision: 0,
  };
}

function limitReached(limit: number): CodedError {
  return new CodedError('DOMAIN_LIMIT_REACHED', {
    error: `Your plan includes at most ${limit} custom domains.`,
  });
}

import { daySeconds, domainGraceDays } from '../../contract/limits.ts';
import type { DomainId } from '../../contract/fields.ts';
import type { Account } from '../accounts/account.ts';
import { instant, plusSeconds } from '../instants.ts';
import { effectiveLimits } from '../projects/quota.ts';
import type { StoredDomain } from './domain.ts';
import {
  type DomainObservation,
  nextCheckAt,
  observedChange,
  type TenantAction,
  tenantAction,
} from './next-state.ts';
import { observeProof, observeRecords } from './observe-records.ts';
import { noticeFor, tellOwner, type TellOwnerDeps } from './domain-notices.ts';
import { reportTroubles } from './domain-trouble.ts';
import type {
  Certificates,
  ClaimChange,
  Dns,
  DomainChange,
  DomainStore,
  Tenants,
} from './ports.ts';
import { claimChange, loseDomain, tellLosers } from './removal/lose-domain.ts';
import { type RemoveDomainDeps, continueRemoval } from './removal/remove-domain.ts';
import {
  mayHaveCertificate,
  requestCertificate,
  type RequestCertificateDeps,
} from './request-certificate.ts';
import type { RecordTargets } from './required-records.ts';
import {
  mayBecomeProven,
  wasOthers,
  withClaim,
  withProof,
  type ZoneClaims,
} from './zone-claims.ts';

/** The dependencies for checking domains. */
export interface AdvanceDomainDeps extends RemoveDomainDeps, RequestCertificateDeps, TellOwnerDeps {
  domains: DomainStore;
  dns: Dns;
  certificates: Certificates;
  tenants: Tenants;
  targets: RecordTargets;
}

/** A domain with a step in progress is checked again in the next minute. */
const soonSeconds = 60;

/**
 * Checks a domain and does its next step. Every step can be repeated: after a crash the next run
 * observes again and continues. Returns false when it was not due.
 */
export async function advanceDomain(
  deps: AdvanceDomainDeps,
  id: DomainId,
  now: Date,
  { isRequested = false } = {},
): Promise<boolean> {
  const found = await deps.domains.get(id);
  if (found === undefined) return false;
  const domain = isRequested ? found : await scheduleNextCheck(deps, found, now);
  if (domain === undefined) return false;
  if (domain.removingAt !== null) return continueRemoval(deps, domain, now);
  const claims = await deps.domains.claims(domain.zone);
  if (claims.names[domain.name]?.domainId !== id) return loseDomain(deps, domain, now);
  if (!isRequested && (await isUnchanged(deps, domain, now))) return true;
  const account = await deps.accounts.get(domain.accountId);
  const seen = await observe(deps, domain);
  await writeAndAct(deps, { domain, claims, account, seen }, now);
  return true;
}

/**
 * A domain that is due, with the time of its next check. That time is written before DNS is
 * queried, so that a check that never ends, or always fails, is not repeated each minute.
 */
async function scheduleNextCheck(
  { domains }: AdvanceDomainDeps,
  domain: StoredDomain,
  now: Date,
): Promise<StoredDomain | undefined> {
  if (Date.parse(domain.dueAt) > now.getTime()) return undefined;
  const dueAt = nextCheckAt(domain, now);
  if (!(await domains.change(domain, { dueAt }))) return undefined;
  return { ...domain, dueAt, revision: domain.revision + 1 };
}

/**
 * Whether a settled domain still has its proof. All records are checked once a day; in between, one
 * record is checked each hour, to notice a zone that changed hands. A missing answer changes
 * nothing.
 */
async function isUnchanged(
  deps: AdvanceDomainDeps,
  domain: StoredDomain,
  now: Date,
): Promise<boolean> {
  const { status, proven, checkedAt } = domain;
  if (status !== 'ssl_active' || !proven || checkedAt === null) return false;
  if (now.getTime() - Date.parse(checkedAt) >= daySeconds * 1000) return false;
  return (await observeProof(deps.dns, domain, deps.targets.baseUrl)) !== 'absent';
}

async function observe(deps: AdvanceDomainDeps, domain: StoredDomain): Promise<DomainObservation> {
  const certificate =
    domain.certificateArn === null
      ? ({ kind: 'none' } as const)
      : await deps.certificates.describe(domain.certificateArn);
  const validation = 'validation' in certificate ? certificate.validation : null;
  const known = { ...domain, validation: validation ?? domain.validation };
  const [records, tenant] = await Promise.all([
    observeRecords(deps.dns, known, deps.targets),
    deps.tenants.describe(domain.id),
  ]);
  return { ...records, certificate, tenant };
}

interface Step {
  domain: StoredDomain;
  claims: ZoneClaims;
  account: Account | undefined;
  seen: DomainObservation;
}

/**
 * The claim is written before the tenant serves anything, and only over the claims that were read,
 * so that of two accounts with related names only one wins.
 */
async function writeAndAct(deps: AdvanceDomainDeps, step: Step, now: Date): Promise<void> {
  const { domain, claims, account } = step;
  const mayProve = step.seen.proof !== 'present' || mayBecomeProven(claims, domain);
  const seen = mayProve ? step.seen : withoutOwnership(step.seen);
  const plan = planChange(deps, domain, account, now);
  const observed = observedChange(domain, seen, now);
  const change = { ...observed, ...plan.change, ...(await renewCertificate(deps, domain, seen)) };
  const action = tenantAction({ ...observed, isResting: plan.isResting }, seen);
  const isMoving = action !== 'none' || change.status !== domain.status || isUnsettled(seen);
  const notice = noticeFor(domain, { ...change, isResting: plan.isResting }, now);
  const written = {
    ...change,
    ...(isMoving && { dueAt: instant(plusSeconds(now, soonSeconds)) }),
    ...(notice !== undefined && { noticedAt: instant(now) }),
  };
  const claimed = changedClaims(step, change.proven, now);
  if (!(await writeProof(deps, { domain, written, claimed }, now))) return;
  if (claimed !== undefined) await tellLosers(deps, claimed, now);
  const { isResting } = plan;
  const after = { ...domain, ...written, revision: domain.revision + 1 };
  reportTroubles(deps, after, { isResting, now });
  await act(deps, after, { action, nextDueAt: observed.dueAt }, now);
  if (notice !== undefined && account !== undefined) await tellOwner(deps, account, notice, now);
  if (mayHaveCertificate({ ...domain, isResting }, seen))
    await requestCertificate(deps, after, account, now);
}

/**
 * The observation without the proof: the proof is right, but the name is part of what another
 * account has proven.
 */
function withoutOwnership(seen: DomainObservation): DomainObservation {
  const hint =
    'Another account has verified a domain above or beneath this name. Once it is removed there, this record is enough.';
  const records = seen.records.map((record) =>
    record.purpose === 'ownership' ? { ...record, state: 'wrong' as const, hint } : record,
  );
  return { ...seen, records, proof: 'absent' };
}

/** Does what the domain needs at the edge, judged by its stored state. */
async function act(
  deps: AdvanceDomainDeps,
  domain: StoredDomain,
  { action, nextDueAt: dueAt }: { action: TenantAction; nextDueAt: string },
  now: Date,
): Promise<void> {
  const { domains, tenants } = deps;
  const { id, name, certificateArn } = domain;
  if (action === 'enable' || action === 'disable')
    await tenants.setEnabled(id, action === 'enable');
  if (action !== 'create' || certificateArn === null) return;
  if ((await tenants.create({ id, name, certificateArn })) !== 'conflict') return;
  // Another tenant has the names. Only an operator can free them, so retrying each minute would not
  // help.
  deps.reportTrouble({ kind: 'name-in-use', domainId: id, domain: name, at: instant(now) });
  await domains.change(domain, { dueAt });
}

/** Whether the state of the tenant is unknown: it may have to be disabled. */
function isUnsettled({ tenant }: DomainObservation): boolean {
  return tenant.kind === 'deploying' || tenant.kind === 'unknown';
}

/** The claims that follow from the observation; undefined if nothing changes. */
function changedClaims(
  { domain: { name, accountId }, claims, seen }: Step,
  proven: boolean,
  now: Date,
): ClaimChange | undefined {
  const own = claims.names[name];
  if (own === undefined) return undefined;
  const isDelegated = seen.isDelegated ?? own.isDelegated;
  const next = { ...own, proven, wasProven: own.wasProven || proven, isDelegated };
  const after = (proven ? withProof : withClaim)(claims, name, next, now);
  const change = claimChange(claims, after, accountId, now);
  const isSame = own.proven === proven && own.isDelegated === isDelegated;
  return isSame && change.losers.length === 0 ? undefined : change;
}

/**
 * Writes the proof. A domain counts as handed over from the moment its name is proven, if another
 * account has served it before.
 */
function writeProof(
  { domains }: AdvanceDomainDeps,
  proof: { domain: StoredDomain; written: DomainChange; claimed: ClaimChange | undefined },
  now: Date,
): Promise<boolean> {
  const { domain, written, claimed } = proof;
  const isProven = claimed?.after.names[domain.name]?.proven === true;
  const isHandedOver = isProven && wasOthers(claimed.after, domain);
  const change = isHandedOver ? { ...written, handedOverAt: instant(now) } : written;
  return domains.change(domain, change, claimed);
}

/**
 * Replaces a failed certificate once nothing that we can see prevents a new one: without its
 * validation record, the next certificate would fail too.
 */
async function renewCertificate(
  deps: AdvanceDomainDeps,
  { certificateArn, certificateRound }: StoredDomain,
  { certificate, records }: DomainObservation,
): Promise<DomainChange> {
  const isGone = certificate.kind === 'none' || certificate.kind === 'failed';
  if (certificateArn === null || !isGone) return {};
  const isMissing = records.some(
    ({ purpose, state }) => purpose === 'certificate' && state === 'missing',
  );
  if (isMissing || records.some(({ state }) => state === 'wrong')) return {};
  if ((await deps.certificates.remove(certificateArn)) !== 'removed') return {};
  return {
    certificateArn: null,
    certificateExpiresAt: null,
    validation: null,
    certificateRound: certificateRound + 1,
  };
}

/** Whether the plan still includes domains; if not, since when. */
function planChange(
  deps: AdvanceDomainDeps,
  { planEndedAt }: StoredDomain,
  account: Account | undefined,
  now: Date,
) {
  const includes =
    account !== undefined && effectiveLimits(deps.plans, account, now).customDomains !== 0;
  const ended = includes ? null : (planEndedAt ?? instant(now));
  const restsAt = ended === null ? undefined : Date.parse(ended) + graceMs;
  return {
    change: { planEndedAt: ended },
    isResting: restsAt !== undefined && restsAt <= now.getTime(),
  };
}

const graceMs = domainGraceDays * daySeconds * 1000;

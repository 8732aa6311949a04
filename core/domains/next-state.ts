import type { DomainRecord, DomainStatus, RecordState } from '../../contract/domain.ts';
import { daySeconds } from '../../contract/limits.ts';
import { instant, plusSeconds } from '../instants.ts';
import type { StoredDomain } from './domain.ts';
import type { ObservedRecords } from './observe-records.ts';
import type { CertificateState, DomainChange, TenantState } from './ports.ts';

/** Everything that one check sees of a domain. */
export interface DomainObservation extends ObservedRecords {
  certificate: CertificateState;
  tenant: TenantState;
}

/** How long a domain waits for its records before they count as an error. */
const patienceSeconds = 3 * daySeconds;

/**
 * The next status of a domain. Pure, one step at a time.
 *
 * A missing answer changes nothing: a resolver that fails must not take a site offline. An answer
 * without the proof takes it offline at once, whatever the other records are.
 */
export function nextStatus(
  domain: Pick<StoredDomain, 'status' | 'verifiedAt' | 'waitingSince'>,
  seen: DomainObservation,
  now: Date,
): DomainStatus {
  const states = statesOf(seen.records);
  if (Object.values(states).includes('wrong') || seen.certificate.kind === 'failed')
    return 'error_dns';
  const routing = [states.ownership, states.sites];
  if (routing.every((state) => state === 'ok')) return provedStatus(domain.status, seen);
  if (domain.verifiedAt !== null) return verifiedStatus(domain, routing);
  if (routing.includes('unknown')) return domain.status;
  const waited = now.getTime() - Date.parse(domain.waitingSince);
  if (waited >= patienceSeconds * 1000) return 'error_dns';
  const isAnySeen = Object.values(states).some((state) => state === 'ok' || state === 'spreading');
  return isAnySeen ? 'propagation_wait' : 'pending_verification';
}

function statesOf(records: readonly DomainRecord[]) {
  const state = (purpose: DomainRecord['purpose']): RecordState =>
    records.find((record) => record.purpose === purpose)?.state ?? 'unknown';
  return {
    ownership: state('ownership'),
    certificate: state('certificate'),
    sites: state('sites'),
  };
}

/** Ownership and routing are right. `active` is always passed, so that its instant is recorded. */
function provedStatus(status: DomainStatus, { certificate, tenant }: DomainObservation) {
  if (status !== 'active' && status !== 'ssl_pending' && status !== 'ssl_active') return 'active';
  if (certificate.kind === 'unknown' || tenant.kind === 'unknown') return status;
  const isServed = certificate.kind === 'issued' && isEnabled(tenant);
  if (!isServed) return 'ssl_pending';
  return tenant.kind === 'deployed' || status === 'ssl_active' ? 'ssl_active' : 'ssl_pending';
}

function isEnabled(tenant: TenantState): boolean {
  return (tenant.kind === 'deployed' || tenant.kind === 'deploying') && tenant.enabled;
}

/**
 * The status of a domain that was verified once: a missing record is an error, one that not every
 * resolver sees is not.
 */
function verifiedStatus({ status }: Pick<StoredDomain, 'status'>, routing: RecordState[]) {
  return routing.includes('missing') || routing.includes('preparing') ? 'error_dns' : status;
}

/** The change of a domain that follows from an observation. Pure. */
export function observedChange(
  domain: StoredDomain,
  seen: DomainObservation,
  now: Date,
): DomainChange & Pick<StoredDomain, 'status' | 'proven' | 'verifiedAt' | 'dueAt'> {
  const status = nextStatus(domain, seen, now);
  const proven = seen.proof === 'unknown' ? domain.proven : seen.proof === 'present';
  const { certificate } = seen;
  const after = {
    status,
    proven,
    records: seen.records,
    checkedAt: instant(now),
    verifiedAt: domain.verifiedAt ?? (status === 'active' ? instant(now) : null),
    waitingSince: waitsAnew(domain, status) ? instant(now) : domain.waitingSince,
    ...('validation' in certificate &&
      certificate.validation !== null && { validation: certificate.validation }),
    ...(certificate.kind === 'issued' && { certificateExpiresAt: certificate.expiresAt }),
  };
  return { ...after, dueAt: nextCheckAt({ ...domain, ...after }, now) };
}

/**
 * Whether a domain begins to wait for something else: for its records again, or, as soon as they are
 * right, for AWS.
 */
function waitsAnew(before: Pick<StoredDomain, 'status' | 'verifiedAt'>, status: DomainStatus) {
  if (status === before.status) return false;
  const isNewlyBroken = status === 'error_dns' && before.verifiedAt !== null;
  return isNewlyBroken || status === 'active' || before.status === 'ssl_active';
}

const minute = 60;
const hour = 60 * minute;

/**
 * When maintenance checks a domain again: soon at first, hourly while it may serve, daily after
 * three days without proof. The same for a removal that takes long. Pure.
 */
export function nextCheckAt(
  {
    status,
    waitingSince,
    proven,
    removingAt,
  }: Pick<StoredDomain, 'status' | 'waitingSince' | 'proven' | 'removingAt'>,
  now: Date,
): string {
  if (status === 'ssl_active' && removingAt === null) return instant(plusSeconds(now, hour));
  const waitedSeconds = (now.getTime() - Date.parse(removingAt ?? waitingSince)) / 1000;
  if (waitedSeconds < 30 * minute) return instant(plusSeconds(now, minute));
  if (waitedSeconds < daySeconds) return instant(plusSeconds(now, 10 * minute));
  if (waitedSeconds < patienceSeconds || proven) return instant(plusSeconds(now, hour));
  return instant(plusSeconds(now, daySeconds));
}

/** The action that a domain needs at the edge now. */
export type TenantAction = 'create' | 'enable' | 'disable' | 'none';

/**
 * The action that the tenant of a domain needs. Pure. It is created and enabled only if this
 * observation saw the proof itself, never because of stored state.
 */
export function tenantAction(
  { verifiedAt, isResting }: Pick<StoredDomain, 'verifiedAt'> & { isResting: boolean },
  { proof, certificate, tenant }: DomainObservation,
): TenantAction {
  if (tenant.kind === 'unknown') return 'none';
  const isForbidden = proof === 'absent' || isResting;
  const isAllowed = proof === 'present' && verifiedAt !== null && !isResting;
  if (tenant.kind === 'none') return isAllowed && certificate.kind === 'issued' ? 'create' : 'none';
  if (tenant.enabled) return isForbidden ? 'disable' : 'none';
  return isAllowed ? 'enable' : 'none';
}

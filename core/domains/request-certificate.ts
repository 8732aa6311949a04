import type { Account } from '../accounts/account.ts';
import { backOff } from '../back-off.ts';
import { instant, plusSeconds } from '../instants.ts';
import { effectiveLimits } from '../projects/quota.ts';
import type { Plans } from '../accounts/account.ts';
import { certificateLimits, isBudgetShort, yearsCertificates } from './certificate-budget.ts';
import type { StoredDomain } from './domain.ts';
import type { DomainObservation } from './next-state.ts';
import type { Certificates, DomainStore } from './ports.ts';

/** Dependencies of {@link requestCertificate}. */
export interface RequestCertificateDeps {
  domains: Pick<DomainStore, 'get' | 'change' | 'takeCertificate' | 'countCertificate'>;
  certificates: Pick<Certificates, 'request' | 'describe'>;
  plans: Plans;
  /** The most certificates that this installation requests in 365 days. */
  certificatesPerYear: number;
  /** Tells the operator that most of the year's certificates are used. */
  reportCertificates(used: number): void;
}

/** The certificate's validation record is checked in the next minute. */
const soonSeconds = 60;

/**
 * Whether a domain that has no certificate may have one now: only once the zone itself carries the
 * proof, and we see nothing for which ACM would refuse it. Pure.
 */
export function mayHaveCertificate(
  { certificateArn, isResting }: Pick<StoredDomain, 'certificateArn'> & { isResting: boolean },
  { proof, records }: DomainObservation,
): boolean {
  return (
    certificateArn === null &&
    !isResting &&
    proof === 'present' &&
    !records.some(({ purpose, state }) => purpose === 'certificate' && state === 'wrong')
  );
}

/**
 * Gives a proven domain its certificate: the one that was kept for its name, or a new one. A
 * request is counted once, before it is made, because ACM has a yearly quota of requests.
 * @param domain as it is stored now
 */
export async function requestCertificate(
  deps: RequestCertificateDeps,
  domain: StoredDomain,
  account: Account | undefined,
  now: Date,
): Promise<void> {
  if (account === undefined) return;
  const { domains } = deps;
  if ((await domains.takeCertificate(domain, now)) !== 'none') return;
  const counted = await countedDomain(deps, domain, account, now);
  if (counted === undefined) return;
  const certificateArn = await deps.certificates.request(counted);
  if (certificateArn === undefined) return;
  const state = await deps.certificates.describe(certificateArn);
  const validation = 'validation' in state ? state.validation : null;
  const dueAt = instant(plusSeconds(now, soonSeconds));
  if (await domains.change(counted, { certificateArn, validation, dueAt })) return;
  await leaveToRemoval(domains, domain, certificateArn);
}

/** A try fails only when another step of the removal is written first. */
const tries = 10;

/**
 * Hands a certificate over to the removal of its domain, which began meanwhile and would not know
 * of it. The removal keeps the certificate for the name and deletes it in the end.
 */
async function leaveToRemoval(
  domains: Pick<DomainStore, 'get' | 'change'>,
  { id }: StoredDomain,
  certificateArn: string,
): Promise<void> {
  for (let count = 1; count <= tries; count += 1) {
    const current = await domains.get(id);
    // A domain that still exists requests it again, and ACM returns the same certificate.
    if (current === undefined || current.removingAt === null) return;
    if (await domains.change(current, { certificateArn })) return;
    await backOff(count);
  }
  throw new Error(`certificate ${certificateArn} of a removed domain is in no row`);
}

/**
 * Counts the request. Returns the domain; undefined if a limit refuses the request, or if the
 * domain changed meanwhile.
 */
async function countedDomain(
  deps: RequestCertificateDeps,
  domain: StoredDomain,
  account: Account,
  now: Date,
): Promise<StoredDomain | undefined> {
  const { domains, plans, certificatesPerYear } = deps;
  if (domain.countedRound === domain.certificateRound) return domain;
  const { customDomains } = effectiveLimits(plans, account, now);
  const ofYear = yearsCertificates(account, certificatesPerYear);
  const limits = certificateLimits(customDomains, ofYear);
  const outcome = await domains.countCertificate(domain, limits, now);
  if (outcome.kind === 'lost') return undefined;
  if (isBudgetShort(outcome.used, ofYear)) deps.reportCertificates(outcome.used);
  if (outcome.kind === 'counted') return outcome.domain;
  const { refusal: certificateRefusal } = outcome;
  if (domain.certificateRefusal !== certificateRefusal)
    await domains.change(domain, { certificateRefusal });
  return undefined;
}

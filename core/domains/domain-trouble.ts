import { daySeconds } from '../../contract/limits.ts';
import type { DomainId } from '../../contract/fields.ts';
import type { StoredDomain } from './domain.ts';

/**
 * A problem of a domain that the operator of the service has to know. Its owner gets mails about
 * all others.
 */
export interface DomainTrouble {
  kind: 'certificate-ends' | 'stuck' | 'name-in-use';
  domainId: DomainId;
  domain: string;
  /** When the certificate ends, since when the domain waits for AWS, or when CloudFront said that another tenant has its names. */
  at: string;
}

/** ACM renews 45 days before the end. Owner and operator are told this long before. */
const certificateNoticeSeconds = 30 * daySeconds;
/** After this, owners are not told any more: they may have given up the domain. */
const certificateOverSeconds = 7 * daySeconds;
/** ACM issues and CloudFront deploys within minutes, on a bad day within hours. */
const stuckSeconds = 6 * 3600;

/** Whether a certificate ends within 30 days, or ended in the last week. Pure. */
export function isCertificateEnding(
  { certificateExpiresAt }: Pick<StoredDomain, 'certificateExpiresAt'>,
  now: Date,
): boolean {
  if (certificateExpiresAt === null) return false;
  const leftSeconds = (Date.parse(certificateExpiresAt) - now.getTime()) / 1000;
  return leftSeconds <= certificateNoticeSeconds && leftSeconds > -certificateOverSeconds;
}

/**
 * The problems of a domain that its owner cannot solve, or that will soon end its sites. Pure.
 *
 * A domain that waits for its owner's records, or rests because of its plan, has no trouble.
 */
export function troublesOf(
  domain: StoredDomain,
  { isResting }: { isResting: boolean },
  now: Date,
): DomainTrouble[] {
  const about = { domainId: domain.id, domain: domain.name };
  const awaited = awaitsAwsSince(domain, isResting);
  const isStuck = awaited !== null && now.getTime() - Date.parse(awaited) >= stuckSeconds * 1000;
  const troubles: DomainTrouble[] = [];
  if (isStuck) troubles.push({ kind: 'stuck', ...about, at: awaited });
  if (domain.removingAt === null && isCertificateEnding(domain, now))
    troubles.push({ kind: 'certificate-ends', ...about, at: domain.certificateExpiresAt ?? '' });
  return troubles;
}

/** Reports the troubles of a domain to the operator, at each check. */
export function reportTroubles(
  deps: { reportTrouble(trouble: DomainTrouble): void },
  domain: StoredDomain,
  { isResting, now }: { isResting: boolean; now: Date },
): void {
  for (const trouble of troublesOf(domain, { isResting }, now)) deps.reportTrouble(trouble);
}

/** Since when the domain waits only for AWS; null if it does not. */
function awaitsAwsSince(domain: StoredDomain, isResting: boolean): string | null {
  const { status, certificateRefusal, removingAt, waitingSince, records } = domain;
  if (removingAt !== null) return removingAt;
  // A refused certificate does not count as waiting for AWS: the operator is told of the year's
  // limit separately, and the limits of an account are intended.
  if (isResting || certificateRefusal !== null) return null;
  const isVerified = status === 'active' || status === 'ssl_pending';
  const areRecordsRight = records.every(
    ({ purpose, state }) => purpose === 'root' || state === 'ok' || state === 'preparing',
  );
  return isVerified && areRecordsRight ? waitingSince : null;
}

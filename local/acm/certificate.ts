import { createHash, randomUUID } from 'node:crypto';
import * as z from 'zod';
import { arn } from '../assembly/resource-type.ts';
import type { LookUpResult } from '../dns/lookup.ts';

export const Tag = z.strictObject({ Key: z.string().min(1).max(128), Value: z.string().max(256) });
export type Tag = z.infer<typeof Tag>;

/** A certificate as ACM keeps it. Instants are milliseconds since 1970. */
export const Certificate = z.strictObject({
  arn: z.string(),
  /** The first is the common name. */
  names: z.array(z.string()).min(1),
  keyAlgorithm: z.string(),
  idempotencyToken: z.string().optional(),
  tags: z.array(Tag),
  requestedAt: z.number(),
  status: z.enum(['PENDING_VALIDATION', 'ISSUED', 'EXPIRED', 'FAILED', 'VALIDATION_TIMED_OUT']),
  /** When the validation records were first found. */
  validatedAt: z.number().optional(),
  issuedAt: z.number().optional(),
  notAfter: z.number().optional(),
  failureReason: z.string().optional(),
  renewal: z
    .strictObject({
      status: z.enum(['PENDING_VALIDATION', 'SUCCESS']),
      updatedAt: z.number(),
    })
    .optional(),
});
export type Certificate = z.infer<typeof Certificate>;

const DAY_MS = 86_400_000;
/** ACM stops looking for the records after 72 hours. */
const VALIDATION_MS = 3 * DAY_MS;
/** "ACM certificates are valid for 198 days", and are renewed 45 days before their end. */
const VALIDITY_MS = 198 * DAY_MS;
const RENEWAL_MS = 45 * DAY_MS;

/** What a certificate's state depends on. */
export interface Observation {
  now: number;
  lookUp: (name: string, type: string) => LookUpResult;
  /** How long ACM takes to issue a certificate after it found the records. */
  issueDelayMs: number;
  isInUse: boolean;
}

/** A certificate that was just requested. */
export function requestedCertificate(
  request: Pick<Certificate, 'names' | 'keyAlgorithm' | 'idempotencyToken' | 'tags'>,
  now: number,
): Certificate {
  return {
    ...request,
    arn: arn('acm', `certificate/${randomUUID()}`),
    requestedAt: now,
    status: 'PENDING_VALIDATION',
  };
}

/** The state now. ACM looks at the records by itself; here it does whenever somebody asks. */
export function observedCertificate(certificate: Certificate, seen: Observation): Certificate {
  if (certificate.status === 'PENDING_VALIDATION') return observePending(certificate, seen);
  return certificate.status === 'ISSUED' ? observeIssued(certificate, seen) : certificate;
}

function observePending(certificate: Certificate, seen: Observation): Certificate {
  const { now, issueDelayMs } = seen;
  if (now >= certificate.requestedAt + VALIDATION_MS) {
    return { ...certificate, status: 'VALIDATION_TIMED_OUT' };
  }
  if (!isValidated(certificate, seen)) {
    const { validatedAt: _, ...others } = certificate;
    return others;
  }
  const { validatedAt = now } = certificate;
  if (now < validatedAt + issueDelayMs) return { ...certificate, validatedAt };
  if (certificate.names.some((name) => !isIssuanceAllowed(name, seen.lookUp))) {
    return { ...certificate, validatedAt, status: 'FAILED', failureReason: 'CAA_ERROR' };
  }
  const issued = { status: 'ISSUED', issuedAt: now, notAfter: now + VALIDITY_MS } as const;
  return { ...certificate, validatedAt, ...issued };
}

/** A certificate that nothing uses, or whose records are gone, is not renewed. */
function observeIssued(certificate: Certificate, seen: Observation): Certificate {
  const { now } = seen;
  let { renewal } = certificate;
  const renewed = renewedEnd(certificate, seen);
  const notAfter = renewed ?? certificate.notAfter ?? 0;
  if (renewed !== undefined) renewal = { status: 'SUCCESS', updatedAt: now };
  if (now >= notAfter) return { ...certificate, notAfter, status: 'EXPIRED' };
  if (now >= notAfter - RENEWAL_MS && seen.isInUse && renewal?.status !== 'PENDING_VALIDATION') {
    renewal = { status: 'PENDING_VALIDATION', updatedAt: now };
  }
  return { ...certificate, notAfter, ...(renewal && { renewal }) };
}

/** The end after all renewals that were due; undefined if none was, or if it failed. */
function renewedEnd(certificate: Certificate, seen: Observation): number | undefined {
  const { notAfter = 0 } = certificate;
  const overdueMs = seen.now - (notAfter - RENEWAL_MS);
  if (overdueMs < 0 || !seen.isInUse || !isValidated(certificate, seen)) return undefined;
  const renewals = 1 + Math.floor(overdueMs / (VALIDITY_MS - RENEWAL_MS));
  return notAfter + renewals * (VALIDITY_MS - RENEWAL_MS);
}

/** Whether every name has its validation record; a broken zone has none that a CA could trust. */
function isValidated({ names }: Certificate, { lookUp }: Pick<Observation, 'lookUp'>): boolean {
  return names.every((domain) => {
    const { name, value } = validationRecord(domain);
    const { answers, dnssec } = lookUp(name, 'CNAME');
    return dnssec !== 'broken' && answers.some((one) => one.type === 'CNAME' && one.data === value);
  });
}

function token(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

/**
 * The CNAME that proves a name, without the dots at their ends. It is the same for every certificate of the
 * account, and for a name and its wildcard.
 */
export function validationRecord(domain: string): { name: string; value: string } {
  const base = domain.replace(/^\*\./, '');
  const value = `_${token(`value of ${base}`)}.localacm.acm-validations.aws`;
  return { name: `_${token(`name of ${base}`)}.${base}`, value };
}

/** Whether a certificate is valid for a name; a wildcard stands for exactly one label. */
export function coversName({ names }: Pick<Certificate, 'names'>, name: string): boolean {
  return names.some((one) => one === name || one === `*${name.slice(name.indexOf('.'))}`);
}

/** The names by which a CAA record allows Amazon's certificate authorities. */
const AMAZON = ['amazon.com', 'amazontrust.com', 'awstrust.com', 'amazonaws.com'];

/**
 * Whether the CAA records allow Amazon to issue for a name. The records of the nearest name count, up to the
 * top level (RFC 8659, section 3). `issuewild` replaces `issue` for a wildcard.
 */
function isIssuanceAllowed(
  domain: string,
  lookUp: (name: string, type: string) => LookUpResult,
): boolean {
  const isWildcard = domain.startsWith('*.');
  const records = nearestRecords(isWildcard ? domain.slice(2) : domain, lookUp);
  const wild = records.filter(({ tag }) => tag === 'issuewild');
  const relevant =
    isWildcard && wild.length > 0 ? wild : records.filter(({ tag }) => tag === 'issue');
  if (relevant.length === 0) return true;
  return relevant.some(({ value }) => AMAZON.includes(issuerOf(value)));
}

/** Parameters follow the issuer after a semicolon; `;` alone forbids everybody. */
function issuerOf(value: string): string {
  return (value.split(';')[0] ?? '').trim().toLowerCase();
}

function nearestRecords(name: string, lookUp: (name: string, type: string) => LookUpResult) {
  const labels = name.split('.');
  for (let depth = 0; depth < labels.length; depth++) {
    const { answers } = lookUp(labels.slice(depth).join('.'), 'CAA');
    const records = answers.flatMap((answer) => (answer.type === 'CAA' ? [answer.data] : []));
    if (records.length > 0) return records;
  }
  return [];
}

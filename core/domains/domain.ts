import * as z from 'zod';
import { DomainRecord, DomainStatus } from '../../contract/domain.ts';
import { AccountId, DomainId, Instant, ProjectId } from '../../contract/fields.ts';

/** The record with which ACM validates a certificate. */
export const ValidationRecord = z.object({ name: z.string(), value: z.string() });
export type ValidationRecord = z.infer<typeof ValidationRecord>;

/** The stored form of a custom domain. */
export const StoredDomain = z.object({
  id: DomainId,
  accountId: AccountId,
  /** ASCII, as in DNS and certificates. */
  name: z.string(),
  /** The registered domain that it belongs to, determined when the domain was added. */
  zone: z.string(),
  status: DomainStatus,
  /** When ownership and routing were first proved; null until then. */
  verifiedAt: z.nullable(Instant),
  /**
   * Whether the last answer of the zone carried the proof. Its tenant is enabled only while this is
   * true.
   */
  proven: z.boolean(),
  /** Since when it waits: first for its records, at most 72 hours, then for certificate and tenant. */
  waitingSince: Instant,
  certificateArn: z.string().nullable(),
  /** Counts the certificates that failed; a new one gets a new number. */
  certificateRound: z.number().int().nonnegative(),
  /** The round whose request is counted already: a repeated request counts once. */
  countedRound: z.number().int().nullable(),
  /** The limit that prevents a certificate from being requested; null if none does. */
  certificateRefusal: z.enum(['day', 'life', 'year']).nullable(),
  certificateExpiresAt: z.nullable(Instant),
  validation: ValidationRecord.nullable(),
  /** The result of the last check. */
  records: z.array(DomainRecord),
  /** Its projects, archived ones too; changed in one transaction with each project. */
  projectCount: z.number().int(),
  rootProjectId: z.nullable(ProjectId),
  createdAt: Instant,
  checkedAt: z.nullable(Instant),
  /** When maintenance checks the domain again. */
  dueAt: Instant,
  /** When the owner was last mailed about a problem. */
  noticedAt: z.nullable(Instant),
  /** Since when its account's plan no longer includes it. */
  planEndedAt: z.nullable(Instant),
  /** Set once its removal has begun: for its owner it is gone. */
  removingAt: z.nullable(Instant),
  /** When it was proven after another account had served there; null where none is known. */
  handedOverAt: z.nullable(Instant),
  /** Increases with every change. A change is written only over the revision it was made from. */
  revision: z.number().int().nonnegative(),
});
export type StoredDomain = z.infer<typeof StoredDomain>;

/** Whether projects can be assigned to it now. */
export function isAssignable({ status }: Pick<StoredDomain, 'status'>): boolean {
  return status === 'active' || status === 'ssl_active';
}

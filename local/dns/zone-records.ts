import { isIPv4, isIPv6 } from 'node:net';
import * as z from 'zod';

/** The types of records that a person can set. SOA and NS of a zone come with the zone. */
export const recordTypes = ['A', 'AAAA', 'CAA', 'CNAME', 'MX', 'NS', 'TXT'] as const;
export const RecordType = z.enum(recordTypes);
export type RecordType = z.infer<typeof RecordType>;

const LABEL = /^(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?|\*)$/;

/** Whether labels are valid; `*` may be the first one only (RFC 4592). */
export function isDnsName(name: string): boolean {
  const labels = name.split('.');
  return (
    name.length <= 253 &&
    labels.every((label, index) => {
      return label.length <= 63 && LABEL.test(label) && (label !== '*' || index === 0);
    })
  );
}

/** Names are compared without regard to case, and written without the dot of the root. */
export function normalizedName(name: string): string {
  return name.trim().toLowerCase().replace(/\.$/, '');
}

export const DnsName = z
  .string()
  .transform(normalizedName)
  .refine(isDnsName, 'must be a DNS name of letters, digits, hyphens and underscores');

/** One record of a zone. `value` is written as in a zone file, without quotes around TXT. */
export const ZoneRecord = z.strictObject({
  name: DnsName,
  type: RecordType,
  value: z.string().min(1).max(4096),
  ttlSeconds: z.int().min(0).max(604_800),
});
export type ZoneRecord = z.infer<typeof ZoneRecord>;

/**
 * Whether a zone is signed. `broken`: the parent has a key that the zone does not use, so that resolvers
 * answer SERVFAIL, while the zone's own servers answer as always.
 */
export const Dnssec = z.enum(['unsigned', 'signed', 'broken']);
export type Dnssec = z.infer<typeof Dnssec>;

/** A zone, with everything that its owner can change. */
export const Zone = z.strictObject({
  /** For how long resolvers may remember that a name does not exist (RFC 2308). */
  negativeTtlSeconds: z.int().min(0).max(86_400),
  dnssec: Dnssec,
  /** Nobody gets an answer about its names: its servers are down, or let everybody wait. */
  isSilent: z.boolean().optional(),
  records: z.array(ZoneRecord),
});
export type Zone = z.infer<typeof Zone>;

/** Flags, tag and value of a CAA record (RFC 8659, section 4.1). */
export const CAA_VALUE = /^(\d{1,3}) (issue|issuewild|iodef) "?([^"]*)"?$/;

const VALUE_RULES: Record<RecordType, { isValid: (value: string) => boolean; hint: string }> = {
  A: { isValid: isIPv4, hint: 'an IPv4 address' },
  AAAA: { isValid: isIPv6, hint: 'an IPv6 address' },
  CAA: {
    isValid: (value) => CAA_VALUE.test(value),
    hint: 'like 0 issue "amazon.com"',
  },
  CNAME: { isValid: (value) => isDnsName(normalizedName(value)), hint: 'a name' },
  MX: { isValid: (value) => /^\d{1,5} \S+$/.test(value), hint: 'like 10 mail.example.com' },
  NS: { isValid: (value) => isDnsName(normalizedName(value)), hint: 'a name' },
  TXT: { isValid: () => true, hint: 'a text' },
};

/** Why a provider would refuse this record beside the others of its zone; undefined if it would not. */
export function recordProblem(
  record: ZoneRecord,
  others: readonly ZoneRecord[],
): string | undefined {
  const rule = VALUE_RULES[record.type];
  if (!rule.isValid(record.value)) {
    return `The value of a record of type ${record.type} must be ${rule.hint}.`;
  }
  const beside = others.filter(({ name }) => name === record.name);
  const isAlias = record.type === 'CNAME';
  const conflict = beside.find(({ type }) => (isAlias ? type !== 'CNAME' : type === 'CNAME'));
  if (conflict !== undefined) {
    return `${record.name} has a record of type ${conflict.type}: a CNAME must be the only record of its name (RFC 1034, section 3.6.2).`;
  }
  return isAlias && beside.some(({ value }) => value !== record.value)
    ? `${record.name} has another CNAME already.`
    : undefined;
}

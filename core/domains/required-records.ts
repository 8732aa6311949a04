import { createHash } from 'node:crypto';
import type { DomainRecord, RecordPurpose } from '../../contract/domain.ts';
import type { StoredDomain } from './domain.ts';

/** A record that a domain needs; its value is null while we do not know it. */
export interface RequiredRecord {
  purpose: RecordPurpose;
  type: DomainRecord['type'];
  name: string | null;
  value: string | null;
}

const proofLabel = '_slipway';
/** The beginning of every proof's text. */
export const proofPrefix = 'slipway-verification=';

/**
 * The text that proves that a zone's owner allows one account to use a name. It need not be secret:
 * whoever can publish it controls the zone. It differs for each account, name and installation.
 */
export function proofText(
  { accountId, name }: Pick<StoredDomain, 'accountId' | 'name'>,
  baseUrl: string,
): string {
  const hash = createHash('sha256').update(JSON.stringify([baseUrl, accountId, name]));
  return proofPrefix + hash.digest('hex').slice(0, 32);
}

/** The name of the record that holds the proof. */
export function proofName(name: string): string {
  return `${proofLabel}.${name}`;
}

/**
 * The name to which the records of custom domains point: a reserved name beneath the sites domain,
 * whose wildcard record resolves it.
 */
export function domainTarget(sitesHost: string): string {
  return `cname.${sitesHost}`;
}

/** The targets of a domain's records, and the installation that the proof is for. */
export interface RecordTargets {
  baseUrl: string;
  /**
   * A name of ours that leads to the connection group; it stays valid if CloudFront renames the
   * group.
   */
  sitesTarget: string;
  /** The connection group's host name, to which records may point too. */
  routingEndpoint: string;
}

/** Every record that a domain needs, in the order in which people set them. Pure. */
export function requiredRecords(
  domain: Pick<StoredDomain, 'accountId' | 'name' | 'validation' | 'rootProjectId'>,
  { baseUrl, sitesTarget }: RecordTargets,
): RequiredRecord[] {
  const { name, validation, rootProjectId } = domain;
  return [
    {
      purpose: 'ownership',
      type: 'TXT',
      name: proofName(name),
      value: proofText(domain, baseUrl),
    },
    {
      purpose: 'certificate',
      type: 'CNAME',
      name: validation?.name ?? null,
      value: validation?.value ?? null,
    },
    { purpose: 'sites', type: 'CNAME', name: `*.${name}`, value: sitesTarget },
    ...(rootProjectId === null
      ? []
      : [{ purpose: 'root', type: 'ALIAS', name, value: sitesTarget } as const]),
  ];
}

/** A record that was not checked yet, or whose value is not known yet. */
export function uncheckedRecord(
  record: RequiredRecord,
  domain: Pick<StoredDomain, 'proven' | 'certificateRefusal'>,
): DomainRecord {
  const isKnown = record.name !== null;
  const state = isKnown ? 'missing' : 'preparing';
  return { ...record, found: [], state, hint: isKnown ? null : preparingHint(domain) };
}

/**
 * The hint that the certificate's record appears later: a certificate is requested for proven names
 * only.
 */
function preparingHint({
  proven,
  certificateRefusal,
}: Pick<StoredDomain, 'proven' | 'certificateRefusal'>): string {
  if (!proven)
    return 'This record appears after the TXT record is found. Set the other records now, then check again.';
  switch (certificateRefusal) {
    case null:
      return 'This record is being prepared. Check again in a minute.';
    case 'day':
      return 'Your account has got as many certificates today as it may. This record appears tomorrow.';
    case 'life':
      return 'Your account has got as many certificates as its plan includes. Remove a domain and add it again to use its kept certificate, or write to the operator of this service.';
    case 'year':
      return 'This service cannot request certificates at the moment. Its operator knows of it, and this record appears without your doing.';
  }
}

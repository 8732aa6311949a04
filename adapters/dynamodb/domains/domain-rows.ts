import type { AccountId, DomainId, Instant } from '../../../contract/fields.ts';
import { StoredDomain } from '../../../core/domains/domain.ts';
import { ZoneClaims } from '../../../core/domains/zone-claims.ts';
import { rowParser, withoutNulls } from '../null-fields.ts';
import { dueShardOf } from '../projects/project-rows.ts';

export const domainKey = (id: DomainId) => ({ pk: `DOMAIN#${id}`, sk: 'DOMAIN' });
export const zoneKey = (zone: string) => ({ pk: `ZONE#${zone}`, sk: 'ZONE' });

/** The partition of an account's domains in the index of owners. */
export const domainsOf = (accountId: AccountId) => `${accountId}#domains`;

/** Parses a domain's row. */
export const parseDomainRow = rowParser(StoredDomain);

export function domainRow(domain: StoredDomain) {
  const { id, accountId, createdAt, dueAt } = domain;
  return {
    ...domainKey(id),
    ...withoutNulls(domain),
    ...dueOf(id, dueAt),
    ownerState: domainsOf(accountId),
    listedAt: `${createdAt}#${id}`,
  };
}

/** The attributes of the index of due items. */
function dueOf(id: DomainId, dueAt: Instant) {
  return { dueAt, dueShard: dueShardOf(id) };
}

/** Parses the claims of a zone. */
export function parseZoneRow(row: unknown): ZoneClaims {
  return ZoneClaims.parse(row);
}

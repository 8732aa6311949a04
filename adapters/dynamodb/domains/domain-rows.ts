import * as z from 'zod';
import type { AccountId, DomainId, Instant } from '../../../contract/fields.ts';
import { StoredDomain } from '../../../core/domains/domain.ts';
import { ZoneClaims } from '../../../core/domains/zone-claims.ts';
import { withoutNulls } from '../null-fields.ts';
import { dueShardOf } from '../projects/project-rows.ts';

export const domainKey = (id: DomainId) => ({ pk: `DOMAIN#${id}`, sk: 'DOMAIN' });
export const zoneKey = (zone: string) => ({ pk: `ZONE#${zone}`, sk: 'ZONE' });

/** The partition of an account's domains in the index of owners. */
export const domainsOf = (accountId: AccountId) => `${accountId}#domains`;

const nullable = [
  'verifiedAt',
  'certificateArn',
  'countedRound',
  'certificateRefusal',
  'certificateExpiresAt',
  'validation',
  'rootProjectId',
  'checkedAt',
  'noticedAt',
  'planEndedAt',
  'removingAt',
  'handedOverAt',
] as const;
const noValues = Object.fromEntries(nullable.map((name) => [name, null]));

/** Rows leave nulls out. */
export function parseDomainRow(row: unknown): StoredDomain {
  return StoredDomain.parse({ ...noValues, ...z.looseObject({}).parse(row) });
}

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

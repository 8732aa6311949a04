import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { DomainId } from '../../../contract/fields.ts';
import { wasDomainOfOther } from '../../../core/domains/zone-claims.ts';
import {
  type AddressHolder,
  type AvailableAddress,
  addressAvailability,
  type AddressRequester,
} from '../../../core/projects/addresses/address-availability.ts';
import type { FormerAddress, Project } from '../../../core/projects/project.ts';
import { temporarySlugParts } from '../../../core/projects/addresses/slugs.ts';
import { isShutRoot } from '../../../core/domains/root-project.ts';
import { instant } from '../../../core/instants.ts';
import {
  issuedSlugsKey,
  parseAddressRow,
  parseProjectRow,
  releasedAddressRow,
} from './project-rows.ts';
import { metaKey } from './project-keys.ts';
import { documentItems } from '../document-client.ts';
import { readRoot } from '../domains/domain-roots.ts';
import { domainKey, parseDomainRow, parseZoneRow, zoneKey } from '../domains/domain-rows.ts';
import { findRow, readRow } from '../read-rows.ts';
import { type Condition, put, remove, update } from '../writes.ts';

/** Reads the current holder of an address. */
export async function readAddressHolder(
  client: DynamoDBDocumentClient,
  sitesTable: string,
  host: string,
): Promise<AddressHolder> {
  return parseAddressRow(await readRow(client, sitesTable, { host }));
}

/**
 * An attempt to write an available address fails only if another project gets or releases it
 * meanwhile.
 */
export const addressAttempts = 3;

/** An address as one attempt finds it; write it only under {@link ifAddressUnchanged}. */
export async function findAddress(
  client: DynamoDBDocumentClient,
  tables: { sites: string; projects: string },
  { host, requester, now }: { host: string; requester: AddressRequester; now: Date },
): Promise<AvailableAddress | 'slug-taken' | 'slug-reserved'> {
  const { domainId = null } = requester;
  const [holder, handover, isShut] = await Promise.all([
    readAddressHolder(client, tables.sites, host),
    domainId === null ? {} : readHandover(client, tables.projects, { host, domainId }),
    domainId !== null && isShutBareName(client, tables, { host, requester, now }),
  ]);
  if (isShut) return 'slug-reserved';
  const found = addressAvailability(holder, { ...requester, ...handover }, now);
  if (found.kind === 'available') return found;
  return found.kind === 'taken' ? 'slug-taken' : 'slug-reserved';
}

/**
 * Whether the address was once a custom domain itself, and an operator took down another project at
 * its bare name.
 */
async function isShutBareName(
  client: DynamoDBDocumentClient,
  tables: { sites: string; projects: string },
  { host, requester, now }: { host: string; requester: AddressRequester; now: Date },
): Promise<boolean> {
  const root = await readRoot(documentItems(client), tables.sites, host);
  if (root === undefined || root.projectId === requester.projectId) return false;
  const project = await findRow(client, tables.projects, metaKey(root.projectId), parseProjectRow);
  return isShutRoot(root, project, instant(now));
}

/**
 * Whether the domain came from another account, and whether the address was once a custom domain of
 * another account.
 */
async function readHandover(
  client: DynamoDBDocumentClient,
  projectsTable: string,
  { host, domainId }: { host: string; domainId: string },
): Promise<Pick<AddressRequester, 'domainHandedOverAt' | 'wasDomainOfOther'>> {
  const row = await readRow(client, projectsTable, domainKey(DomainId.parse(domainId)));
  if (row === undefined) return {};
  const { zone, accountId, handedOverAt: domainHandedOverAt } = parseDomainRow(row);
  const zoneRow = await readRow(client, projectsTable, zoneKey(zone));
  if (zoneRow === undefined) return { domainHandedOverAt };
  const claimant = { name: host, accountId };
  return {
    domainHandedOverAt,
    wasDomainOfOther: wasDomainOfOther(parseZoneRow(zoneRow), claimant),
  };
}

/**
 * The condition that an address is unchanged: it never had a holder, or still has this reservation.
 */
export function ifAddressUnchanged(holder: FormerAddress | undefined): Condition {
  if (holder === undefined) return { when: 'attribute_not_exists(#host)' };
  const { heldUntil } = holder;
  return {
    when: 'attribute_not_exists(projectId) AND heldUntil = :heldUntil',
    values: { heldUntil },
  };
}

/** Releases an address, or reserves it for its former holder. */
export function releaseAddressPart(
  TableName: string,
  { host, left }: { host: string; left: FormerAddress | undefined },
  condition: Condition,
) {
  return left === undefined
    ? remove(TableName, { host }, condition)
    : put(TableName, releasedAddressRow(host, left), condition);
}

/**
 * Marks a temporary slug as used for ever; the condition fails if it was used before. Empty for
 * slugs of another form. The number of rows is limited by the number of word pairs.
 */
export function issueSlugParts(TableName: string, { slug }: Pick<Project, 'slug'>) {
  const parts = temporarySlugParts(slug);
  if (parts === undefined) return [];
  const part = update(TableName, issuedSlugsKey(parts.words), {
    add: { tails: new Set([parts.tail]) },
    when: 'NOT contains(tails, :tail)',
    values: { tail: parts.tail },
  });
  return [['slug-issued', part] as const];
}

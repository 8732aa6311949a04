import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { AccountId, DomainId } from '../../../contract/fields.ts';
import type { ClaimChange, DomainStore, NewDomain } from '../../../core/domains/ports.ts';
import { noClaims } from '../../../core/domains/zone-claims.ts';
import { eventsOfDomain, eventsOfLosses } from '../../../core/webhooks/change-events.ts';
import { documentItems } from '../document-client.ts';
import { accountKey } from '../accounts/account-rows.ts';
import { ownerQuery } from '../projects/owner-index.ts';
import { findRow, queryRows, readRow } from '../read-rows.ts';
import { writeTransaction } from '../transaction.ts';
import { hasRevision, isNew, put, remove, update } from '../writes.ts';
import { eventParts } from '../webhooks/delivery-table.ts';
import {
  countCertificate,
  forgetCertificate,
  keepCertificate,
  releaseCertificate,
  seizeCertificate,
  takeCertificate,
} from './certificate-rows.ts';
import {
  domainKey,
  domainRow,
  domainsOf,
  parseDomainRow,
  parseZoneRow,
  zoneKey,
} from './domain-rows.ts';
import { changeUpdate, lossUpdate, removalUpdate } from './domain-updates.ts';
import { readRoot } from './domain-roots.ts';
import { readAddressHolder } from '../projects/address-table.ts';
import { removeRoot, setRoot } from './domain-root-writes.ts';

/** The tables with domains, with the accounts that count them, and with the sites. */
export interface DomainTables {
  projects: string;
  accounts: string;
  sites: string;
}

/**
 * Custom domains in DynamoDB: a row for each, and one for the claims of each registered domain. The
 * index of due items has every domain; a settled one is due once an hour.
 */
export function domainRepository(
  client: DynamoDBDocumentClient,
  tables: DomainTables,
): DomainStore {
  const { projects } = tables;
  return {
    get: (id) => findRow(client, projects, domainKey(id), parseDomainRow),
    list: (accountId) => list(client, projects, accountId),
    claims: async (zone) =>
      (await findRow(client, projects, zoneKey(zone), parseZoneRow)) ?? noClaims(zone),
    create: (created) => create(client, tables, created),
    async change(domain, change, claims) {
      const unmet = await writeTransaction(client, [
        ['domain', changeUpdate(projects, domain, change)] as const,
        ...claimParts(tables, claims),
        ...(await eventParts(client, tables, eventsOfDomain(domain, change))),
        ...(await lossParts(client, tables, claims)),
      ]);
      return unmet.size === 0;
    },
    async beginRemoval(domain, at, claims) {
      const unmet = await writeTransaction(client, [
        ['domain', removalUpdate(projects, domain, at)] as const,
        ['account', uncountPart(tables.accounts, domain.accountId, 1)] as const,
        ...claimParts(tables, claims),
        ...(await lossParts(client, tables, claims)),
      ]);
      return unmet.size === 0;
    },
    root: (name) => readRoot(documentItems(client), tables.sites, name),
    holder: (name) => readAddressHolder(client, tables.sites, name),
    setRoot: (domain, change) => setRoot(client, tables, domain, change),
    removeRoot: (domain) => removeRoot(client, tables.sites, domain),
    keepCertificate: (domain, kept) => keepCertificate(client, projects, domain, kept),
    takeCertificate: (domain, now) => takeCertificate(client, projects, domain, now),
    seizeCertificate: (kept, now) => seizeCertificate(client, projects, kept, now),
    releaseCertificate: (kept, now) => releaseCertificate(client, projects, kept, now),
    forgetCertificate: (kept) => forgetCertificate(client, projects, kept),
    countCertificate: (domain, limits, now) =>
      countCertificate(client, tables, domain, { limits, now }),
    endRemoval: ({ id }) => endRemoval(client, projects, id),
  };
}

/** Also true if the row no longer exists. */
async function endRemoval(client: DynamoDBDocumentClient, TableName: string, id: DomainId) {
  const isUnused = {
    when: 'attribute_exists(removingAt) AND projectCount = :none',
    values: { none: 0 },
  };
  const deletion = remove(TableName, domainKey(id), isUnused);
  const unmet = await writeTransaction(client, [['domain', deletion]]);
  return unmet.size === 0 || (await readRow(client, TableName, domainKey(id))) === undefined;
}

/**
 * The keys come from an eventually consistent index; the rows themselves are read strongly
 * consistent.
 */
async function list(client: DynamoDBDocumentClient, table: string, accountId: AccountId) {
  const query = { list: domainsOf(accountId), isNewestFirst: true };
  const rows = await queryRows(client, ownerQuery(table, query));
  return rows.map(parseDomainRow).filter(({ removingAt }) => removingAt === null);
}

async function create(
  client: DynamoDBDocumentClient,
  tables: DomainTables,
  { domain, claims, limit }: NewDomain,
) {
  const { projects } = tables;
  const unmet = await writeTransaction(client, [
    ['domain', put(projects, domainRow(domain), isNew)] as const,
    ['account', countPart(tables.accounts, domain.accountId, limit)] as const,
    ...claimParts(tables, claims),
    ...(await lossParts(client, tables, claims)),
  ]);
  if (unmet.size === 0) return 'created';
  return unmet.has('account') ? 'limit' : 'lost';
}

function countPart(TableName: string, accountId: AccountId, limit: number) {
  const hasRoom =
    limit === -1 ? '' : ' AND (attribute_not_exists(domainCount) OR domainCount < :limit)';
  return update(TableName, accountKey(accountId), {
    add: { domainCount: 1 },
    when: `attribute_exists(pk)${hasRoom}`,
    values: limit === -1 ? {} : { limit },
  });
}

function uncountPart(TableName: string, accountId: AccountId, count: number) {
  return update(TableName, accountKey(accountId), {
    add: { domainCount: -count },
    when: 'attribute_exists(pk) AND domainCount >= :count',
    values: { count },
  });
}

/**
 * All claims of a zone are one row, so that of two accounts that want related names only one wins.
 * The same transaction begins the removal of domains that lose their names, so that their accounts
 * cannot use them any more.
 */
function claimParts({ projects, accounts }: DomainTables, claims: ClaimChange | undefined) {
  if (claims === undefined) return [];
  const { before, after, losers, at } = claims;
  const owners = new Set(losers.map(({ accountId }) => accountId));
  return [
    [
      'claims',
      put(projects, { ...zoneKey(after.zone), ...after }, hasRevision(before.revision)),
    ] as const,
    ...losers.map(({ id }) => ['loser', lossUpdate(projects, id, at)] as const),
    ...[...owners].map((owner) => {
      const count = losers.filter(({ accountId }) => accountId === owner).length;
      return ['loser', uncountPart(accounts, owner, count)] as const;
    }),
  ];
}

/** Items that a transaction has besides those of the losers, with events of the domain itself. */
const otherItems = 40;

/** The events of accounts that lose domains, of as many of them as the 100 items of a transaction have room for. */
async function lossParts(
  client: DynamoDBDocumentClient,
  tables: DomainTables,
  claims: ClaimChange | undefined,
) {
  const events = claims === undefined ? [] : eventsOfLosses(claims);
  const parts: Awaited<ReturnType<typeof eventParts>> = [];
  const room = 100 - otherItems - 2 * (claims?.losers.length ?? 0);
  for (const accountId of new Set(events.map((event) => event.accountId))) {
    const ofAccount = events.filter((event) => event.accountId === accountId);
    const more = await eventParts(client, tables, ofAccount);
    if (parts.length + more.length <= room) parts.push(...more);
  }
  return parts;
}

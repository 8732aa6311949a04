import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type {
  ClaimOutcome,
  ClaimWrite,
  OwnedProjectStore,
  ProjectQuery,
  ProjectScan,
} from '../../../core/projects/owned-projects.ts';
import type { FormerAddress } from '../../../core/projects/project.ts';
import {
  type ProjectChange,
  type ChangeOutcome,
  takesNewAddress,
  withAddressHistory,
} from '../../../core/projects/change/project-change.ts';
import type { Project } from '../../../core/projects/project.ts';
import type { Removal } from '../../../core/projects/removal/removal.ts';
import { wantsFirstPlace, withEdgePlace } from '../../../core/projects/edge-copies.ts';
import { instant } from '../../../core/instants.ts';
import { eventsOfChange } from '../../../core/webhooks/change-events.ts';
import { accountParts, accountRefusal } from '../accounts/account-totals.ts';
import { writeCharged } from '../accounts/charged-write.ts';
import { writeWithEdgePlace } from '../accounts/edge-place-table.ts';
import { addressAttempts, findAddress } from './address-table.ts';
import { changeParts, type ProjectTables } from './change-parts.ts';
import { noteTakedown } from './deleted-projects.ts';
import { ownerQuery } from './owner-index.ts';
import { ClaimRow, claimKey, listedAt, ownerState, parseProjectRow } from './project-rows.ts';
import { claimParts, removalParts } from './project-writes.ts';
import { findRow, queryPages, queryRows } from '../read-rows.ts';
import { domainMoveParts } from '../domains/domain-parts.ts';
import { holdShutRoot } from '../domains/domain-root-writes.ts';
import { writeTransaction } from '../transaction.ts';
import { workspaceMoveParts } from '../workspaces/workspace-parts.ts';

/** The tables of projects, and the table with the totals of accounts. */
export interface OwnedProjectTables extends ProjectTables {
  accounts: string;
}

/** Projects of accounts in DynamoDB. */
export function ownedProjectRepository(
  client: DynamoDBDocumentClient,
  tables: OwnedProjectTables,
): OwnedProjectStore {
  return {
    change: (change) => writePlaced(client, tables, change),
    findClaim: (claimHash) =>
      findRow(client, tables.projects, claimKey(claimHash), (row) => ClaimRow.parse(row)),
    claim: (claiming) => claimPlaced(client, tables, claiming),
    beginRemoval: (removal) => beginRemoval(client, tables, removal),
    noteTakedown: (deleted, note) => noteTakedown(client, tables.projects, deleted, note),
    list: (query) => list(client, tables.projects, query),
    scan: (query) => scanProjects(client, tables.projects, query),
  };
}

/**
 * Claims a project with a place at the edge. The edge has cached nothing of it, because it had no
 * owner.
 */
async function claimPlaced(
  client: DynamoDBDocumentClient,
  tables: OwnedProjectTables,
  claiming: ClaimWrite,
): Promise<ClaimOutcome> {
  const { project, at } = claiming;
  const { ownerId: accountId } = project;
  if (!wantsFirstPlace(project) || accountId === null) return claim(client, tables, claiming);
  return writeWithEdgePlace(client, {
    table: tables.accounts,
    accountId,
    at,
    write: (place) =>
      claim(client, tables, { ...claiming, project: { ...project, edgeFrom: instant(place) } }),
    isWritten: (outcome) => outcome === 'claimed',
  });
}

async function claim(
  client: DynamoDBDocumentClient,
  tables: OwnedProjectTables,
  claiming: ClaimWrite,
): Promise<ClaimOutcome> {
  const { charge, project } = claiming;
  const guard =
    project.ownerId === null
      ? undefined
      : ({ accountId: project.ownerId, expects: 'active' } as const);
  const unmet = await writeCharged(client, tables, {
    parts: claimParts(tables, claiming),
    account: { charge, guard, events: [], at: claiming.at },
  });
  if (unmet.size === 0) return 'claimed';
  const onlyAccount = unmet.size === 1 && unmet.has('account');
  return onlyAccount ? accountRefusal(unmet.get('account'), guard) : 'lost';
}

/** Writes a change; reserves a place at the edge first if the change needs one. */
async function writePlaced(
  client: DynamoDBDocumentClient,
  tables: OwnedProjectTables,
  change: ProjectChange,
): Promise<ChangeOutcome> {
  const { ownerId: accountId } = change.after;
  if (!change.wantsEdgePlace || accountId === null) return writeChange(client, tables, change);
  return writeWithEdgePlace(client, {
    table: tables.accounts,
    accountId,
    at: change.at,
    write: (place) => writeChange(client, tables, withEdgePlace(change, place)),
    isWritten: (outcome) => outcome === 'changed',
  });
}

async function writeChange(
  client: DynamoDBDocumentClient,
  tables: OwnedProjectTables,
  change: ProjectChange,
): Promise<ChangeOutcome> {
  const { before, after } = change;
  const { id: projectId, slug, host, ownerId, domainId } = after;
  if (before !== undefined && before.domainId !== domainId)
    await holdShutRoot(client, tables.sites, before, change.at);
  if (!takesNewAddress(change) || ownerId === null) {
    const outcome = await writeOnce(client, tables, change);
    return outcome === 'address-changed' ? 'slug-taken' : outcome;
  }
  const requester = { projectId, slug, accountId: ownerId, domainId };
  const request = { host, requester, now: new Date(change.at) };
  for (let count = 1; count <= addressAttempts; count += 1) {
    const address = await findAddress(client, tables, request);
    if (typeof address === 'string') return address;
    const { history } = address;
    const located = withAddressHistory(change, history);
    const outcome = await writeOnce(client, tables, located, history?.left ?? undefined);
    if (outcome !== 'address-changed') return outcome;
  }
  return 'slug-taken';
}

async function writeOnce(
  client: DynamoDBDocumentClient,
  tables: OwnedProjectTables,
  change: ProjectChange,
  holder?: FormerAddress,
): Promise<ChangeOutcome | 'address-changed'> {
  const unmet = await writeCharged(client, tables, {
    parts: [
      ...changeParts(tables, change, holder),
      ...workspaceMoveParts(tables.accounts, change.before, change.after),
      ...domainMoveParts(tables.projects, change.before, change.after),
    ],
    account: { ...change, events: eventsOfChange(change) },
  });
  if (unmet.size === 0) return 'changed';
  if (unmet.has('intent')) return 'intent-gone';
  if (unmet.has('project') || unmet.has('own-site')) return 'lost';
  if (unmet.has('workspace')) return 'workspace-gone';
  if (unmet.has('domain')) return 'domain-gone';
  if (unmet.has('account')) return accountRefusal(unmet.get('account'), change.guard);
  if (unmet.has('site')) return 'address-changed';
  throw new Error(
    `unexpected failed conditions in a project's change: ${[...unmet.keys()].join(', ')}`,
  );
}

async function beginRemoval(
  client: DynamoDBDocumentClient,
  tables: OwnedProjectTables,
  removal: Removal,
): Promise<boolean> {
  await holdShutRoot(client, tables.sites, removal.project, removal.at);
  const removed = { ...removal.project, removingAt: removal.at };
  const unmet = await writeTransaction(client, [
    ...removalParts(tables, removal),
    ...accountParts(tables.accounts, removal.charge, undefined),
    ...workspaceMoveParts(tables.accounts, removal.project, removed),
    ...domainMoveParts(tables.projects, removal.project, removed),
  ]);
  if (unmet.size === 1 && unmet.has('account')) {
    throw new Error(`account ${removal.charge?.accountId} counts less than it has`);
  }
  return unmet.size === 0;
}

/** All active or all archived projects of an account. The index is eventually consistent. */
export async function* scanProjects(
  client: DynamoDBDocumentClient,
  table: string,
  { accountId, state, isNewestFirst, after, pageSize }: ProjectScan,
): AsyncGenerator<Project[]> {
  const list = ownerState(accountId, state);
  const query = ownerQuery(table, {
    list,
    after: after && `${after.createdAt}#${after.id}`,
    isNewestFirst,
  });
  const pages = queryPages(client, { ...query, Limit: pageSize });
  for await (const rows of pages) yield rows.map(parseProjectRow);
}

async function list(
  client: DynamoDBDocumentClient,
  table: string,
  query: ProjectQuery,
): Promise<Project[]> {
  const states = { true: ['archived'], false: ['active'], all: ['active', 'archived'] } as const;
  const end = query.offset + query.limit;
  const pages = await Promise.all(
    states[query.archived].map((state) =>
      queryRows(
        client,
        ownerQuery(table, {
          list: ownerState(query.accountId, state),
          filter: query.workspaceId === undefined ? undefined : ['workspaceId', query.workspaceId],
          isNewestFirst: true,
        }),
        end,
      ),
    ),
  );
  return pages
    .flat()
    .map(parseProjectRow)
    .toSorted((a, b) => (listedAt(a) < listedAt(b) ? 1 : -1))
    .slice(query.offset, end);
}

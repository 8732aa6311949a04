import { type DynamoDBDocumentClient, GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { OwnedProjectStore, ProjectQuery } from '../../../core/projects/owned-projects.ts';
import type { LeftAddress } from '../../../core/projects/project.ts';
import {
  type Change,
  type Changed,
  takesAddress,
  withAddressHistory,
} from '../../../core/projects/settings/change.ts';
import type { Project } from '../../../core/projects/project.ts';
import type { Removal } from '../../../core/projects/removal/removal.ts';
import { accountParts, refusalOf } from '../accounts/account-sums.ts';
import { takeAddress } from './address-table.ts';
import { changeParts, type ProjectTables } from './change-parts.ts';
import { planCheckParts } from '../accounts/plan-check-rows.ts';
import { byOwner, ClaimRow, claimKey, listedAt, ownerState, readProject } from './project-rows.ts';
import { claimParts, removalParts } from './project-writes.ts';
import { transact } from '../transaction.ts';
import { workspaceMoves } from '../workspaces/workspace-parts.ts';

/** The tables of projects, and the one with the sums of accounts. */
export interface OwnedProjectTables extends ProjectTables {
  accounts: string;
}

/** Projects of accounts in DynamoDB. */
export function ownedProjectRepository(
  client: DynamoDBDocumentClient,
  tables: OwnedProjectTables,
): OwnedProjectStore {
  return {
    change: (change) => write(client, tables, change),
    async findClaim(claimHash) {
      const { Item } = await client.send(
        new GetCommand({
          TableName: tables.projects,
          Key: claimKey(claimHash),
          ConsistentRead: true,
        }),
      );
      return Item === undefined ? undefined : ClaimRow.parse(Item);
    },
    async claim(claiming) {
      const { charge, project } = claiming;
      const guard =
        project.ownerId === null
          ? undefined
          : ({ accountId: project.ownerId, expects: 'active' } as const);
      const unmet = await transact(client, [
        ...claimParts(tables, claiming),
        ...accountParts(tables.accounts, charge, guard),
      ]);
      if (unmet.size === 0) return 'claimed';
      const onlyAccount = unmet.size === 1 && unmet.has('account');
      return onlyAccount ? refusalOf(unmet.get('account'), guard) : 'lost';
    },
    beginRemoval: (removal) => beginRemoval(client, tables, removal),
    list: (query) => list(client, tables.projects, query),
  };
}

async function write(
  client: DynamoDBDocumentClient,
  tables: OwnedProjectTables,
  change: Change,
): Promise<Changed> {
  const { id: projectId, slug, host, ownerId } = change.after;
  if (!takesAddress(change) || ownerId === null) {
    const outcome = await writeOnce(client, tables, change);
    return outcome === 'address-changed' ? 'slug-taken' : outcome;
  }
  const claimant = { projectId, slug, accountId: ownerId };
  const wanted = { host, claimant, now: new Date(change.at) };
  return takeAddress({ client, sitesTable: tables.sites }, wanted, ({ history }) =>
    writeOnce(client, tables, withAddressHistory(change, history), history?.left),
  );
}

async function writeOnce(
  client: DynamoDBDocumentClient,
  tables: OwnedProjectTables,
  change: Change,
  holder?: LeftAddress,
): Promise<Changed | 'address-changed'> {
  const unmet = await transact(client, [
    ...changeParts(tables, change, holder),
    ...accountParts(tables.accounts, change.charge, change.guard),
    ...workspaceMoves(tables.accounts, change.before, change.after),
    ...planCheckParts(tables.accounts, change),
  ]);
  if (unmet.size === 0) return 'changed';
  if (unmet.has('intent')) return 'intent-gone';
  if (unmet.has('project') || unmet.has('own-site')) return 'lost';
  if (unmet.has('workspace')) return 'workspace-gone';
  if (unmet.has('account')) return refusalOf(unmet.get('account'), change.guard);
  if (unmet.has('site')) return 'address-changed';
  throw new Error(`a project's change met ${[...unmet.keys()].join(', ')} of its own`);
}

async function beginRemoval(
  client: DynamoDBDocumentClient,
  tables: OwnedProjectTables,
  removal: Removal,
): Promise<boolean> {
  const unmet = await transact(client, [
    ...removalParts(tables, removal),
    ...accountParts(tables.accounts, removal.charge, undefined),
    ...workspaceMoves(tables.accounts, removal.project, {
      ...removal.project,
      removingAt: removal.at,
    }),
  ]);
  if (unmet.size === 1 && unmet.has('account')) {
    throw new Error(`account ${removal.charge?.accountId} counts less than it has`);
  }
  return unmet.size === 0;
}

async function list(
  client: DynamoDBDocumentClient,
  table: string,
  query: ProjectQuery,
): Promise<Project[]> {
  const states = { true: ['archived'], false: ['active'], all: ['active', 'archived'] } as const;
  const wanted = query.offset + query.limit;
  const pages = await Promise.all(
    states[query.archived].map((state) =>
      newest(client, table, { ...query, state: ownerState(query.accountId, state), wanted }),
    ),
  );
  return pages
    .flat()
    .toSorted((a, b) => (listedAt(a) < listedAt(b) ? 1 : -1))
    .slice(query.offset, wanted);
}

/** Up to `wanted` projects of one partition; the index follows the table within moments. */
async function newest(
  client: DynamoDBDocumentClient,
  table: string,
  {
    state,
    wanted,
    workspaceId,
  }: { state: string; wanted: number; workspaceId?: string | undefined },
): Promise<Project[]> {
  const found: Project[] = [];
  let from: Record<string, unknown> | undefined;
  do {
    const page = await client.send(
      new QueryCommand({
        TableName: table,
        IndexName: byOwner,
        KeyConditionExpression: 'ownerState = :state',
        ...(workspaceId !== undefined && { FilterExpression: 'workspaceId = :workspaceId' }),
        ExpressionAttributeValues: { ':state': state, ':workspaceId': workspaceId },
        ScanIndexForward: false,
        // A page of DynamoDB has 1 MB at most, whatever its limit.
        Limit: Math.min(wanted - found.length, 1000),
        ExclusiveStartKey: from,
      }),
    );
    found.push(...(page.Items ?? []).map(readProject));
    from = page.LastEvaluatedKey;
  } while (from !== undefined && found.length < wanted);
  return found;
}

import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { LeftAddress } from '../../../core/projects/project.ts';
import type { AddressHistory } from '../../../core/projects/project.ts';
import type {
  ImportStore,
  Beginning,
  Showing,
  Shown,
} from '../../../core/transfer/import-ports.ts';
import { accountParts } from '../accounts/account-sums.ts';
import { ifStillLeft, takeAddress } from './address-table.ts';
import { unlessLost } from '../document-client.ts';
import type { OwnedProjectTables } from './owned-project-repository.ts';
import { due, metaKey, projectRow, readProject, siteRow, versionRow } from './project-rows.ts';
import { readRow } from '../read-rows.ts';
import { transact } from '../transaction.ts';
import { workspaceMoves } from '../workspaces/workspace-parts.ts';

/**
 * Imports into DynamoDB. What is begun has a project's own row that says so: it counts for nobody,
 * is in no list, and is removed like a deleted project when it is not shown in time.
 */
export function projectImport(
  client: DynamoDBDocumentClient,
  tables: OwnedProjectTables,
): ImportStore {
  return {
    async find(projectId) {
      const row = await readRow(client, tables.projects, metaKey(projectId));
      if (row === undefined) return undefined;
      return { project: readProject(row), isBegun: row['importing'] === true };
    },
    begin: (beginning) =>
      unlessLost(client.send(new PutCommand(beginningPut(tables.projects, beginning)))),
    async addVersion(projectId, version) {
      const Item = versionRow(projectId, version);
      await client.send(new PutCommand({ TableName: tables.projects, Item }));
    },
    async show(showing) {
      const { project, at } = showing;
      const { id: projectId, slug, host, ownerId } = project;
      if (ownerId === null) throw new Error('an import is of an account');
      const claimant = { projectId, slug, accountId: ownerId, isImport: true };
      const outcome = await takeAddress(
        { client, sitesTable: tables.sites },
        { host, claimant, now: new Date(at) },
        ({ history }) =>
          show(client, tables, { showing: withHistory(showing, history), holder: history?.left }),
      );
      return outcome === 'slug-reserved' ? 'slug-taken' : outcome;
    },
  };
}

function withHistory(showing: Showing, addressHistory: AddressHistory): Showing {
  const { project, site } = showing;
  const handedOverAt = addressHistory?.handedOverAt ?? null;
  return {
    ...showing,
    project: { ...project, addressHistory },
    site: { ...site, handedOverAt },
  };
}

async function show(
  client: DynamoDBDocumentClient,
  tables: OwnedProjectTables,
  step: { showing: Showing; holder: LeftAddress | undefined },
): Promise<Shown | 'address-changed'> {
  const unmet = await transact(client, showingParts(tables, step));
  if (unmet.size === 0) return 'shown';
  if (unmet.has('project')) return 'lost';
  if (unmet.has('site')) return 'address-changed';
  if (unmet.has('workspace')) return 'workspace-gone';
  if (unmet.has('account')) return 'account-suspended';
  throw new Error(`an import met ${[...unmet.keys()].join(', ')} of its own`);
}

/** Never over anything but what an import began, and not over that once it is due for the sweep. */
const ifBegun = 'importing = :true AND dueAt > :at';

/** Nobody's and without an end, so that it is in no list and the sweep alone removes it. */
function beginningPut(TableName: string, { project, at, dueAt }: Beginning) {
  const hidden = { ...project, ownerId: null, expiresAt: null, version: 0, removingAt: at };
  return {
    TableName,
    Item: { ...projectRow(hidden), importing: true, ...due(project.id, dueAt) },
    ConditionExpression: `attribute_not_exists(pk) OR (${ifBegun})`,
    ExpressionAttributeValues: { ':true': true, ':at': at },
  };
}

function showingParts(
  tables: OwnedProjectTables,
  { showing, holder }: { showing: Showing; holder: LeftAddress | undefined },
) {
  const { project, site, charge, at } = showing;
  const guard =
    charge === undefined
      ? undefined
      : ({ accountId: charge.accountId, expects: 'active' } as const);
  return [
    ['site', { Put: { TableName: tables.sites, Item: siteRow(site), ...ifStillLeft(holder) } }],
    [
      'project',
      {
        Put: {
          TableName: tables.projects,
          Item: projectRow(project),
          ConditionExpression: ifBegun,
          ExpressionAttributeValues: { ':true': true, ':at': at },
        },
      },
    ],
    ...workspaceMoves(tables.accounts, undefined, project),
    ...accountParts(tables.accounts, charge, guard),
  ] as const;
}

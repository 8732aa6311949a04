import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { AccountId, WorkspaceId } from '../../../contract/fields.ts';
import type { WorkspaceStore } from '../../../core/workspaces/ports.ts';
import { Workspace } from '../../../core/workspaces/workspace.ts';
import { accountKey } from '../accounts/account-rows.ts';
import { partitionRows } from '../read-rows.ts';
import { writeTransaction } from '../transaction.ts';
import { exists, isNew, put, remove, update, updated, write } from '../writes.ts';
import { workspaceKey } from './workspace-parts.ts';

/** Workspaces in DynamoDB, in the partition of their account. The account's row counts them. */
export function workspaceRepository(client: DynamoDBDocumentClient, table: string): WorkspaceStore {
  return {
    createWithinLimit: (limit, accountId, workspace) =>
      create(client, table, { limit, accountId, workspace }),
    async list(accountId) {
      const query = { pk: accountKey(accountId).pk, prefix: 'WORKSPACE#' };
      const rows = await partitionRows(client, table, query);
      return rows.map((row) => Workspace.parse(row));
    },
    async rename(accountId, workspaceId, { name, updatedAt }) {
      const renaming = update(table, workspaceKey(accountId, workspaceId), {
        set: { name, updatedAt },
        when: 'attribute_exists(pk) AND attribute_not_exists(deletingAt)',
      });
      const row = await updated(client, renaming);
      return row && Workspace.parse(row);
    },
    beginDeletion(accountId, workspaceId, at) {
      const change = { setOnce: { deletingAt: at }, ...exists };
      return write(client, update(table, workspaceKey(accountId, workspaceId), change));
    },
    endDeletion: (accountId, workspaceId) => endDeletion(client, table, { accountId, workspaceId }),
  };
}

async function create(
  client: DynamoDBDocumentClient,
  TableName: string,
  { limit, accountId, workspace }: { limit: number; accountId: AccountId; workspace: Workspace },
): Promise<boolean> {
  const { deletingAt: _, ...row } = workspace;
  const counted = update(TableName, accountKey(accountId), {
    add: { workspaceCount: 1 },
    when: 'attribute_exists(pk) AND (attribute_not_exists(workspaceCount) OR workspaceCount < :limit)',
    values: { limit },
  });
  const unmet = await writeTransaction(client, [
    ['workspace', put(TableName, { ...workspaceKey(accountId, workspace.id), ...row }, isNew)],
    ['account', counted],
  ]);
  if (unmet.has('workspace')) throw new Error('a workspace with this id exists already');
  return unmet.size === 0;
}

/**
 * Deletes the row and decreases the account's count in one transaction, so that only one of several
 * concurrent calls succeeds.
 */
async function endDeletion(
  client: DynamoDBDocumentClient,
  TableName: string,
  { accountId, workspaceId }: { accountId: AccountId; workspaceId: WorkspaceId },
): Promise<boolean> {
  const unmet = await writeTransaction(client, [
    [
      'workspace',
      remove(TableName, workspaceKey(accountId, workspaceId), {
        when: 'attribute_exists(deletingAt) AND projectCount = :none',
        values: { none: 0 },
        returnsRow: true,
      }),
    ],
    [
      'account',
      update(TableName, accountKey(accountId), {
        add: { workspaceCount: -1 },
        when: 'workspaceCount >= :one',
        values: { one: 1 },
      }),
    ],
  ]);
  if (unmet.size === 0) return true;
  const failedRow = unmet.get('workspace');
  if (failedRow === undefined)
    throw new Error(`the workspace count of account ${accountId} is too low`);
  const isGone = Object.keys(failedRow).length === 0;
  return isGone;
}

import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { AccountId, Instant, WorkspaceId } from '../../../contract/fields.ts';
import type { WorkspaceStore } from '../../../core/workspaces/ports.ts';
import { Workspace } from '../../../core/workspaces/workspace.ts';
import { accountKey } from '../accounts/account-rows.ts';
import { retryOnConflict, isConditionFailure, tryConditionalWrite } from '../document-client.ts';
import { queryRows } from '../read-rows.ts';
import { writeTransaction } from '../transaction.ts';
import { workspaceKey } from './workspace-parts.ts';

/** Workspaces in DynamoDB, in the partition of their account. The account's row counts them. */
export function workspaceRepository(client: DynamoDBDocumentClient, table: string): WorkspaceStore {
  return {
    createWithinLimit: (limit, accountId, workspace) =>
      create(client, table, { limit, accountId, workspace }),
    list: (accountId) => list(client, table, accountId),
    rename: (accountId, workspaceId, change) =>
      rename(client, table, workspaceKey(accountId, workspaceId), change),
    beginDeletion(accountId, workspaceId, at) {
      const update = new UpdateCommand({
        TableName: table,
        Key: workspaceKey(accountId, workspaceId),
        UpdateExpression: 'SET deletingAt = if_not_exists(deletingAt, :at)',
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeValues: { ':at': at },
      });
      return retryOnConflict(() => tryConditionalWrite(client.send(update)));
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
  const Item = { ...workspaceKey(accountId, workspace.id), ...row };
  const unmet = await writeTransaction(client, [
    ['workspace', { Put: { TableName, Item, ConditionExpression: 'attribute_not_exists(pk)' } }],
    [
      'account',
      {
        Update: {
          TableName,
          Key: accountKey(accountId),
          UpdateExpression: 'ADD workspaceCount :one',
          ConditionExpression:
            'attribute_exists(pk) AND (attribute_not_exists(workspaceCount) OR workspaceCount < :limit)',
          ExpressionAttributeValues: { ':one': 1, ':limit': limit },
        },
      },
    ],
  ]);
  if (unmet.has('workspace')) throw new Error('a workspace with this id exists already');
  return unmet.size === 0;
}

async function list(client: DynamoDBDocumentClient, table: string, accountId: AccountId) {
  const rows = await queryRows(client, {
    TableName: table,
    ConsistentRead: true,
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :workspace)',
    ExpressionAttributeValues: { ':pk': accountKey(accountId).pk, ':workspace': 'WORKSPACE#' },
  });
  return rows.map((row) => Workspace.parse(row));
}

async function rename(
  client: DynamoDBDocumentClient,
  table: string,
  Key: Record<string, string>,
  { name, updatedAt }: { name: string; updatedAt: Instant },
): Promise<Workspace | undefined> {
  const update = new UpdateCommand({
    TableName: table,
    Key,
    UpdateExpression: 'SET #name = :name, updatedAt = :updatedAt',
    ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(deletingAt)',
    ExpressionAttributeNames: { '#name': 'name' },
    ExpressionAttributeValues: { ':name': name, ':updatedAt': updatedAt },
    ReturnValues: 'ALL_NEW',
  });
  try {
    const { Attributes } = await retryOnConflict(() => client.send(update));
    return Workspace.parse(Attributes);
  } catch (error) {
    if (isConditionFailure(error)) return undefined;
    throw error;
  }
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
      {
        Delete: {
          TableName,
          Key: workspaceKey(accountId, workspaceId),
          ConditionExpression: 'attribute_exists(deletingAt) AND projectCount = :none',
          ExpressionAttributeValues: { ':none': 0 },
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        },
      },
    ],
    [
      'account',
      {
        Update: {
          TableName,
          Key: accountKey(accountId),
          UpdateExpression: 'ADD workspaceCount :minusOne',
          ConditionExpression: 'workspaceCount >= :one',
          ExpressionAttributeValues: { ':one': 1, ':minusOne': -1 },
        },
      },
    ],
  ]);
  if (unmet.size === 0) return true;
  const failedRow = unmet.get('workspace');
  if (failedRow === undefined)
    throw new Error(`the workspace count of account ${accountId} is too low`);
  const isGone = Object.keys(failedRow).length === 0;
  return isGone;
}

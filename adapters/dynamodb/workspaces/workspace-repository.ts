import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { AccountId, Instant, WorkspaceId } from '../../../contract/fields.ts';
import type { WorkspaceStore } from '../../../core/workspaces/ports.ts';
import { Workspace } from '../../../core/workspaces/workspace.ts';
import { accountKey } from '../accounts/account-repository.ts';
import { amongTransactions, isLostCondition, unlessLost } from '../document-client.ts';
import { queryRows } from '../read-rows.ts';
import { transact } from '../transaction.ts';
import { workspaceKey } from './workspace-parts.ts';

/** Workspaces in DynamoDB, beside their account, which counts them. */
export function workspaceRepository(client: DynamoDBDocumentClient, table: string): WorkspaceStore {
  return {
    createWithin: (limit, accountId, workspace) =>
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
      return amongTransactions(() => unlessLost(client.send(update)));
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
  const unmet = await transact(client, [
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
  if (unmet.has('workspace')) throw new Error('two workspaces of one id');
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
    const { Attributes } = await amongTransactions(() => client.send(update));
    return Workspace.parse(Attributes);
  } catch (error) {
    if (isLostCondition(error)) return undefined;
    throw error;
  }
}

/** The row and its place in the account's count go together, for one of those who end it at once. */
async function endDeletion(
  client: DynamoDBDocumentClient,
  TableName: string,
  { accountId, workspaceId }: { accountId: AccountId; workspaceId: WorkspaceId },
): Promise<boolean> {
  const unmet = await transact(client, [
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
          UpdateExpression: 'ADD workspaceCount :lessOne',
          ConditionExpression: 'workspaceCount >= :one',
          ExpressionAttributeValues: { ':one': 1, ':lessOne': -1 },
        },
      },
    ],
  ]);
  if (unmet.size === 0) return true;
  const met = unmet.get('workspace');
  if (met === undefined)
    throw new Error(`account ${accountId} counts fewer workspaces than it has`);
  const isGone = Object.keys(met).length === 0;
  return isGone;
}

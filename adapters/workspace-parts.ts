import type { AccountId, WorkspaceId } from '../contract/fields.ts';
import { accountKey } from './account-repository.ts';

/** Where a workspace is stored. */
export const workspaceKey = (accountId: AccountId, workspaceId: WorkspaceId) => ({
  pk: accountKey(accountId).pk,
  sk: `WORKSPACE#${workspaceId}`,
});

/** The part of a transaction that puts one project into a workspace; unmet where the account has none of that id. */
export function joinWorkspace(TableName: string, accountId: AccountId, workspaceId: WorkspaceId) {
  return {
    Update: {
      TableName,
      Key: workspaceKey(accountId, workspaceId),
      UpdateExpression: 'ADD projectCount :one',
      ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(deletingAt)',
      ExpressionAttributeValues: { ':one': 1 },
    },
  };
}

/** The part of a transaction that takes one project out of a workspace, also one that is being deleted. */
export function leaveWorkspace(TableName: string, accountId: AccountId, workspaceId: WorkspaceId) {
  return {
    Update: {
      TableName,
      Key: workspaceKey(accountId, workspaceId),
      UpdateExpression: 'ADD projectCount :lessOne',
      ConditionExpression: 'projectCount >= :one',
      ExpressionAttributeValues: { ':one': 1, ':lessOne': -1 },
    },
  };
}

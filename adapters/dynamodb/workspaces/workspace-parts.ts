import type { AccountId, WorkspaceId } from '../../../contract/fields.ts';
import type { Project } from '../../../core/projects/project.ts';
import { accountKey } from '../accounts/account-repository.ts';

/** Where a workspace is stored. */
export const workspaceKey = (accountId: AccountId, workspaceId: WorkspaceId) => ({
  pk: accountKey(accountId).pk,
  sk: `WORKSPACE#${workspaceId}`,
});

/** The parts of a transaction that count a project where it is from now on, and no more where it was. */
export function workspaceMoves(
  TableName: string,
  before: Membership | undefined,
  after: Membership,
) {
  const was = before === undefined ? undefined : placeOf(before);
  const is = placeOf(after);
  if (was?.workspaceId === is?.workspaceId) return [];
  return [
    ...(was === undefined
      ? []
      : [['left-workspace', leaveWorkspace(TableName, was.ownerId, was.workspaceId)] as const]),
    ...(is === undefined
      ? []
      : [['workspace', joinWorkspace(TableName, is.ownerId, is.workspaceId)] as const]),
  ];
}

type Membership = Pick<Project, 'ownerId' | 'workspaceId' | 'removingAt'>;

function placeOf({ ownerId, workspaceId, removingAt }: Membership) {
  if (ownerId === null || workspaceId === null || removingAt !== null) return undefined;
  return { ownerId, workspaceId };
}

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

import type { AccountId, WorkspaceId } from '../../../contract/fields.ts';
import type { Project } from '../../../core/projects/project.ts';
import { accountKey } from '../accounts/account-rows.ts';
import { update } from '../writes.ts';

/** The key of a workspace's row. */
export const workspaceKey = (accountId: AccountId, workspaceId: WorkspaceId) => ({
  pk: accountKey(accountId).pk,
  sk: `WORKSPACE#${workspaceId}`,
});

/**
 * The parts of a transaction that update the project counts of its former and its new workspace.
 */
export function workspaceMoveParts(
  TableName: string,
  before: Membership | undefined,
  after: Membership,
) {
  const was = before === undefined ? undefined : countedWorkspace(before);
  const is = countedWorkspace(after);
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

function countedWorkspace({ ownerId, workspaceId, removingAt }: Membership) {
  if (ownerId === null || workspaceId === null || removingAt !== null) return undefined;
  return { ownerId, workspaceId };
}

/**
 * The part of a transaction that adds a project to a workspace; fails if the account has no
 * workspace with this id.
 */
export function joinWorkspace(TableName: string, accountId: AccountId, workspaceId: WorkspaceId) {
  return update(TableName, workspaceKey(accountId, workspaceId), {
    add: { projectCount: 1 },
    when: 'attribute_exists(pk) AND attribute_not_exists(deletingAt)',
  });
}

/**
 * The part of a transaction that removes a project from a workspace, even if the workspace is being
 * deleted.
 */
export function leaveWorkspace(TableName: string, accountId: AccountId, workspaceId: WorkspaceId) {
  return update(TableName, workspaceKey(accountId, workspaceId), {
    add: { projectCount: -1 },
    when: 'projectCount >= :one',
    values: { one: 1 },
  });
}

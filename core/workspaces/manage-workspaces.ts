import { randomUUID } from 'node:crypto';
import { WorkspaceId } from '../../contract/fields.ts';
import type { AccountCaller } from '../caller.ts';
import { CodedError } from '../errors.ts';
import { instant } from '../instants.ts';
import { type DeletionDeps, finishDeletion } from './finish-deletion.ts';
import type { Workspace } from './workspace.ts';

/** Workspaces that one account may have. */
const maxWorkspaces = 1000;

/** What managing workspaces needs. */
export interface WorkspaceDeps extends DeletionDeps {
  /** Told of a deletion that the next call has to finish. */
  onFailure(item: unknown, error: unknown): void;
  now(): Date;
}

type WorkspaceCaller = Pick<AccountCaller, 'account'>;

/** The account's workspaces, newest first; finishes deletions that were cut off. */
export async function listWorkspaces(deps: WorkspaceDeps, { account }: WorkspaceCaller) {
  const all = await deps.workspaces.list(account.id);
  for (const { id } of all.filter(({ deletingAt }) => deletingAt !== null)) {
    try {
      await finishDeletion(deps, account.id, id);
    } catch (error) {
      deps.onFailure({ workspaceId: id }, error);
    }
  }
  const workspaces = all.filter(({ deletingAt }) => deletingAt === null).toSorted(newestFirst);
  return { workspaces };
}

/**
 * Makes a workspace.
 * @throws CodedError WORKSPACE_LIMIT_REACHED
 */
export async function createWorkspace(
  deps: WorkspaceDeps,
  { account }: WorkspaceCaller,
  { name }: { name: string },
): Promise<Workspace> {
  const at = instant(deps.now());
  const id = WorkspaceId.parse(randomUUID());
  const workspace = { id, name, projectCount: 0, createdAt: at, updatedAt: at, deletingAt: null };
  if (!(await deps.workspaces.createWithin(maxWorkspaces, account.id, workspace))) {
    throw new CodedError('WORKSPACE_LIMIT_REACHED', {
      error: `An account has at most ${maxWorkspaces} workspaces.`,
    });
  }
  return workspace;
}

/**
 * Renames a workspace.
 * @throws CodedError NOT_FOUND
 */
export async function renameWorkspace(
  deps: WorkspaceDeps,
  { account }: WorkspaceCaller,
  { workspaceId, name }: { workspaceId: string; name: string },
): Promise<Workspace> {
  const change = { name, updatedAt: instant(deps.now()) };
  const renamed = await deps.workspaces.rename(account.id, idOf(workspaceId), change);
  if (renamed === undefined) throw notFound();
  return renamed;
}

/**
 * Deletes a workspace; its projects stay, in none. For its owner it is gone at once; whoever asks
 * again after a crash goes on where it ended.
 * @throws CodedError NOT_FOUND, UNAVAILABLE
 */
export async function deleteWorkspace(
  deps: WorkspaceDeps,
  { account }: WorkspaceCaller,
  input: { workspaceId: string },
) {
  const workspaceId = idOf(input.workspaceId);
  const at = instant(deps.now());
  if (!(await deps.workspaces.beginDeletion(account.id, workspaceId, at))) throw notFound();
  await finishDeletion(deps, account.id, workspaceId);
  return { deleted: true };
}

/** What is no id names nothing. */
function idOf(text: string): WorkspaceId {
  const { data } = WorkspaceId.safeParse(text);
  if (data === undefined) throw notFound();
  return data;
}

function notFound(): CodedError {
  return new CodedError('NOT_FOUND', { error: 'You have no such workspace.' });
}

function newestFirst(a: Workspace, b: Workspace): number {
  return a.createdAt < b.createdAt ? 1 : -1;
}

import { randomUUID } from 'node:crypto';
import { type AccountId, WorkspaceId } from '../../contract/fields.ts';
import type { AccountCaller } from '../caller.ts';
import { CodedError } from '../errors.ts';
import { instant, newestFirst } from '../instants.ts';
import type { Workspace } from './workspace.ts';
import type { WorkspaceProjects, WorkspaceStore } from './ports.ts';

/** The most workspaces of one account. */
const maxWorkspaces = 1000;

/** The dependencies for managing workspaces. */
export interface WorkspaceDeps extends DeletionDeps {
  /** Called for a deletion that a later call has to finish. */
  onFailure(item: unknown, error: unknown): void;
  now(): Date;
}

type WorkspaceCaller = Pick<AccountCaller, 'account'>;

/** The account's workspaces, newest first; finishes interrupted deletions. */
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
 * Creates a workspace.
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
  if (!(await deps.workspaces.createWithinLimit(maxWorkspaces, account.id, workspace))) {
    throw new CodedError('WORKSPACE_LIMIT_REACHED', {
      error: `An account can have at most ${maxWorkspaces} workspaces. Delete one first.`,
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
  const renamed = await deps.workspaces.rename(account.id, parseWorkspaceId(workspaceId), change);
  if (renamed === undefined) throw notFound();
  return renamed;
}

/**
 * Deletes a workspace. Its projects stay, without a workspace. It disappears from the owner's list
 * immediately. Repeating the call after a crash continues the deletion.
 * @throws CodedError NOT_FOUND, UNAVAILABLE
 */
export async function deleteWorkspace(
  deps: WorkspaceDeps,
  { account }: WorkspaceCaller,
  input: { workspaceId: string },
) {
  const workspaceId = parseWorkspaceId(input.workspaceId);
  const at = instant(deps.now());
  if (!(await deps.workspaces.beginDeletion(account.id, workspaceId, at))) throw notFound();
  await finishDeletion(deps, account.id, workspaceId);
  return { deleted: true };
}

/** A text that is not an id cannot name a workspace: 404, not 400. */
function parseWorkspaceId(text: string): WorkspaceId {
  const { data } = WorkspaceId.safeParse(text);
  if (data === undefined) throw notFound();
  return data;
}

function notFound(): CodedError {
  return new CodedError('NOT_FOUND', {
    error: 'There is no workspace with this id in your account.',
  });
}

/** The dependencies for finishing a deletion. */
export interface DeletionDeps {
  workspaces: WorkspaceStore;
  projects: WorkspaceProjects;
  /** Waits; longer with each turn. */
  pause(turn: number): Promise<void>;
}

/** The index of projects follows within moments; these turns take about two seconds. */
const maxAttempts = 20;

/**
 * Empties and removes a workspace whose deletion has begun. The index of projects may lag behind, so
 * the stored count decides: projects are looked up again until the count is zero.
 * @throws CodedError UNAVAILABLE when counted projects were not found in the index in time
 */
async function finishDeletion(
  deps: DeletionDeps,
  accountId: AccountId,
  workspaceId: WorkspaceId,
): Promise<void> {
  for (let turn = 1; turn <= maxAttempts; turn += 1) {
    if (await deps.workspaces.endDeletion(accountId, workspaceId)) return;
    if (turn > 1) await deps.pause(turn);
    for await (const projectId of deps.projects.idsIn(accountId, workspaceId)) {
      await deps.projects.release(accountId, projectId, workspaceId);
    }
  }
  throw new CodedError('UNAVAILABLE', {
    error: 'Some projects are still being removed from the workspace.',
    nextStep: 'Send the same request again in a minute; it continues the deletion.',
    retryAfterSeconds: 60,
  });
}

import type { AccountId, WorkspaceId } from '../../contract/fields.ts';
import { CodedError } from '../errors.ts';
import type { WorkspaceProjects, WorkspaceStore } from './ports.ts';

/** What finishing a deletion needs. */
export interface DeletionDeps {
  workspaces: WorkspaceStore;
  projects: WorkspaceProjects;
  /** Waits a moment that grows with the turns. */
  pause(turn: number): Promise<void>;
}

/** The index of projects follows within moments; these turns take about two seconds. */
const maxTurns = 20;

/**
 * Empties and removes a workspace whose deletion has begun. Its count is the truth, because what
 * finds its projects may lag behind: it is looked at again until none is left.
 * @throws CodedError UNAVAILABLE when projects that it counts were not found
 */
export async function finishDeletion(
  deps: DeletionDeps,
  accountId: AccountId,
  workspaceId: WorkspaceId,
): Promise<void> {
  for (let turn = 1; turn <= maxTurns; turn += 1) {
    if (await deps.workspaces.endDeletion(accountId, workspaceId)) return;
    if (turn > 1) await deps.pause(turn);
    for await (const projectId of deps.projects.idsIn(accountId, workspaceId)) {
      await deps.projects.release(accountId, projectId, workspaceId);
    }
  }
  throw new CodedError('UNAVAILABLE', {
    error: 'Not every project has left the workspace yet.',
    nextStep: 'Send the same request again in a minute; it goes on where this one ended.',
  });
}

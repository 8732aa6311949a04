import type { AccountCaller } from '../../caller.ts';
import type { EdgeCache } from '../../ports.ts';
import type { OwnedProjectStore } from '../owned-projects.ts';
import { ownedProject } from '../owned-project.ts';
import type { Project } from '../project.ts';
import { settleMs } from './purge.ts';
import { removalOnRequest } from './removal.ts';
import { type RemovalDeps, removeRemains } from './sweep.ts';

/** What deleting a project needs. */
export interface DeleteProjectDeps {
  projects: RemovalDeps['projects'];
  owned: Pick<OwnedProjectStore, 'beginRemoval'>;
  content: RemovalDeps['content'];
  hits: RemovalDeps['hits'];
  edge: EdgeCache;
  /** For so long an operator can bring a deleted project back. */
  keptDays: number;
  /** Told of what the next sweep has to finish. */
  onFailure(item: unknown, error: unknown): void;
  now(): Date;
}

/** Each try loses only to another change of the same project. */
const tries = 5;

/**
 * Removes a project for good. With the first step it is gone for everybody, the address is free,
 * the owner's sums are lower and the sweep finds what is left, once an operator can not bring it
 * back any more; what fails after it is finished there.
 * @throws CodedError NOT_FOUND
 */
export async function deleteProject(
  deps: DeleteProjectDeps,
  caller: AccountCaller,
  input: { projectId: string },
) {
  for (let count = 1; count <= tries; count += 1) {
    const project = await ownedProject(deps.projects, caller, input.projectId);
    if (await deps.owned.beginRemoval(removalOnRequest(project, deps.keptDays, deps.now()))) {
      await finish(deps, project);
      return { deleted: true };
    }
  }
  throw new Error(`a project changed ${tries} times while it was to be removed`);
}

/** The edge before the bytes: it must not ask for a file that is gone and keep that answer. */
async function finish(deps: DeleteProjectDeps, project: Project): Promise<void> {
  const { id, claimHash } = project;
  try {
    await deps.edge.forgetStragglers(id, settleMs(project, undefined));
    if (deps.keptDays > 0) return;
    await removeRemains(deps, { projectId: id, claimHash });
  } catch (error) {
    deps.onFailure({ kind: 'project', projectId: id }, error);
  }
}

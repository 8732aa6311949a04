import { ProjectId } from '../../../contract/fields.ts';
import type { AccountState } from '../../accounts/suspension.ts';
import type { EdgeCache, ProjectStore } from '../../ports.ts';
import { findSiteByHost, type FindSiteDeps, readHost } from '../../visit/find-site.ts';
import { buildChange, type NextProjectState } from '../settings/project-change.ts';
import { purgeEdge } from '../settings/change-project.ts';
import type { OwnedProjectStore } from '../owned-projects.ts';
import type { Project } from '../project.ts';
import { unlimited } from '../quota.ts';
import { instant } from '../../instants.ts';

/** Dependencies of operator commands. */
export interface OperatorDeps extends FindSiteDeps {
  projects: Pick<ProjectStore, 'get' | 'getVersion'>;
  owned: Pick<OwnedProjectStore, 'change'>;
  edge: EdgeCache;
  /** Called with work that maintenance has to complete. */
  onFailure(item: unknown, error: unknown): void;
  now(): Date;
}

/** Why an operator command changed nothing, and what to do, in one or two sentences. */
export class OperatorError extends Error {
  override name = 'OperatorError';
  /** `missing`: there is no such thing. `state`: its present state does not allow it. */
  readonly kind: 'missing' | 'state';

  constructor(message: string, kind: 'missing' | 'state' = 'state') {
    super(message);
    this.kind = kind;
  }
}

const otherState =
  'Another operator is suspending or unsuspending this account. Check its state, then try again.';

/** A try fails only when another change of the same project is written first. */
const tries = 20;

/**
 * The project with this id, or the one at this address: its own, that of one version, or that of a custom domain.
 * @throws OperatorError
 */
async function resolveProject(deps: FindSiteDeps, target: string): Promise<ProjectId> {
  const id = ProjectId.safeParse(target.trim().toLowerCase()).data;
  if (id !== undefined) return id;
  const host = readHost(target);
  const site = host === undefined ? undefined : await findSiteByHost(deps, host);
  if (site === undefined) {
    throw new OperatorError(
      `${target} is not a project id, and no site is served at that address.`,
      'missing',
    );
  }
  return site.projectId;
}

/**
 * Changes any project to the state that `next` returns. When another change is written first, `next`
 * is called again. If it returns `undefined`, nothing is written.
 * @param expects the state that its owner's account must have
 * @throws OperatorError
 */
export async function changeAsOperator(
  deps: Omit<OperatorDeps, keyof FindSiteDeps>,
  projectId: ProjectId,
  next: (project: Project, now: Date) => NextProjectState['fields'] | undefined,
  expects: AccountState | 'any' = 'any',
): Promise<Project> {
  for (let count = 1; count <= tries; count += 1) {
    const project = await deps.projects.get(projectId);
    if (project === undefined || project.removingAt !== null) throw projectNotFound(projectId);
    const live = await deps.projects.getVersion(projectId, project.version);
    const now = deps.now();
    const fields = next(project, now);
    if (fields === undefined) return project;
    // Another version became live and this one was removed in the meantime.
    if (live === undefined && project.version > 0) continue;
    const change = buildChange(project, { fields, live, limits: unlimited, expects }, now);
    const outcome = await deps.owned.change(change);
    if (outcome === 'changed') {
      if (change.isVisible) await purgeEdge(deps, change);
      return change.after;
    }
    if (outcome === 'account-state') throw new OperatorError(otherState);
    if (outcome !== 'lost')
      throw new Error(`an operator's change failed: ${JSON.stringify(outcome)}`);
  }
  throw new Error(`a project changed ${tries} times while it was to be changed`);
}

function projectNotFound(projectId: ProjectId): OperatorError {
  return new OperatorError(`There is no project ${projectId}, or its owner deleted it.`, 'missing');
}

/**
 * Blocks a project for everybody, from the next request on. Its owner sees the reason. A second call
 * changes the reason.
 * @param target a project's id, or an address
 * @throws OperatorError
 */
export async function takeDown(
  deps: OperatorDeps,
  { target, reason }: { target: string; reason: string },
): Promise<Project> {
  return changeAsOperator(deps, await resolveProject(deps, target), (_, now) => ({
    takedown: { reason, at: instant(now) },
  }));
}

/**
 * Lifts a takedown.
 * @throws OperatorError
 */
export async function liftTakedown(
  deps: OperatorDeps,
  { target }: { target: string },
): Promise<Project> {
  return changeAsOperator(deps, await resolveProject(deps, target), ({ takedown }) =>
    takedown === null ? undefined : { takedown: null },
  );
}

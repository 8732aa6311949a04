import { setTimeout } from 'node:timers/promises';
import type { PlanLimits } from '../../../contract/plans.ts';
import type { Plans } from '../../accounts/account.ts';
import type { AccountCaller } from '../../caller.ts';
import type { EdgeCache, ProjectStore } from '../../ports.ts';
import {
  buildChange,
  type NextProjectState,
  type ProjectChange,
  requireChanged,
} from './project-change.ts';
import { confirmWrite } from '../confirm-write.ts';
import {
  type OwnedProjectStore,
  requireOwnedProject,
  uploadNotPublished,
} from '../owned-projects.ts';
import type { Project, Version } from '../project.ts';
import { purgeWishOf } from '../removal/purge.ts';
import { effectiveLimits } from '../quota.ts';

/** The dependencies for changing a project. */
export interface ChangeProjectDeps {
  projects: Pick<ProjectStore, 'get' | 'getVersion'>;
  owned: Pick<OwnedProjectStore, 'change'>;
  edge: EdgeCache;
  plans: Plans;
  /** Called with work that maintenance must finish. */
  onFailure(item: unknown, error: unknown): void;
  now(): Date;
}

/** A project, its live version and its plan's limits, as one try of a change reads them. */
export interface ProjectSnapshot {
  project: Project;
  live: Version;
  limits: PlanLimits;
  now: Date;
}

/**
 * A try fails only after another change of the same project. Agents may send many files in
 * parallel, one per request.
 */
const tries = 30;
/** Longest pause between tries; the average is half of it. */
const pauseMs = { first: 50, longest: 1000 };

/**
 * Changes the caller's project to the state that `next` returns. After a concurrent change, `next`
 * is called again with the new state. If it returns no state, nothing is written.
 * @throws CodedError NOT_FOUND, UPLOAD_INCOMPLETE, SLUG_TAKEN, PROJECT_LIMIT_REACHED,
 * STORAGE_LIMIT_REACHED; errors of `next`
 */
export async function changeProject(
  deps: ChangeProjectDeps,
  caller: AccountCaller,
  projectId: string,
  next: (
    snapshot: ProjectSnapshot,
  ) =>
    | Promise<Omit<NextProjectState, 'limits'> | undefined>
    | Omit<NextProjectState, 'limits'>
    | undefined,
): Promise<Project> {
  for (let count = 1; count <= tries; count += 1) {
    const snapshot = await loadSnapshot(deps, caller, projectId);
    const { project, limits } = snapshot;
    const nextState = await next(snapshot);
    if (nextState === undefined) return project;
    // The time of the write: `next` may have stored files for seconds.
    const change = buildChange(project, { limits, ...nextState }, deps.now());
    const outcome = await deps.owned
      .change(change)
      .catch(confirmWrite(deps.projects, change, 'changed' as const));
    if (outcome === 'lost') {
      await pause(count);
      continue;
    }
    requireChanged(change, outcome);
    if (change.isVisible) await purgeEdge(deps, change);
    return change.after;
  }
  throw new Error(`a project changed ${tries} times while it was to be changed`);
}

/**
 * Only one of several concurrent changes succeeds; random pauses keep the others from colliding
 * again.
 */
async function pause(lost: number): Promise<void> {
  const longest = Math.min(pauseMs.longest, pauseMs.first * 2 ** (lost - 1));
  await setTimeout(Math.random() * longest);
}

/** The caller's project with its live version. */
async function loadSnapshot(
  deps: ChangeProjectDeps,
  caller: AccountCaller,
  id: string,
): Promise<ProjectSnapshot> {
  const project = await requireOwnedProject(deps.projects, caller, id);
  const live = await deps.projects.getVersion(project.id, project.version);
  const now = deps.now();
  const limits = effectiveLimits(deps.plans, caller.account, now);
  if (live !== undefined) return { project, live, limits, now };
  if (project.version > 0) return loadSnapshot(deps, caller, id);
  throw uploadNotPublished();
}

/** A failed purge does not fail the change: maintenance purges again within a minute. */
export async function purgeEdge(
  deps: Pick<ChangeProjectDeps, 'edge' | 'onFailure'>,
  { before, after }: Pick<ProjectChange, 'before' | 'after'>,
): Promise<void> {
  const { id } = after;
  try {
    await deps.edge.purgeAfterDelay(id, purgeWishOf(before, after));
  } catch (error) {
    deps.onFailure({ kind: 'purge', projectId: id }, error);
  }
}

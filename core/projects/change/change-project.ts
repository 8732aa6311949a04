import type { Plans } from '../../accounts/account.ts';
import { backOff } from '../../back-off.ts';
import type { AccountCaller } from '../../caller.ts';
import { plusSeconds } from '../../instants.ts';
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
import { BusyProject } from './busy-project.ts';
import { type AccountLimits, effectiveLimits } from '../quota.ts';

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
  limits: AccountLimits;
  now: Date;
}

/**
 * A try fails only after another change of the same project. Agents may send many files in
 * parallel, one per request, and many people may send files to one project. The longest wait is many times what a try
 * takes: fewer tries at once lose less work.
 */
const maxTries = 30;
const betweenTries = { firstMs: 50, longestMs: 4000 };
/** A request has 29 seconds, and may have stored files before. */
const patienceSeconds = 15;

/** The next state; without one, nothing is written. */
export type NextOf<S> = (
  snapshot: S,
) =>
  | Promise<Omit<NextProjectState, 'limits'> | undefined>
  | Omit<NextProjectState, 'limits'>
  | undefined;

/**
 * Changes the caller's project to the state that `next` returns. After a concurrent change, `next`
 * is called again with the new state. If it returns no state, nothing is written.
 * @throws CodedError NOT_FOUND, UPLOAD_INCOMPLETE, SLUG_TAKEN, PROJECT_LIMIT_REACHED,
 * STORAGE_LIMIT_REACHED; BusyProject; errors of `next`
 */
export async function changeProject(
  deps: ChangeProjectDeps,
  caller: AccountCaller,
  projectId: string,
  next: NextOf<ProjectSnapshot>,
): Promise<Project> {
  return changeAnyProject(deps, caller, projectId, ({ live, ...snapshot }) => {
    if (live === undefined) throw uploadNotPublished();
    return next({ ...snapshot, live });
  });
}

/** A snapshot of a project whose first version may still be being stored. */
export interface UnpublishedSnapshot extends Omit<ProjectSnapshot, 'live'> {
  live: Version | undefined;
}

/**
 * Like {@link changeProject}, and also while the first version of the project is being stored: the
 * worker that publishes it keeps what was changed.
 * @throws CodedError NOT_FOUND, SLUG_TAKEN, PROJECT_LIMIT_REACHED, STORAGE_LIMIT_REACHED; errors of `next`
 */
export async function changeAnyProject(
  deps: ChangeProjectDeps,
  caller: AccountCaller,
  projectId: string,
  next: NextOf<UnpublishedSnapshot>,
): Promise<Project> {
  return writeProject(deps, requireChanged, async () => {
    const project = await requireOwnedProject(deps.projects, caller, projectId);
    const live = await deps.projects.getVersion(project.id, project.version);
    if (live === undefined && project.version > 0) return undefined;
    const now = deps.now();
    const limits = effectiveLimits(deps.plans, caller.account, now);
    const state = await next({ project, live, limits, now });
    return { project, next: state && { limits, ...state } };
  });
}

/** A project as it was read, and its next state; without one, nothing is written. */
export interface ReadProject {
  project: Project;
  next: NextProjectState | undefined;
}

/**
 * Writes the next state of a project over the one that it was made from. After a concurrent change it is read again.
 * @param refuse throws the error for an outcome that another try would not change
 * @param read returns nothing if another version became live between its reads
 * @throws BusyProject
 */
export async function writeProject(
  deps: Omit<ChangeProjectDeps, 'plans'>,
  refuse: typeof requireChanged,
  read: () => Promise<ReadProject | undefined>,
): Promise<Project> {
  let end: Date | undefined;
  for (let tries = 1; tries <= maxTries; tries += 1) {
    const found = await read();
    if (found !== undefined) {
      const { project, next } = found;
      if (next === undefined) return project;
      const written = await tryToWrite(deps, refuse, project, next);
      if (written !== undefined) return written;
    }
    // From the first loss on: the first state may have taken minutes, to store files.
    end ??= plusSeconds(deps.now(), patienceSeconds);
    if (deps.now() >= end) break;
    await backOff(tries, betweenTries);
  }
  throw new BusyProject();
}

/** The project that was written; nothing if another change was faster. */
async function tryToWrite(
  deps: Omit<ChangeProjectDeps, 'plans'>,
  refuse: typeof requireChanged,
  project: Project,
  next: NextProjectState,
): Promise<Project | undefined> {
  // By default the time of the write: computing the next state may have taken seconds, to store files.
  const change = buildChange(project, next, next.at ?? deps.now());
  const outcome = await deps.owned
    .change(change)
    .catch(confirmWrite(deps.projects, change, 'changed' as const));
  if (outcome === 'lost') return undefined;
  refuse(change, outcome);
  if (change.isVisible) await purgeEdge(deps, change);
  return change.after;
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

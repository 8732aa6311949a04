import { ProjectId } from '../../../contract/fields.ts';
import type { AccountState } from '../../accounts/suspension.ts';
import type { EdgeCache, ProjectStore } from '../../ports.ts';
import { findSiteByHost, type FindSiteDeps, readHost } from '../../visit/find-site.ts';
import type { ChangeOutcome, NextProjectState, ProjectChange } from '../change/project-change.ts';
import { writeProject } from '../change/change-project.ts';
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
      `${target} is not a project id, and no site is served at that address. Name a project that its owner deleted by its id.`,
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
  return writeProject(deps, requireChanged, async () => {
    const project = await deps.projects.get(projectId);
    if (project === undefined || project.removingAt !== null) throw projectNotFound(projectId);
    const live = await deps.projects.getVersion(projectId, project.version);
    const fields = next(project, deps.now());
    if (fields !== undefined && live === undefined && project.version > 0) return undefined;
    return { project, next: fields && { fields, live, limits: unlimited, expects } };
  });
}

/** The same for what happens by itself: a project that was deleted meanwhile stays as it is. */
export async function changeIfPresent(
  ...change: Parameters<typeof changeAsOperator>
): Promise<void> {
  try {
    await changeAsOperator(...change);
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
  }
}

function requireChanged(_: ProjectChange, outcome: Exclude<ChangeOutcome, 'lost'>): void {
  if (outcome === 'changed') return;
  if (outcome === 'account-state') throw new OperatorError(otherState);
  throw new Error(`an operator's change failed: ${JSON.stringify(outcome)}`);
}

/** Dependencies of {@link takeDown} and {@link liftTakedown}. */
export interface TakedownDeps extends OperatorDeps {
  owned: Pick<OwnedProjectStore, 'change' | 'noteTakedown'>;
}

/**
 * Takes a project down or lifts its takedown, as `next` returns. If the owner deleted the project
 * and restores it later, it comes back in that state.
 * @throws OperatorError
 */
async function changeTakedown(
  deps: TakedownDeps,
  target: string,
  next: (now: Date) => Project['takedown'],
): Promise<Project> {
  const projectId = await resolveProject(deps, target);
  const deleted = await deps.projects.get(projectId);
  if (deleted === undefined || deleted.removingAt === null) {
    return changeAsOperator(deps, projectId, ({ takedown: before }, now) => {
      const takedown = next(now);
      return before === null && takedown === null ? undefined : { takedown };
    });
  }
  const now = deps.now();
  const takedown = next(now);
  if (await deps.owned.noteTakedown(deleted, { takedown, now })) return { ...deleted, takedown };
  throw projectNotFound(projectId);
}

function projectNotFound(projectId: ProjectId): OperatorError {
  return new OperatorError(`There is no project ${projectId}, or its owner deleted it.`, 'missing');
}

/**
 * Blocks a project for everybody, from the next request on. Its owner sees the reason. A second
 * call changes the reason. A project that its owner deleted can be taken down by its id; it is then
 * still down when it is restored.
 * @param target a project's id, or an address
 * @throws OperatorError
 */
export async function takeDown(
  deps: TakedownDeps,
  { target, reason }: { target: string; reason: string },
): Promise<Project> {
  return changeTakedown(deps, target, (now) => ({ reason, at: instant(now) }));
}

/**
 * Lifts a takedown.
 * @throws OperatorError
 */
export async function liftTakedown(
  deps: TakedownDeps,
  { target }: { target: string },
): Promise<Project> {
  return changeTakedown(deps, target, () => null);
}

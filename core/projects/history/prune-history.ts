import type { AccountId, Instant, ProjectId } from '../../../contract/fields.ts';
import type { ProjectStore } from '../../ports.ts';
import type { AccountHistory, ProjectWithHistory } from './account-history.ts';
import { buildChange } from '../change/project-change.ts';
import { maxPruned } from '../versions/kept-versions.ts';
import type { OwnedProjectStore } from '../owned-projects.ts';
import type { Version } from '../project.ts';
import { summarizeHistory, type ProjectHistory } from './project-history.ts';
import { unlimited } from '../quota.ts';

/** Dependencies of {@link pruneProject} and {@link trimHistory}. */
export interface PruneDeps {
  projects: Pick<ProjectStore, 'get' | 'listVersions'>;
  owned: Pick<OwnedProjectStore, 'change'>;
  history: Pick<AccountHistory, 'find' | 'projects'>;
  now(): Date;
}

/** The history of a project after pruning, and how much was removed; `undefined` where the project no longer exists. */
export type PruneResult = { history: ProjectHistory; versions: number; bytes: number } | undefined;

/** A try fails only when another change of the same project is written first. */
const tries = 20;

/**
 * Removes earlier versions from a project's history. `choose` receives all of them, oldest first,
 * and returns those to remove. One call removes at most as many as fit into one step. Never removes
 * the live version.
 */
export async function pruneProject(
  deps: Omit<PruneDeps, 'history'>,
  projectId: ProjectId,
  choose: (earlier: readonly Version[]) => readonly Version[],
): Promise<PruneResult> {
  for (let count = 1; count <= tries; count += 1) {
    const project = await deps.projects.get(projectId);
    if (project === undefined || project.removingAt !== null) return undefined;
    const kept = await deps.projects.listVersions(projectId);
    const live = kept.find(({ version }) => version === project.version);
    if (live === undefined) {
      // The first version is not published yet, or the project changed since it was read.
      if (project.version === 0) return undefined;
      continue;
    }
    const earlier = kept.filter((one) => one !== live).toSorted(byAge);
    const pruned = choose(earlier).slice(0, maxPruned);
    const history = summarizeHistory(
      kept.filter((one) => !pruned.includes(one)),
      live.version,
    );
    const left = { history, versions: pruned.length, bytes: sum(pruned) };
    if (pruned.length === 0) return left;
    const next = { fields: { history }, live, limits: unlimited, pruned };
    const change = buildChange(project, next, deps.now());
    // The owner did not make this change.
    const after = { ...change.after, updatedAt: project.updatedAt };
    const outcome = await deps.owned.change({ ...change, after });
    if (outcome === 'changed') return left;
    if (outcome !== 'lost') throw new Error(`pruning failed: ${JSON.stringify(outcome)}`);
  }
  throw new Error(`a project changed ${tries} times while its history was to be pruned`);
}

function byAge(a: Version, b: Version): number {
  return a.createdAt === b.createdAt ? a.version - b.version : a.createdAt < b.createdAt ? -1 : 1;
}

function sum(versions: readonly Version[]): number {
  return versions.reduce((total, { bytes }) => total + bytes, 0);
}

/** Steps that one request has time for; maintenance does the rest. */
export const stepsPerRequest = 5;
/** Steps of one minute's maintenance for one account. */
export const stepsPerMaintenanceRun = 50;

/** How a trim ended; `nothing-found` where the index has no project with a history. */
export type TrimOutcome = 'fits' | 'more-to-do' | 'nothing-found';

/**
 * Removes the oldest earlier versions of all projects of an account until the rest has at most
 * `maxBytes`, in at most `steps` steps.
 */
export async function trimHistory(
  deps: PruneDeps,
  accountId: AccountId,
  { maxBytes, steps }: { maxBytes: number; steps: number },
): Promise<TrimOutcome> {
  let left = [...(await deps.history.projects(accountId))];
  for (let step = 0; ; step += 1) {
    const found = await deps.history.find(accountId);
    const surplus = (found?.earlierBytes ?? 0) - maxBytes;
    if (surplus <= 0) return 'fits';
    left = left.filter(({ history }) => history.versions > 0).toSorted(byOldest);
    const [first, second] = left;
    if (first === undefined) return 'nothing-found';
    if (step === steps) return 'more-to-do';
    left = [...left.slice(1), ...(await trimOldest(deps, first, { second, surplus }))];
  }
}

async function trimOldest(
  deps: PruneDeps,
  { projectId }: ProjectWithHistory,
  { second, surplus }: { second: ProjectWithHistory | undefined; surplus: number },
): Promise<ProjectWithHistory[]> {
  const pruned = await pruneProject(deps, projectId, (earlier) =>
    selectOldest(earlier, surplus, second?.history.oldestAt ?? null),
  );
  return pruned === undefined ? [] : [{ projectId, history: pruned.history }];
}

/** The oldest versions with `surplus` bytes together, none of them created after `until`. */
function selectOldest(
  earlier: readonly Version[],
  surplus: number,
  until: Instant | null,
): readonly Version[] {
  const chosen: Version[] = [];
  let missing = surplus;
  for (const version of earlier) {
    if (missing <= 0 || (until !== null && version.createdAt > until)) break;
    chosen.push(version);
    missing -= version.bytes;
  }
  return chosen;
}

function byOldest(a: ProjectWithHistory, b: ProjectWithHistory): number {
  return (a.history.oldestAt ?? '') < (b.history.oldestAt ?? '') ? -1 : 1;
}

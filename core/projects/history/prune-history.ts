import type { AccountId, Instant, ProjectId } from '../../../contract/fields.ts';
import type { ProjectStore } from '../../ports.ts';
import type { AccountHistory, ProjectWithHistory } from './account-history.ts';
import { changeOf } from '../settings/change.ts';
import { maxPruned } from '../versions/kept-versions.ts';
import type { OwnedProjectStore } from '../owned-projects.ts';
import type { Version } from '../project.ts';
import { historyOf, type ProjectHistory } from './project-history.ts';
import { unlimited } from '../quota.ts';

/** What taking versions out of histories needs. */
export interface PruneDeps {
  projects: Pick<ProjectStore, 'get' | 'versions'>;
  owned: Pick<OwnedProjectStore, 'change'>;
  history: Pick<AccountHistory, 'find' | 'projects'>;
  now(): Date;
}

/** What became of a project's history, and how much left it; `undefined` where there is no project any more. */
export type Pruned = { history: ProjectHistory; versions: number; bytes: number } | undefined;

/** Each try loses only to another change of the same project. */
const tries = 20;

/**
 * Takes earlier versions out of a project's history, those that `choose` gives of all, the oldest
 * first; at most as many as fit into one step. The live version is never among them.
 */
export async function pruneProject(
  deps: Omit<PruneDeps, 'history'>,
  projectId: ProjectId,
  choose: (earlier: readonly Version[]) => readonly Version[],
): Promise<Pruned> {
  for (let count = 1; count <= tries; count += 1) {
    const project = await deps.projects.get(projectId);
    if (project === undefined || project.removingAt !== null) return undefined;
    const kept = await deps.projects.versions(projectId);
    const live = kept.find(({ version }) => version === project.version);
    if (live === undefined) {
      // Its first version is still to come, or it changed since it was read.
      if (project.version === 0) return undefined;
      continue;
    }
    const earlier = kept.filter((one) => one !== live).toSorted(byAge);
    const pruned = choose(earlier).slice(0, maxPruned);
    const history = historyOf(
      kept.filter((one) => !pruned.includes(one)),
      live.version,
    );
    const left = { history, versions: pruned.length, bytes: sum(pruned) };
    if (pruned.length === 0) return left;
    const next = { fields: { history }, live, limits: unlimited, pruned };
    const change = changeOf(project, next, deps.now());
    // Nothing of it is its owner's doing.
    const after = { ...change.after, updatedAt: project.updatedAt };
    const outcome = await deps.owned.change({ ...change, after });
    if (outcome === 'changed') return left;
    if (outcome !== 'lost') throw new Error(`pruning met ${JSON.stringify(outcome)}`);
  }
  throw new Error(`a project changed ${tries} times while its history was to be pruned`);
}

function byAge(a: Version, b: Version): number {
  return a.createdAt === b.createdAt ? a.version - b.version : a.createdAt < b.createdAt ? -1 : 1;
}

function sum(versions: readonly Version[]): number {
  return versions.reduce((total, { bytes }) => total + bytes, 0);
}

/** Steps that one request has time for; maintenance goes on with the rest. */
export const stepsOfRequest = 5;
/** Steps of one minute's maintenance for one account. */
export const stepsOfMaintenance = 50;

/** How a trim ended; `nothing-found` where the index of projects shows none that has a history. */
export type Trimmed = 'fits' | 'more-to-do' | 'nothing-found';

/**
 * Has the oldest earlier versions of all an account's projects leave, until they hold at most
 * `maxBytes`, in at most so many steps.
 */
export async function trimHistory(
  deps: PruneDeps,
  accountId: AccountId,
  { maxBytes, steps }: { maxBytes: number; steps: number },
): Promise<Trimmed> {
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
    oldestOf(earlier, surplus, second?.history.oldestAt ?? null),
  );
  return pruned === undefined ? [] : [{ projectId, history: pruned.history }];
}

/** The oldest versions that hold `surplus` bytes, none of them made after `until`. */
function oldestOf(
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

import type { AccountId, ProjectId } from '../../contract/fields.ts';
import type { Project } from '../projects/project.ts';
import { workPool } from '../projects/publishing/work-pool.ts';
import { type CountedHit, groupHits, type HitBatch, spreadBatch } from './hit-batches.ts';
import type { Hit } from './hit.ts';
import { hitName, type HitStore, type RefusedBatch } from './ports.ts';
import {
  enforceMonthlyLimits,
  type MonthlyLimitDeps,
  type UpdatedMonth,
} from './monthly-limits.ts';
import { backOff } from '../back-off.ts';
import { capVisits } from './cap-visits.ts';
import { type OpenEventDeps, watchedProjects } from './open-events.ts';
import { noteOpens, type NoteOpensDeps } from './open-mails.ts';

/** The dependencies for counting hits. */
export interface CountHitsDeps extends MonthlyLimitDeps, NoteOpensDeps, OpenEventDeps {
  hits: HitStore;
}

/** Simultaneous reads and transactions. */
const maxConcurrent = 16;
/** The same for one account: more transactions would only conflict at the rows of its day. */
const maxConcurrentOfAccount = 4;

/**
 * Counts hits, each once even if it is delivered several times, and enforces the visit limits of
 * their owners. Returns the ids of hits that could not be counted and must be delivered again;
 * `onFailure` gets the errors.
 */
export async function countHits(
  { accounts, ...others }: CountHitsDeps,
  hits: readonly Hit[],
): Promise<ReadonlySet<string>> {
  const deps = { ...others, accounts: readOnce(accounts) };
  const projects = await loadProjects(deps, hits);
  const failed = new Set<string>();
  const existingHits = hits.filter(({ projectId }) => projects.has(projectId));
  const pool = workPool({ count: maxConcurrent, bytes: Number.POSITIVE_INFINITY });
  const watched = await watchedProjects(deps, projects, existingHits);
  for (const batches of sequencesOf(groupHits(existingHits, watched))) {
    await pool.add(0, async () => {
      for (const batch of batches) await recordWithRetry(deps, batch, failed);
    });
  }
  await pool.settled();
  for (const project of projects.values()) {
    const ofProject = existingHits.filter(({ projectId }) => projectId === project.id);
    await noteOpens(deps, project, ofProject).catch((error: unknown) => {
      deps.onFailure({ kind: 'notice', projectId: project.id }, error);
      for (const { id, kind } of ofProject) if (kind === 'open') failed.add(id);
    });
  }
  for (const updated of updatedMonths(existingHits, projects)) {
    const { accountId } = updated;
    await enforceMonthlyLimits(deps, updated).catch((error: unknown) =>
      deps.onFailure({ kind: 'monthly-limit', accountId }, error),
    );
  }
  return failed;
}

/** Accounts of which each is read once: for the events of its opens and for its monthly limits. */
function readOnce(accounts: CountHitsDeps['accounts']): CountHitsDeps['accounts'] {
  const found = new Map<AccountId, ReturnType<typeof accounts.get>>();
  return {
    get(accountId) {
      const account = found.get(accountId) ?? accounts.get(accountId);
      found.set(accountId, account);
      return account;
    },
  };
}

/** Hits of a project that is deleted or being deleted are not counted: their rows would stay behind. */
async function loadProjects(
  { projects }: Pick<CountHitsDeps, 'projects'>,
  hits: readonly Hit[],
): Promise<Map<ProjectId, Project>> {
  const found = new Map<ProjectId, Project>();
  const pool = workPool({ count: maxConcurrent, bytes: Number.POSITIVE_INFINITY });
  for (const projectId of new Set(hits.map((hit) => hit.projectId))) {
    await pool.add(0, async () => {
      const project = await projects.get(projectId);
      if (project?.removingAt === null) found.set(projectId, project);
    });
  }
  await pool.settled();
  return found;
}

/**
 * Retries only hits that are not written: hits above the caps are not stored as rows, so counting
 * them twice would not be noticed.
 */
async function recordWithRetry(
  deps: CountHitsDeps,
  batch: HitBatch,
  failed: Set<string>,
): Promise<void> {
  for (const { part, error } of await recordBatch(deps.hits, batch)) {
    const { projectId, shard, hits } = part;
    // A hit that cannot be written must not block the others.
    if (hits.length > 1) {
      for (const hit of hits) await recordWithRetry(deps, { ...part, hits: [hit] }, failed);
      continue;
    }
    deps.onFailure({ kind: 'hits', projectId, shard, count: hits.length }, error);
    for (const hit of hits) failed.add(hit.record.id);
  }
}

/**
 * Sequences of batches that run one after another: all batches of one project are in one sequence,
 * because they change the same blocks. The projects of an account share a few sequences.
 */
function sequencesOf(batches: readonly HitBatch[]): HitBatch[][] {
  const accounts = groupBy(batches, ({ ownerId, projectId }) => ownerId ?? projectId);
  return accounts.flatMap((ofAccount) => {
    const sequences = Array.from({ length: maxConcurrentOfAccount }, () => new Array<HitBatch>());
    for (const ofProject of groupBy(ofAccount, ({ projectId }) => projectId)) {
      const [shortest] = sequences.toSorted((one, other) => one.length - other.length);
      shortest?.push(...ofProject);
    }
    return sequences.filter(({ length }) => length > 0);
  });
}

function groupBy(batches: readonly HitBatch[], nameOf: (batch: HitBatch) => string): HitBatch[][] {
  const groups = new Map<string, HitBatch[]>();
  for (const batch of batches) {
    const name = nameOf(batch);
    groups.set(name, [...(groups.get(name) ?? []), batch]);
  }
  return [...groups.values()];
}

/** Includes hits that were counted before, so that enforcement is repeated after a crash. */
function updatedMonths(
  hits: readonly Hit[],
  projects: ReadonlyMap<ProjectId, Project>,
): UpdatedMonth[] {
  const months = new Map<string, UpdatedMonth & { projects: Project[] }>();
  for (const { kind, ownerId, projectId, at } of hits) {
    const project = projects.get(projectId);
    if (kind !== 'visit' || ownerId === null || project === undefined) continue;
    const month = at.slice(0, 7);
    const name = `${ownerId} ${month}`;
    const updated = months.get(name) ?? { accountId: ownerId, month, projects: [] };
    if (!updated.projects.includes(project)) updated.projects.push(project);
    months.set(name, updated);
  }
  return [...months.values()];
}

interface UnwrittenPart {
  part: HitBatch;
  error: unknown;
}

/** A network's day only grows towards its caps, so retries end soon. */
const maxAttempts = 100;

/**
 * Stores and counts the hits of a batch, each once even if it is delivered several times, within
 * the caps of their networks. Skips hits that are stored already. If another batch has changed a block or a
 * network's day meanwhile, applies the caps again. Returns the parts that could not be written; all
 * other hits are.
 */
export async function recordBatch(hits: HitStore, batch: HitBatch): Promise<UnwrittenPart[]> {
  const unwritten: UnwrittenPart[] = [];
  let remaining = batch;
  try {
    for (let attempt = 1; remaining.hits.length > 0; attempt += 1) {
      if (attempt > maxAttempts)
        throw new Error('other batches changed the same rows at every attempt');
      const refused = await hits.write(capVisits(remaining, await hits.networkDays(remaining)));
      if (refused === undefined) break;
      const { spread, others } = divide(remaining, refused);
      if (others.length === remaining.hits.length) await backOff(attempt);
      remaining = { ...remaining, hits: others };
      for (const own of spread) unwritten.push(...(await recordBatch(hits, own)));
    }
  } catch (error) {
    unwritten.push({ part: remaining, error });
  }
  return unwritten;
}

/** Divides the hits that are not stored yet: those that go to their own shards, and the others. */
function divide(
  { hits, ...batch }: HitBatch,
  { kept, spread = new Set() }: RefusedBatch,
): { spread: HitBatch[]; others: CountedHit[] } {
  const isSpread = ({ record }: CountedHit) => spread.has(hitName(record));
  return {
    spread: spreadBatch({ ...batch, hits: hits.filter(isSpread) }),
    others: hits.filter((hit) => !isSpread(hit) && !kept.has(hitName(hit.record))),
  };
}

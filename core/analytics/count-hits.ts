import type { ProjectId } from '../../contract/fields.ts';
import type { Project } from '../projects/project.ts';
import { workPool } from '../projects/publishing/work-pool.ts';
import { type CountedHit, groupHits, type HitBatch, spreadBatch } from './hit-batches.ts';
import type { Hit } from './hit.ts';
import { hitName, type HitStore } from './ports.ts';
import { enforceVisitLimit, type UpdatedMonth, type VisitLimitDeps } from './visit-limit.ts';
import { capVisits } from './cap-visits.ts';
import { admitOpens, groupOpens, type LimitOpensDeps } from './limit-opens.ts';

/** The dependencies for counting hits. */
export interface CountHitsDeps extends VisitLimitDeps, LimitOpensDeps {
  hits: HitStore;
}

/** Simultaneous reads and transactions. */
const maxConcurrent = 16;

/**
 * Counts hits, each once even if it is delivered several times, and enforces the visit limits of
 * their owners. Returns the ids of hits that could not be counted and must be delivered again;
 * `onFailure` gets the errors.
 */
export async function countHits(
  deps: CountHitsDeps,
  hits: readonly Hit[],
): Promise<ReadonlySet<string>> {
  const projects = await loadProjects(deps, hits);
  const failed = new Set<string>();
  const existingHits = await withoutExcessOpens(
    deps,
    hits.filter(({ projectId }) => projects.has(projectId)),
    failed,
  );
  const pool = workPool({ count: maxConcurrent, bytes: Number.POSITIVE_INFINITY });
  for (const batches of groupByAccount(groupHits(existingHits))) {
    await pool.add(0, async () => {
      for (const batch of batches) await recordWithRetry(deps, batch, failed);
    });
  }
  await pool.settled();
  for (const updated of updatedMonths(existingHits, projects)) {
    const { accountId } = updated;
    await enforceVisitLimit(deps, updated).catch((error: unknown) =>
      deps.onFailure({ kind: 'visit-limit', accountId }, error),
    );
  }
  return failed;
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

/** Hits without the opens of networks that sent too many. */
async function withoutExcessOpens(
  deps: CountHitsDeps,
  hits: readonly Hit[],
  failed: Set<string>,
): Promise<Hit[]> {
  const admitted = new Set<Hit>();
  const pool = workPool({ count: maxConcurrent, bytes: Number.POSITIVE_INFINITY });
  for (const group of groupOpens(hits)) {
    await pool.add(0, async () => {
      try {
        for (const hit of await admitOpens(deps, group)) admitted.add(hit);
      } catch (error) {
        deps.onFailure({ kind: 'open-rate', projectId: group[0]?.projectId }, error);
        for (const { id } of group) failed.add(id);
      }
    });
  }
  await pool.settled();
  return hits.filter((hit) => hit.kind === 'visit' || admitted.has(hit));
}

async function recordWithRetry(
  deps: CountHitsDeps,
  batch: HitBatch,
  failed: Set<string>,
): Promise<void> {
  try {
    await recordBatch(deps.hits, batch);
  } catch (error) {
    const { projectId, shard, hits } = batch;
    // A hit that cannot be written must not block the others.
    if (hits.length > 1) {
      for (const hit of hits) await recordWithRetry(deps, { ...batch, hits: [hit] }, failed);
      return;
    }
    deps.onFailure({ kind: 'hits', projectId, shard, count: hits.length }, error);
    for (const hit of hits) failed.add(hit.record.id);
  }
}

/** Batches of one account run one after another: their transactions would conflict at the rows of its day. */
function groupByAccount(batches: readonly HitBatch[]): HitBatch[][] {
  const groups = new Map<string, HitBatch[]>();
  for (const batch of batches) {
    const name = batch.ownerId ?? batch.projectId;
    groups.set(name, [...(groups.get(name) ?? []), batch]);
  }
  return [...groups.values()];
}

/** Hits that were counted before are included, so that enforcement after a crash is repeated. */
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

/** Days only grow towards their caps, so that retries end soon. */
const maxAttempts = 100;

/**
 * Stores and counts the hits of a batch, each once even if it is delivered several times, within
 * the caps of their networks. Skips hits that are stored already. If another batch has changed a pack or a
 * network's day meanwhile, applies the caps again.
 */
export async function recordBatch(hits: HitStore, batch: HitBatch): Promise<void> {
  let remaining = batch;
  for (let attempt = 1; remaining.hits.length > 0; attempt += 1) {
    if (attempt > maxAttempts)
      throw new Error('other batches changed the same rows at every attempt');
    const refused = await hits.write(capVisits(remaining, await hits.networkDays(remaining)));
    if (refused === undefined) return;
    const { kept, spread = new Set() } = refused;
    const isSpread = ({ record }: CountedHit) => spread.has(hitName(record));
    const ofOwnShards = remaining.hits.filter(isSpread);
    for (const own of spreadBatch({ ...remaining, hits: ofOwnShards }))
      await recordBatch(hits, own);
    remaining = {
      ...remaining,
      hits: remaining.hits.filter((hit) => !isSpread(hit) && !kept.has(hitName(hit.record))),
    };
  }
}

import type { ProjectId } from '../../contract/fields.ts';
import type { Project } from '../projects/project.ts';
import { workPool } from '../projects/publishing/work-pool.ts';
import { type HitBatch, hitBatches } from './hit-batches.ts';
import type { Hit } from './hit.ts';
import type { HitStore } from './ports.ts';
import { recordBatch } from './record-batch.ts';
import { type GrownMonth, holdToLimit, type VisitLimitDeps } from './visit-limit.ts';

/** What counting hits needs. */
export interface CountHitsDeps extends VisitLimitDeps {
  hits: HitStore;
}

/** Reads and transactions under way at once. */
const atOnce = 16;

/**
 * Counts hits, each once however often it comes, and holds their owners to their plans. Gives the
 * ids of hits that could not be counted and are to come again; `onFailure` is told why.
 */
export async function countHits(
  deps: CountHitsDeps,
  hits: readonly Hit[],
): Promise<ReadonlySet<string>> {
  const projects = await projectsOf(deps, hits);
  const alive = hits.filter(({ projectId }) => projects.has(projectId));
  const failed = new Set<string>();
  const pool = workPool({ count: atOnce, bytes: Number.POSITIVE_INFINITY });
  for (const batches of byPartition(hitBatches(alive))) {
    await pool.add(0, async () => {
      for (const batch of batches) await record(deps, batch, failed);
    });
  }
  await pool.settled();
  for (const grown of grownMonths(alive, projects)) {
    const { accountId } = grown;
    await holdToLimit(deps, grown).catch((error: unknown) =>
      deps.onFailure({ kind: 'visit-limit', accountId }, error),
    );
  }
  return failed;
}

/** A project that is gone, or going, is not counted any more: its rows would stay behind. */
async function projectsOf(
  { projects }: Pick<CountHitsDeps, 'projects'>,
  hits: readonly Hit[],
): Promise<Map<ProjectId, Project>> {
  const found = new Map<ProjectId, Project>();
  const pool = workPool({ count: atOnce, bytes: Number.POSITIVE_INFINITY });
  for (const projectId of new Set(hits.map((hit) => hit.projectId))) {
    await pool.add(0, async () => {
      const project = await projects.get(projectId);
      if (project?.removingAt === null) found.set(projectId, project);
    });
  }
  await pool.settled();
  return found;
}

async function record(deps: CountHitsDeps, batch: HitBatch, failed: Set<string>): Promise<void> {
  try {
    await recordBatch(deps.hits, batch);
  } catch (error) {
    const { projectId, shard, hits } = batch;
    // One that can never be written must not keep the others from it.
    if (hits.length > 1) {
      for (const hit of hits) await record(deps, { ...batch, hits: [hit] }, failed);
      return;
    }
    deps.onFailure({ kind: 'hits', projectId, shard, count: hits.length }, error);
    for (const hit of hits) failed.add(hit.record.id);
  }
}

/** Transactions on the same rows would only wait for each other. */
function byPartition(batches: readonly HitBatch[]): HitBatch[][] {
  const groups = new Map<string, HitBatch[]>();
  for (const batch of batches) {
    const name = `${batch.projectId} ${batch.shard}`;
    groups.set(name, [...(groups.get(name) ?? []), batch]);
  }
  return [...groups.values()];
}

/** Also of hits that were counted before: what then was cut off is taken up again. */
function grownMonths(
  hits: readonly Hit[],
  projects: ReadonlyMap<ProjectId, Project>,
): GrownMonth[] {
  const months = new Map<string, GrownMonth & { projects: Project[] }>();
  for (const { kind, ownerId, projectId, at } of hits) {
    const project = projects.get(projectId);
    if (kind !== 'visit' || ownerId === null || project === undefined) continue;
    const month = at.slice(0, 7);
    const name = `${ownerId} ${month}`;
    const grown = months.get(name) ?? { accountId: ownerId, month, projects: [] };
    if (!grown.projects.includes(project)) grown.projects.push(project);
    months.set(name, grown);
  }
  return [...months.values()];
}

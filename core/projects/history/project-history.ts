import * as z from 'zod';
import { Instant } from '../../../contract/fields.ts';
import type { PlanLimits } from '../../../contract/plans.ts';

/** What a project keeps beside its live version. */
export const ProjectHistory = z.object({
  versions: z.number().int().nonnegative(),
  /** Of each version all bytes, though a file that did not change is stored once (decision 0038). */
  bytes: z.number().int().nonnegative(),
  /** No earlier version was made before; null where there is none. */
  oldestAt: Instant.nullable(),
});
export type ProjectHistory = z.infer<typeof ProjectHistory>;

/** A project that never had another version. */
export const noHistory: ProjectHistory = { versions: 0, bytes: 0, oldestAt: null };

/** What is asked of a version. */
interface Kept {
  version: number;
  bytes: number;
  createdAt: Instant;
}

/** The history of a project that keeps these versions, the live one among them. Pure. */
export function historyOf(kept: readonly Kept[], live: number): ProjectHistory {
  const earlier = kept.filter(({ version }) => version !== live);
  const times = earlier.map(({ createdAt }) => createdAt).toSorted();
  return {
    versions: earlier.length,
    bytes: earlier.reduce((sum, { bytes }) => sum + bytes, 0),
    oldestAt: times[0] ?? null,
  };
}

/**
 * The history after one of its versions has taken the live one's place. Pure. Its oldest version
 * may be younger than this tells, never older.
 */
export function historyAfterSwitch(history: ProjectHistory, live: Kept, next: Kept) {
  const { versions, bytes, oldestAt } = history;
  return {
    versions: Math.max(1, versions),
    bytes: Math.max(0, bytes - next.bytes) + live.bytes,
    oldestAt: oldestAt === null || live.createdAt < oldestAt ? live.createdAt : oldestAt,
  };
}

/** Whether a project keeps more versions than a plan does. */
export function isAbovePlan(
  { versions }: ProjectHistory,
  { versionsKept }: Pick<PlanLimits, 'versionsKept'>,
): boolean {
  return versionsKept !== -1 && versions > 0 && versions + 1 > versionsKept;
}

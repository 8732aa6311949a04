import * as z from 'zod';
import { Instant } from '../../../contract/fields.ts';
import type { PlanLimits } from '../../../contract/plans.ts';

/** The earlier versions that a project keeps. */
export const ProjectHistory = z.object({
  versions: z.number().int().nonnegative(),
  /** The full size of each version, although unchanged files are stored once (decision 0038). */
  bytes: z.number().int().nonnegative(),
  /** A lower bound of when its earlier versions were created; null where there are none. */
  oldestAt: z.nullable(Instant),
});
export type ProjectHistory = z.infer<typeof ProjectHistory>;

/** The history of a project that never had another version. */
export const noHistory: ProjectHistory = { versions: 0, bytes: 0, oldestAt: null };

/** The part of a version that counts here. */
interface KeptVersion {
  version: number;
  bytes: number;
  createdAt: Instant;
}

/** The history of a project with these versions; `kept` includes the live one. Pure. */
export function summarizeHistory(kept: readonly KeptVersion[], live: number): ProjectHistory {
  const earlier = kept.filter(({ version }) => version !== live);
  const times = earlier.map(({ createdAt }) => createdAt).toSorted();
  return {
    versions: earlier.length,
    bytes: earlier.reduce((sum, { bytes }) => sum + bytes, 0),
    oldestAt: times[0] ?? null,
  };
}

/**
 * The history after an earlier version replaced the live one. Pure. Its oldest version may be newer
 * than `oldestAt`, never older.
 */
export function historyAfterSwitch(history: ProjectHistory, live: KeptVersion, next: KeptVersion) {
  const { versions, bytes, oldestAt } = history;
  return {
    versions: Math.max(1, versions),
    bytes: Math.max(0, bytes - next.bytes) + live.bytes,
    oldestAt: oldestAt === null || live.createdAt < oldestAt ? live.createdAt : oldestAt,
  };
}

/** Whether a project has more versions than a plan keeps. */
export function isAbovePlan(
  { versions }: ProjectHistory,
  { versionsKept }: Pick<PlanLimits, 'versionsKept'>,
): boolean {
  return versionsKept !== -1 && versions > 0 && versions + 1 > versionsKept;
}

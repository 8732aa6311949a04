import type { Performance } from 'node:perf_hooks';

/** Measures a thread: each call returns the share of the time since the last one in which it was computing. */
export function utilizationOf(thread: Pick<Performance, 'eventLoopUtilization'>): () => number {
  let last = thread.eventLoopUtilization();
  return () => {
    const now = thread.eventLoopUtilization();
    const { utilization } = thread.eventLoopUtilization(now, last);
    last = now;
    return Number.isFinite(utilization) ? utilization : 0;
  };
}

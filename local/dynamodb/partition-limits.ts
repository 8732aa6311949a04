import type { PartitionUse } from './partition-use.ts';
import { readUnits } from './partition-use.ts';

/** Capacity units that one partition key has each second. */
export interface PartitionLimits {
  writes: number;
  reads: number;
}

/** The quotas of AWS, for on-demand tables too ("Partitions and data distribution in DynamoDB"). */
export const AWS_PARTITION_LIMITS: PartitionLimits = { writes: 1000, reads: 3000 };

/** Counts what each partition key used in the current second. */
export type PartitionMeter = ReturnType<typeof partitionMeter>;

/**
 * A meter with these limits. A read is admitted for the least that it costs, because its size is
 * known only afterwards.
 * @param nowMs the real time: the clock of the cloud may be moved
 */
export function partitionMeter(limits: PartitionLimits, nowMs: () => number) {
  let second = 0;
  const used = new Map<string, number>();
  const nameOf = ({ kind, partition }: PartitionUse) => `${kind} ${partition}`;
  const usedBy = (use: PartitionUse) => used.get(nameOf(use)) ?? 0;
  const add = (use: PartitionUse, units: number) => used.set(nameOf(use), usedBy(use) + units);

  function startSecond(): void {
    const current = Math.floor(nowMs() / 1000);
    if (current !== second) used.clear();
    second = current;
  }

  return {
    /** The first use that exceeds its limit; undefined if none does, and then all are counted. */
    admit(uses: readonly PartitionUse[]) {
      startSecond();
      const exceeded = uses.find((use) => {
        const limit = use.kind === 'read' ? limits.reads : limits.writes;
        // A write that alone exceeds the limit would never succeed.
        return usedBy(use) + use.units > Math.max(limit, use.units);
      });
      if (exceeded !== undefined) return exceeded;
      for (const use of uses) add(use, use.units);
      return undefined;
    },
    /** Counts what the admitted reads found beyond their least. */
    addReads(uses: readonly PartitionUse[], responseBytes: number) {
      startSecond();
      const reads = uses.filter(({ kind }) => kind === 'read');
      for (const use of reads) {
        add(use, readUnits(responseBytes / reads.length, use.weight) - use.units);
      }
    },
  };
}

/** Work under way, bounded by its count and by the bytes that it holds. */
export interface WorkPool {
  /** Starts work as soon as there is room; throws what earlier work failed with. */
  add(bytes: number, work: () => Promise<void>): Promise<void>;
  /** Waits for all of it, then throws the first failure. */
  settled(): Promise<void>;
}

/** A pool; after a failure nothing further is started, and nothing is under way once it has thrown. */
export function workPool(limits: { count: number; bytes: number }): WorkPool {
  const underWay = new Map<Promise<void>, number>();
  const failures: unknown[] = [];
  let held = 0;
  const hasRoom = (bytes: number) =>
    underWay.size === 0 || (underWay.size < limits.count && held + bytes <= limits.bytes);
  const settled = async () => {
    await Promise.all(underWay.keys());
    if (failures.length > 0) throw failures[0];
  };
  return {
    async add(bytes, work) {
      while (!hasRoom(bytes)) await Promise.race(underWay.keys());
      if (failures.length > 0) await settled();
      held += bytes;
      const job: Promise<void> = work()
        .catch((error: unknown) => void failures.push(error))
        .finally(() => {
          underWay.delete(job);
          held -= bytes;
        });
      underWay.set(job, bytes);
    },
    settled,
  };
}

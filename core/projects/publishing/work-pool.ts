/** Runs work in parallel, limited by count and by bytes in memory. */
export interface WorkPool {
  /** Starts work as soon as there is capacity; throws the error of earlier work. */
  add(bytes: number, work: () => Promise<void>): Promise<void>;
  /** Waits for all work, then throws its first error. */
  settled(): Promise<void>;
}

/** A pool. After an error it starts nothing more, and no work is running when it throws. */
export function workPool(limits: { count: number; bytes: number }): WorkPool {
  const running = new Map<Promise<void>, number>();
  const failures: unknown[] = [];
  let runningBytes = 0;
  const hasCapacity = (bytes: number) =>
    running.size === 0 || (running.size < limits.count && runningBytes + bytes <= limits.bytes);
  const settled = async () => {
    await Promise.all(running.keys());
    if (failures.length > 0) throw failures[0];
  };
  return {
    async add(bytes, work) {
      while (!hasCapacity(bytes)) await Promise.race(running.keys());
      if (failures.length > 0) await settled();
      runningBytes += bytes;
      const job: Promise<void> = work()
        .catch((error: unknown) => void failures.push(error))
        .finally(() => {
          running.delete(job);
          runningBytes -= bytes;
        });
      running.set(job, bytes);
    },
    settled,
  };
}

import { performance } from 'node:perf_hooks';
import type { ExecutionEnvironment } from './execution-environment.ts';
import { utilizationOf } from './utilization.ts';

interface PoolOptions {
  /** Starts an environment; `onExit` must be called when it ends by itself. */
  start(onExit: () => void): ExecutionEnvironment;
  maxConcurrency: number;
  /** The processor cores of this computer. */
  cores: number;
  maxQueued: number;
  /** How long an idle environment is kept. */
  idleMs: number;
  /** How long the last one is kept. */
  lastIdleMs: number;
}

/** A pool of execution environments; each serves one request at a time. */
export interface EnvironmentPool {
  /** Waits for a free environment; undefined if throttled (queue full) or closed. */
  acquire(): Promise<ExecutionEnvironment | undefined>;
  release(environment: ExecutionEnvironment): void;
  all(): ReadonlySet<ExecutionEnvironment>;
  close(): Promise<void>;
}

/** How often a waiting request looks whether another environment would help it. */
const GROWTH_MS = 100;

/** Threads that compute for this share of the time leave no core for another. */
const BUSY = 0.9;

/**
 * Reuses idle environments, most recently used first, and starts more up to `maxConcurrency`.
 *
 * Two for each core start at once. Another starts only while a request waits and the threads leave a core
 * free, because the environments wait for something: more threads than cores that compute would only use
 * memory, and each would have to compile the same code.
 */
export function environmentPool(options: PoolOptions): EnvironmentPool {
  const { cores, maxConcurrency } = options;
  const ownUtilization = utilizationOf(performance);
  const running = new Set<ExecutionEnvironment>();
  const idle = idleSet(options, () => running.size <= 1, stopIdle);
  const queue: ((environment: ExecutionEnvironment | undefined) => void)[] = [];
  let closed = false;

  let growth: NodeJS.Timeout | undefined;

  function start(): ExecutionEnvironment {
    const environment = options.start(() => drop(environment));
    running.add(environment);
    return environment;
  }

  function drop(environment: ExecutionEnvironment): void {
    running.delete(environment);
    idle.remove(environment);
  }

  function stopIdle(environment: ExecutionEnvironment): void {
    drop(environment);
    void environment.stop();
  }

  function hasFreeCore(): boolean {
    const computing = [...running].reduce((sum, environment) => sum + environment.utilization(), 0);
    return computing + ownUtilization() < BUSY * cores;
  }

  function grow(): void {
    if (hasFreeCore() && running.size < maxConcurrency) queue.shift()?.(start());
    if (queue.length === 0 || running.size >= maxConcurrency) stopGrowing();
  }

  function startGrowing(): void {
    if (growth !== undefined || running.size >= maxConcurrency) return;
    // The first measurement is of this time, not of the one before.
    hasFreeCore();
    growth = setInterval(grow, GROWTH_MS).unref();
  }

  function stopGrowing(): void {
    clearInterval(growth);
    growth = undefined;
  }

  return {
    async acquire() {
      const reused = idle.removeLast();
      if (closed || reused !== undefined) return reused;
      if (running.size < Math.min(2 * cores, maxConcurrency)) return start();
      if (queue.length >= options.maxQueued) return undefined;
      startGrowing();
      return await new Promise((resolve) => queue.push(resolve));
    },
    release(environment) {
      if (!environment.alive) drop(environment);
      const next = closed ? undefined : queue.shift();
      if (next !== undefined) return next(environment.alive ? environment : start());
      if (!environment.alive) return;
      idle.add(environment);
    },
    all: () => running,
    async close() {
      closed = true;
      stopGrowing();
      for (const waiting of queue.splice(0)) waiting(undefined);
      await Promise.all([...running].map((environment) => environment.stop()));
      for (const environment of running) drop(environment);
    },
  };
}

/** Idle environments; `onExpire` is called for those that were idle too long. The last one may be idle for longer. */
function idleSet(
  { idleMs, lastIdleMs }: Pick<PoolOptions, 'idleMs' | 'lastIdleMs'>,
  isLast: () => boolean,
  onExpire: (environment: ExecutionEnvironment) => void,
) {
  const timers = new Map<ExecutionEnvironment, NodeJS.Timeout>();

  function remove(environment: ExecutionEnvironment): void {
    clearTimeout(timers.get(environment));
    timers.delete(environment);
  }

  function expireAfter(environment: ExecutionEnvironment, ms: number, expire: () => void): void {
    timers.set(environment, setTimeout(expire, ms).unref());
  }

  return {
    remove,
    add(environment: ExecutionEnvironment): void {
      expireAfter(environment, idleMs, () => {
        if (!isLast()) return onExpire(environment);
        return expireAfter(environment, lastIdleMs - idleMs, () => onExpire(environment));
      });
    },
    removeLast(): ExecutionEnvironment | undefined {
      const environment = [...timers.keys()].findLast((candidate) => candidate.alive);
      if (environment !== undefined) remove(environment);
      return environment;
    },
  };
}

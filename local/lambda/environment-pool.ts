import type { ExecutionEnvironment } from './execution-environment.ts';

interface PoolOptions {
  /** Starts an environment; `onExit` must be called when it ends by itself. */
  start(onExit: () => void): ExecutionEnvironment;
  maxConcurrency: number;
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

/** Reuses idle environments, most recently used first, and starts more up to `maxConcurrency`. */
export function environmentPool(options: PoolOptions): EnvironmentPool {
  const running = new Set<ExecutionEnvironment>();
  const idle = idleSet(options, () => running.size <= 1, stopIdle);
  const queue: ((environment: ExecutionEnvironment | undefined) => void)[] = [];
  let closed = false;

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

  return {
    async acquire() {
      const reused = idle.removeLast();
      if (closed || reused !== undefined) return reused;
      if (running.size < options.maxConcurrency) return start();
      if (queue.length >= options.maxQueued) return undefined;
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

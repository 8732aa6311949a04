import type { ExecutionEnvironment } from './execution-environment.ts';

interface PoolOptions {
  /** Starts one more environment; `onExit` must be called when it ends by itself. */
  start(onExit: () => void): ExecutionEnvironment;
  maxConcurrency: number;
  maxQueued: number;
  /** How long an environment beside the first waits for work before it is stopped. */
  idleMs: number;
}

/** Hands out execution environments, each to one user at a time. */
export interface EnvironmentPool {
  /** Waits for a free environment; undefined means throttled (queue full) or closed. */
  take(): Promise<ExecutionEnvironment | undefined>;
  giveBack(environment: ExecutionEnvironment): void;
  all(): ReadonlySet<ExecutionEnvironment>;
  close(): Promise<void>;
}

/** Reuses idle environments, most recently used first, and starts more up to `maxConcurrency`. */
export function environmentPool(options: PoolOptions): EnvironmentPool {
  const running = new Set<ExecutionEnvironment>();
  const idle = idleSet(options.idleMs, stopExtra);
  const queue: ((environment: ExecutionEnvironment | undefined) => void)[] = [];
  let closed = false;

  function start(): ExecutionEnvironment {
    const environment = options.start(() => forget(environment));
    running.add(environment);
    return environment;
  }

  function forget(environment: ExecutionEnvironment): void {
    running.delete(environment);
    idle.remove(environment);
  }

  function stopExtra(environment: ExecutionEnvironment): void {
    if (running.size <= 1) return;
    forget(environment);
    void environment.stop();
  }

  return {
    async take() {
      const reused = idle.takeLast();
      if (closed || reused !== undefined) return reused;
      if (running.size < options.maxConcurrency) return start();
      if (queue.length >= options.maxQueued) return undefined;
      return await new Promise((resolve) => queue.push(resolve));
    },
    giveBack(environment) {
      if (!environment.alive) forget(environment);
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
      for (const environment of running) forget(environment);
    },
  };
}

/** Environments that wait for work; `onExpire` gets the ones that waited too long. */
function idleSet(idleMs: number, onExpire: (environment: ExecutionEnvironment) => void) {
  const timers = new Map<ExecutionEnvironment, NodeJS.Timeout>();

  function remove(environment: ExecutionEnvironment): void {
    clearTimeout(timers.get(environment));
    timers.delete(environment);
  }

  return {
    remove,
    add(environment: ExecutionEnvironment): void {
      timers.set(environment, setTimeout(() => onExpire(environment), idleMs).unref());
    },
    takeLast(): ExecutionEnvironment | undefined {
      const environment = [...timers.keys()].findLast((candidate) => candidate.alive);
      if (environment !== undefined) remove(environment);
      return environment;
    },
  };
}

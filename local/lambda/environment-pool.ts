import type { ExecutionEnvironment } from './execution-environment.ts';

interface PoolOptions {
  /** Starts an environment; `onExit` must be called when it ends by itself. */
  start(onExit: () => void): ExecutionEnvironment;
  maxConcurrency: number;
  /** The processor cores of this computer. */
  cores: number;
  maxQueued: number;
  idleMs: number;
  /** How long the last one is kept. */
  lastIdleMs: number;
}

/** After this time in which no request was resumed, the first one that waits gets another environment. */
const STALLED_MS = 500;

/**
 * Reuses idle environments, most recently used first, and starts more up to `maxConcurrency`.
 *
 * Two for each core start at once. Another starts only when all of them wait for something: more threads
 * that compute would only use memory, and each would have to compile the same code.
 */
export function environmentPool(options: PoolOptions) {
  const { cores, maxConcurrency, maxQueued } = options;
  const running = new Set<ExecutionEnvironment>();
  const idle = idleSet(options, () => running.size <= 1, stopIdle);
  const waiting = waitingRequests(helpStalled);
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

  /** While one loads its bundle, another one would only make that slower. */
  function helpStalled(): void {
    const isLoading = [...running].some(({ loaded }) => !loaded);
    if (!isLoading && running.size < maxConcurrency) waiting.next()?.(start());
  }

  return {
    /** Waits for a free environment; undefined if throttled (queue full) or closed. */
    async acquire() {
      const reused = idle.removeLast();
      if (closed || reused !== undefined) return reused;
      if (running.size < Math.min(2 * cores, maxConcurrency)) return start();
      return waiting.count() >= maxQueued ? undefined : await waiting.wait();
    },
    release(environment: ExecutionEnvironment) {
      if (!environment.alive) drop(environment);
      const next = closed ? undefined : waiting.next();
      if (next !== undefined) return next(environment.alive ? environment : start());
      if (!environment.alive) return;
      idle.add(environment);
    },
    all: () => running,
    async close() {
      closed = true;
      for (let next = waiting.next(); next !== undefined; next = waiting.next()) next(undefined);
      await Promise.all([...running].map((environment) => environment.stop()));
      for (const environment of running) drop(environment);
    },
  };
}

type Resume = (environment: ExecutionEnvironment | undefined) => void;

/** Requests that wait for an environment; `onStalled` is called again and again while none was resumed. */
function waitingRequests(onStalled: () => void) {
  const queue: Resume[] = [];
  let timer: NodeJS.Timeout | undefined;

  function watch(): void {
    clearTimeout(timer);
    if (queue.length === 0) return;
    timer = setTimeout(() => {
      onStalled();
      watch();
    }, STALLED_MS).unref();
  }

  return {
    count: () => queue.length,
    wait(): Promise<ExecutionEnvironment | undefined> {
      return new Promise((resolve) => {
        queue.push(resolve);
        if (queue.length === 1) watch();
      });
    },
    /** The one that waits longest; the next may wait again for as long. */
    next(): Resume | undefined {
      const next = queue.shift();
      if (next !== undefined) watch();
      return next;
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

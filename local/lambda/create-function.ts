import { availableParallelism } from 'node:os';
import { environmentPool } from './environment-pool.ts';
import { startExecutionEnvironment } from './execution-environment.ts';
import type { FunctionOptions } from './lambda-environment.ts';
import { type InvokeResult, maxPayloadBytes, type StreamResult } from './invoke-result.ts';

/** One function, running from the same bundle that would be deployed. */
export interface LocalFunction {
  readonly memoryMb: number;
  /** Accepts any JSON value; never rejects: a failure is a result. `onStart` is called when its turn has come. */
  invoke(event: unknown, onStart?: () => void): Promise<InvokeResult>;
  /** Like `invoke`, with a streamed response; the function ends when all of it was read. */
  stream(event: unknown): Promise<StreamResult>;
  /** Sets the clock of the bundle; to be called whenever the cloud's clock is moved. */
  setClockOffset(offsetMs: number): void;
  close(): Promise<void>;
}

/** The result of a request for which there is no environment. */
export const throttled: InvokeResult & { ok: false } = {
  ok: false,
  errorType: 'TooManyRequestsException',
  errorMessage: 'Rate Exceeded.',
};

const requestTooLarge: InvokeResult & { ok: false } = {
  ok: false,
  errorType: 'RequestEntityTooLarge',
  errorMessage: `Request must be smaller than ${maxPayloadBytes} bytes for the InvokeFunction operation`,
};

/** The most requests that may wait for an environment; Lambda itself queues none. */
const maxQueued = 1000;

/**
 * Runs a bundle as Lambda does: own environment variables, one request per worker at a time,
 * module state kept between requests, memory and time limits, JSON in and out.
 *
 * A worker cannot have its own time zone: `TZ` is set as on Lambda, but dates follow the process.
 * The local cloud must therefore run with `TZ=UTC`.
 */
export function createFunction(options: FunctionOptions): LocalFunction {
  let clockOffsetMs = options.clock.offsetMs;
  const pool = environmentPool({
    start: (onExit) => startExecutionEnvironment(options, clockOffsetMs, onExit),
    maxConcurrency: options.maxConcurrency ?? 10,
    cores: options.cores ?? availableParallelism(),
    maxQueued,
    idleMs: options.idleMs ?? 120_000,
    lastIdleMs: options.lastIdleMs ?? 300_000,
  });

  return {
    memoryMb: options.memoryMb,
    async invoke(event, onStart) {
      const text = eventJson(event);
      if (text === undefined) return requestTooLarge;
      const environment = await pool.acquire();
      if (environment === undefined) return throttled;
      onStart?.();
      const result = await environment.invoke(text);
      pool.release(environment);
      return result;
    },
    async stream(event) {
      const text = eventJson(event);
      if (text === undefined) return requestTooLarge;
      const environment = await pool.acquire();
      if (environment === undefined) return throttled;
      const { started, ended } = environment.stream(text);
      void ended.then(() => pool.release(environment));
      return started;
    },
    setClockOffset(offsetMs) {
      clockOffsetMs = offsetMs;
      for (const environment of pool.all()) environment.setClockOffset(offsetMs);
    },
    close: () => pool.close(),
  };
}

/** The event as JSON; undefined if it is too large for a synchronous invocation. */
function eventJson(event: unknown): string | undefined {
  const text = JSON.stringify(event) ?? 'null';
  return Buffer.byteLength(text) > maxPayloadBytes ? undefined : text;
}

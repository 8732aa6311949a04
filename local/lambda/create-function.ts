import { environmentPool } from './environment-pool.ts';
import { startExecutionEnvironment } from './execution-environment.ts';
import type { FunctionOptions } from './function-options.ts';
import { type InvokeResult, maxPayloadBytes, type StreamResult } from './invoke-result.ts';

/** One deployed function, running locally from the very bundle that would be deployed. */
export interface LocalFunction {
  /** Takes any JSON value and never rejects: every failure is a result. */
  invoke(event: unknown): Promise<InvokeResult>;
  /** The same, with an answer that comes as it is written; the function ends when all of it was read. */
  stream(event: unknown): Promise<StreamResult>;
  /** Moves the time that the bundle sees; call it whenever the cloud's clock is moved. */
  setClockOffset(offsetMs: number): void;
  close(): Promise<void>;
}

const throttled: InvokeResult & { ok: false } = {
  ok: false,
  errorType: 'TooManyRequestsException',
  errorMessage: 'Rate Exceeded.',
};

const requestTooLarge: InvokeResult & { ok: false } = {
  ok: false,
  errorType: 'RequestEntityTooLarge',
  errorMessage: `Request must be smaller than ${maxPayloadBytes} bytes for the InvokeFunction operation`,
};

/** Requests that wait for an environment; one more is throttled. Lambda itself queues none. */
const maxQueued = 1000;

/**
 * Runs a bundle as Lambda does: own environment variables, one request per worker at a time,
 * module state kept between requests, memory and time limits, JSON in and out.
 *
 * A worker cannot have its own time zone: `TZ` is set as on Lambda, but dates follow the process,
 * so whoever starts the local cloud must run it with `TZ=UTC`.
 */
export function createFunction(options: FunctionOptions): LocalFunction {
  let clockOffsetMs = options.clock.offsetMs;
  const pool = environmentPool({
    start: (onExit) => startExecutionEnvironment(options, clockOffsetMs, onExit),
    maxConcurrency: options.maxConcurrency ?? 10,
    maxQueued,
    idleMs: options.idleMs ?? 30_000,
  });

  return {
    async invoke(event) {
      const text = textOf(event);
      if (text === undefined) return requestTooLarge;
      const environment = await pool.take();
      if (environment === undefined) return throttled;
      const result = await environment.invoke(text);
      pool.giveBack(environment);
      return result;
    },
    async stream(event) {
      const text = textOf(event);
      if (text === undefined) return requestTooLarge;
      const environment = await pool.take();
      if (environment === undefined) return throttled;
      const { started, ended } = environment.stream(text);
      void ended.then(() => pool.giveBack(environment));
      return started;
    },
    setClockOffset(offsetMs) {
      clockOffsetMs = offsetMs;
      for (const environment of pool.all()) environment.setClockOffset(offsetMs);
    },
    close: () => pool.close(),
  };
}

/** The event as JSON, if a synchronous invocation takes it. */
function textOf(event: unknown): string | undefined {
  const text = JSON.stringify(event) ?? 'null';
  return Buffer.byteLength(text) > maxPayloadBytes ? undefined : text;
}

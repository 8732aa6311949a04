import * as z from 'zod';
import { ignored, parseProperties, type Resource, resourcesOfType } from '../assembly/resource.ts';
import type { Clock } from '../time/clock.ts';
import type { InvokeResult } from './invoke-result.ts';

export interface AsyncInvocationsOptions {
  resources: readonly Resource[];
  clock: Clock;
  invoke(functionArn: string, event: unknown): Promise<InvokeResult>;
  log(line: string): void;
}

const Config = z.strictObject({
  FunctionName: z.string(),
  Qualifier: z.literal('$LATEST'),
  MaximumRetryAttempts: z.int().min(0).max(2).default(2),
  MaximumEventAgeInSeconds: z.int().min(60).max(21_600).default(21_600),
  DestinationConfig: ignored,
});

interface Limits {
  maxRetries: number;
  maxAgeMs: number;
}

/** Lambda's defaults: two retries, and six hours for an event. */
const defaults: Limits = { maxRetries: 2, maxAgeMs: 6 * 3_600_000 };

/** The wait before the first and the second retry (Lambda guide, "Error handling for asynchronous invocation"). */
const retryDelaysMs = [60_000, 120_000];
/** A throttled event waits one second, then twice as long each time, up to five minutes. */
const throttleDelayMs = { first: 1000, most: 300_000 };

interface Pending {
  functionArn: string;
  event: unknown;
  limits: Limits;
  acceptedAt: number;
  failures: number;
  throttles: number;
  dueAt: number;
}

function nameOf(nameOrArn: string): string {
  return nameOrArn.split(':').at(-1) ?? nameOrArn;
}

function limitsByFunction(resources: readonly Resource[]): Map<string, Limits> {
  return new Map(
    resourcesOfType(resources, 'AWS::Lambda::EventInvokeConfig').map((resource) => {
      const config = parseProperties(resource, Config);
      const { FunctionName, MaximumRetryAttempts: maxRetries } = config;
      return [
        nameOf(FunctionName),
        { maxRetries, maxAgeMs: config.MaximumEventAgeInSeconds * 1000 },
      ] as const;
    }),
  );
}

/** When an event is tried again; undefined if it is given up. */
function nextAttempt(pending: Pending, now: number): number | undefined {
  const { failures, throttles, limits, acceptedAt } = pending;
  const delay =
    throttles > 0
      ? Math.min(throttleDelayMs.first * 2 ** (throttles - 1), throttleDelayMs.most)
      : retryDelaysMs[failures - 1];
  if (delay === undefined || failures > limits.maxRetries) return undefined;
  return now + delay - acceptedAt > limits.maxAgeMs ? undefined : now + delay;
}

/** Events that wait for another attempt; `run` gets each when it is due. */
function retryQueue(clock: Clock, run: (pending: Pending) => Promise<void>) {
  const waiting = new Set<Pending>();
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  const setTimer = () => {
    clearTimeout(timer);
    if (closed || waiting.size === 0) return;
    const next = Math.min(...[...waiting].map(({ dueAt }) => dueAt));
    const delayMs = Math.min(Math.max(next - clock.now().getTime(), 10), 60_000);
    timer = setTimeout(() => void runDue(), delayMs);
  };
  const runDue = async (): Promise<void> => {
    const now = clock.now().getTime();
    const due = [...waiting].filter(({ dueAt }) => dueAt <= now);
    for (const pending of due) waiting.delete(pending);
    setTimer();
    await Promise.all(due.map(run));
  };
  return {
    add(pending: Pending): void {
      waiting.add(pending);
      setTimer();
    },
    runDue,
    close(): void {
      closed = true;
      clearTimeout(timer);
    },
  };
}

/** Starts the queue of asynchronous invocations. Attempts may overlap, also those of one function. */
export function startAsyncInvocations(options: AsyncInvocationsOptions) {
  const { clock } = options;
  const limits = limitsByFunction(options.resources);
  const running = new Set<Promise<void>>();

  const attempt = async (pending: Pending): Promise<void> => {
    const { functionArn, event } = pending;
    const result = await options.invoke(functionArn, event);
    if (result.ok) return;
    options.log(`${functionArn}: ${result.errorType}: ${result.errorMessage}`);
    const throttled = result.errorType === 'TooManyRequestsException';
    pending.throttles = throttled ? pending.throttles + 1 : 0;
    if (!throttled) pending.failures += 1;
    const dueAt = nextAttempt(pending, clock.now().getTime());
    if (dueAt !== undefined) retries.add(Object.assign(pending, { dueAt }));
  };
  const start = (pending: Pending): Promise<void> => {
    const attempted = attempt(pending).finally(() => running.delete(attempted));
    running.add(attempted);
    return attempted;
  };
  const retries = retryQueue(clock, start);
  return {
    /** Accepts an event; the promise ends with its first attempt. */
    async invoke(functionArn: string, event: unknown) {
      const acceptedAt = clock.now().getTime();
      const ofFunction = limits.get(nameOf(functionArn)) ?? defaults;
      const counts = { failures: 0, throttles: 0, dueAt: acceptedAt };
      await start({ functionArn, event, limits: ofFunction, acceptedAt, ...counts });
    },
    /** Runs every retry that is due and waits for it; to be called after the clock was moved. */
    runDue: () => retries.runDue(),
    async close() {
      retries.close();
      await Promise.allSettled(running);
    },
  };
}

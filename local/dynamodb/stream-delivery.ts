import * as z from 'zod';
import type { InvokeResult } from '../lambda/invoke-result.ts';
import { type StreamSource, matchesPattern } from './stream-source.ts';
import type { StreamReader, StreamRecord } from './stream-reader.ts';

/** The dependencies of one event source mapping. */
export interface DeliveryDeps {
  reader: StreamReader;
  invoke(event: unknown): Promise<InvokeResult>;
  /** Receives the batches that the function could not process. */
  sendToQueue(queueArn: string, message: unknown): void;
  log(line: string): void;
  /** The wait before the first retry; doubled for each further one, up to ten seconds. */
  retryDelayMs?: number;
}

const ItemFailures = z.object({
  batchItemFailures: z.array(z.object({ itemIdentifier: z.string() })).default([]),
});

/** How many records of a batch the function processed; undefined when the whole batch failed. */
function acceptedCount(source: StreamSource, batch: StreamRecord[], result: InvokeResult) {
  if (!result.ok) return undefined;
  if (!source.reportsItemFailures) return batch.length;
  const answer = ItemFailures.safeParse(result.payload ?? {});
  const failed = answer.success ? answer.data.batchItemFailures : [];
  if (failed.length === 0) return batch.length;
  const positions = failed.map(({ itemIdentifier }) =>
    batch.findIndex((record) => record.dynamodb.SequenceNumber === itemIdentifier),
  );
  return Math.max(0, Math.min(...positions));
}

/** Measured in real time, as the engine stamps records: moving the clock makes no record older. */
function isTooOld(source: StreamSource, batch: StreamRecord[]): boolean {
  const newest = batch.at(-1)?.dynamodb.ApproximateCreationDateTime ?? 0;
  return source.maxAgeSeconds >= 0 && Date.now() / 1000 - newest > source.maxAgeSeconds;
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}

/** Delivers one table's stream to one function, in order; each batch until it succeeds or is given up. */
export class StreamDelivery {
  readonly source: StreamSource;
  readonly #deps: DeliveryDeps;
  #running: Promise<void> | undefined;
  #again = false;
  #closed = false;

  constructor(source: StreamSource, deps: DeliveryDeps) {
    this.source = source;
    this.#deps = deps;
  }

  /** Delivers all records of the stream; resolves when done. */
  run(): Promise<void> {
    this.#again = true;
    this.#running ??= this.#pump();
    return this.#running;
  }

  close(): void {
    this.#closed = true;
  }

  async #pump(): Promise<void> {
    try {
      while (this.#again && !this.#closed) {
        this.#again = false;
        await this.#drain();
      }
    } finally {
      this.#running = undefined;
    }
  }

  async #drain(): Promise<void> {
    const { reader } = this.#deps;
    for (let records = await reader.read(); records.length > 0; records = await reader.read()) {
      await this.#deliver(
        records.filter((record) => this.#wants(record)),
        0,
      );
      if (this.#closed) return;
      reader.commit(records);
    }
  }

  #wants(record: StreamRecord): boolean {
    const { patterns } = this.source;
    return patterns.length === 0 || patterns.some((pattern) => matchesPattern(pattern, record));
  }

  async #deliver(batch: StreamRecord[], attempt: number): Promise<void> {
    if (this.#closed || batch.length === 0) return;
    const { source } = this;
    if (isTooOld(source, batch)) {
      return this.#giveUp(batch, 'MaximumRecordAgeExceeded');
    }
    const accepted = acceptedCount(source, batch, await this.#deps.invoke({ Records: batch }));
    const rest = batch.slice(accepted ?? 0);
    if (rest.length === 0) return;
    if (source.maxRetries >= 0 && attempt >= source.maxRetries) {
      return this.#giveUp(rest, 'RetryAttemptsExhausted');
    }
    await wait(Math.min((this.#deps.retryDelayMs ?? 200) * 2 ** attempt, 10_000));
    for (const part of this.#parts(rest, accepted)) await this.#deliver(part, attempt + 1);
  }

  #parts(rest: StreamRecord[], accepted: number | undefined): StreamRecord[][] {
    if (accepted !== undefined || !this.source.bisect || rest.length === 1) return [rest];
    const middle = Math.ceil(rest.length / 2);
    return [rest.slice(0, middle), rest.slice(middle)];
  }

  #giveUp(batch: StreamRecord[], reason: string): void {
    const { id, onFailure, functionArn } = this.source;
    this.#deps.log(`${id}: gave up ${batch.length} stream records: ${reason}`);
    if (onFailure === undefined) return;
    this.#deps.sendToQueue(onFailure, {
      functionArn,
      reason,
      records: batch.map(({ eventID, dynamodb }) => ({ eventID, keys: dynamodb.Keys })),
    });
  }
}

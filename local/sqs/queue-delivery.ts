import type { Clock } from '../time/clock.ts';
import { type InvokeResult, maxPayloadBytes } from '../lambda/invoke-result.ts';
import type { Message } from './message.ts';
import { failedIds, queueEvent } from './queue-event.ts';
import type { QueueSource } from './queue-source.ts';
import type { Queue } from './queue.ts';

/** What one mapping delivers from and to. */
export interface QueueDeliveryDeps {
  queue: Queue;
  clock: Clock;
  invoke(event: unknown): Promise<InvokeResult>;
  log(line: string): void;
}

/** What the records of a batch take beside their bodies, at the most. */
const RECORD_BYTES = 2048;
/** JSON escapes may double a body. */
const ESCAPED = 2;
/** Leaves room for the records: 10,000 of them could not all go out at once. */
const MAX_BATCH = 1000;
const MAX_TIMER_MS = 60_000;

/** Delivers one queue to one function, several batches at once, as soon as there is something to deliver. */
export class QueueDelivery {
  readonly #source: QueueSource;
  readonly #deps: QueueDeliveryDeps;
  readonly #running = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(source: QueueSource, deps: QueueDeliveryDeps) {
    this.#source = source;
    this.#deps = deps;
    // After the answer to the sender has gone, so that a batch that was sent comes as one.
    deps.queue.watch(() => setImmediate(() => this.#pump()));
    this.#pump();
  }

  /** Delivers everything that is visible; resolves when no batch is under way. */
  async run(): Promise<void> {
    this.#pump();
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  /** Whether a batch is under way or could be. */
  hasWork(): boolean {
    return !this.#closed && (this.#running.size > 0 || this.#deps.queue.hasVisible());
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  #pump(): void {
    const { queue } = this.#deps;
    const { maxConcurrency } = this.#source;
    const messages = Math.min(this.#source.batchSize, MAX_BATCH);
    const bytes = maxPayloadBytes / ESCAPED - messages * RECORD_BYTES;
    while (!this.#closed && this.#running.size < maxConcurrency) {
      const batch = queue.receive({ messages, bytes });
      if (batch.length === 0) break;
      this.#start(batch);
    }
    this.#arm();
  }

  #start(batch: Message[]): void {
    const work = this.#deliver(batch)
      .catch((error: unknown) => this.#deps.log(`${this.#source.id}: ${String(error)}`))
      .finally(() => {
        this.#running.delete(work);
        this.#pump();
      });
    this.#running.add(work);
  }

  async #deliver(batch: Message[]): Promise<void> {
    const { queue } = this.#deps;
    const { id, queueArn, reportsItemFailures } = this.#source;
    const result = await this.#deps.invoke(queueEvent(batch, queueArn));
    if (!result.ok) this.#deps.log(`${id}: ${result.errorType}: ${result.errorMessage}`);
    const ids = batch.map((message) => message.id);
    const failed = new Set(failedIds(ids, result, reportsItemFailures));
    for (const messageId of ids) {
      if (failed.has(messageId)) queue.release(messageId);
      else queue.delete(messageId);
    }
  }

  /** Looks again when the next hidden message can be seen, by the local clock. */
  #arm(): void {
    clearTimeout(this.#timer);
    const next = this.#deps.queue.nextVisibleAt();
    if (this.#closed || next === undefined || this.#running.size >= this.#source.maxConcurrency) {
      return;
    }
    const delayMs = Math.max(next.getTime() - this.#deps.clock.now().getTime(), 1);
    this.#timer = setTimeout(() => this.#pump(), Math.min(delayMs, MAX_TIMER_MS));
  }
}

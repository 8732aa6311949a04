import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { Clock } from '../time/clock.ts';
import { type InvokeResult, maxPayloadBytes } from '../lambda/invoke-result.ts';
import { md5OfBody, type Message } from './message-log.ts';
import type { QueueSource } from './queue-source.ts';
import type { Queue } from './queue.ts';
import { REGION } from '../assembly/resource-type.ts';

/** SQS writes instants as milliseconds since 1970, as strings. */
function epoch(instant: string): string {
  return String(Date.parse(instant));
}

function record(message: Message, queueArn: string) {
  const { id, body, groupId, deadLetterSourceArn } = message;
  return {
    messageId: id,
    receiptHandle: Buffer.from(randomUUID()).toString('base64'),
    body,
    attributes: {
      ApproximateReceiveCount: String(message.receiveCount),
      SentTimestamp: epoch(message.sentAt),
      SenderId: message.senderId,
      ApproximateFirstReceiveTimestamp: epoch(message.firstReceivedAt ?? message.sentAt),
      ...(groupId !== undefined && { MessageGroupId: groupId }),
      ...(deadLetterSourceArn !== undefined && { DeadLetterQueueSourceArn: deadLetterSourceArn }),
    },
    messageAttributes: {},
    md5OfBody: md5OfBody(body),
    eventSource: 'aws:sqs',
    eventSourceARN: queueArn,
    awsRegion: REGION,
  };
}

/** A batch as Lambda passes it to functions. */
function queueEvent(batch: Message[], queueArn: string): { Records: unknown[] } {
  return { Records: batch.map((message) => record(message, queueArn)) };
}

const ItemFailures = z
  .object({ batchItemFailures: z.array(z.object({ itemIdentifier: z.string() })).nullish() })
  .nullish();

/**
 * The ids of the messages that a function did not process. No report is success; a report that Lambda
 * cannot parse, or that names an unknown message, is a failure of all of them.
 */
function failedIds(ids: string[], result: InvokeResult, reports: boolean): string[] {
  if (!result.ok) return ids;
  if (!reports) return [];
  const answer = ItemFailures.safeParse(result.payload);
  if (!answer.success) return ids;
  const failed = answer.data?.batchItemFailures?.map(({ itemIdentifier }) => itemIdentifier) ?? [];
  return failed.every((id) => ids.includes(id)) ? failed : ids;
}

/** The dependencies of one event source mapping. */
export interface QueueDeliveryDeps {
  queue: Queue;
  clock: Clock;
  invoke(event: unknown): Promise<InvokeResult>;
  log(line: string): void;
}

/** The most bytes of a record besides its body. */
const RECORD_BYTES = 2048;
/** JSON escapes may double a body. */
const ESCAPED = 2;
/** The limit that keeps an event within Lambda's payload size. */
const MAX_BATCH = 1000;
const MAX_TIMER_MS = 60_000;

/**
 * Delivers one queue to one function, several batches in parallel.
 *
 * The first message is delivered immediately. Those that follow within the batching window are collected
 * until it ends or a batch is full. Lambda collects the first one too, but a person who tries the service
 * would wait for it.
 */
export class QueueDelivery {
  readonly #source: QueueSource;
  readonly #deps: QueueDeliveryDeps;
  readonly #running = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | undefined;
  /** Runs while messages are collected for a larger batch. */
  #window: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(source: QueueSource, deps: QueueDeliveryDeps) {
    this.#source = source;
    this.#deps = deps;
    // Deferred, so that messages that are sent in one moment are delivered together.
    deps.queue.watch(() => setImmediate(() => this.#pump()));
    this.#pump();
  }

  /** Delivers all visible messages; resolves when no batch is in progress. */
  async run(): Promise<void> {
    while (this.hasWork()) {
      this.#endWindow();
      this.#pump();
      await Promise.all(this.#running);
    }
  }

  /** Whether a batch is in progress or could start. */
  hasWork(): boolean {
    return !this.#closed && (this.#running.size > 0 || this.#deps.queue.hasVisible());
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#endWindow();
  }

  #pump(): void {
    if (this.#isCollecting()) return;
    const { queue } = this.#deps;
    const { maxConcurrency } = this.#source;
    const messages = Math.min(this.#source.batchSize, MAX_BATCH);
    const bytes = maxPayloadBytes / ESCAPED - messages * RECORD_BYTES;
    while (!this.#closed && this.#running.size < maxConcurrency) {
      const batch = queue.receive({ messages, bytes });
      if (batch.length === 0) break;
      this.#start(batch);
      if (this.#isCollecting()) return;
    }
    this.#arm();
  }

  #isCollecting(): boolean {
    return this.#window !== undefined && this.#deps.queue.size < this.#source.batchSize;
  }

  /** By the real time: a clock that is moved would end or prolong the window. */
  #startWindow(): void {
    this.#endWindow();
    if (this.#source.windowSeconds === 0) return;
    this.#window = setTimeout(() => {
      this.#endWindow();
      this.#pump();
    }, this.#source.windowSeconds * 1000);
  }

  #endWindow(): void {
    clearTimeout(this.#window);
    this.#window = undefined;
  }

  #start(batch: Message[]): void {
    this.#startWindow();
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

  /** Sets a timer for the next message that becomes visible, by the local clock. */
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

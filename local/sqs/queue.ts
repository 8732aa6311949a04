import { randomUUID } from 'node:crypto';
import type { Clock } from '../time/clock.ts';
import type { Message, MessageStore } from './message-log.ts';
import type { QueueConfig } from './queue-properties.ts';

/** A message to send. */
export interface NewMessage {
  body: string;
  senderId: string;
  groupId?: string;
  /** It cannot be received before; at once by default. */
  delaySeconds?: number;
}

export interface QueueDeps {
  clock: Clock;
  store: MessageStore;
  /** Called for a message that was received too often. */
  moveToDeadLetterQueue(message: Message): void;
}

function later(instant: Date, seconds: number): string {
  return new Date(instant.getTime() + seconds * 1000).toISOString();
}

/**
 * One standard queue: at-least-once delivery, in no guaranteed order. A group of messages that was received often
 * waits for groups that were not. AWS does so for groups with a tenth of the processing time or more (SQS Developer
 * Guide, "How Amazon SQS fair queues work").
 */
export class Queue {
  readonly config: QueueConfig;
  readonly #deps: QueueDeps;
  readonly #messages: Map<string, Message>;
  readonly #inFlight = new Set<string>();
  readonly #watchers: (() => void)[] = [];
  /** How often each group was received while the queue was never empty. */
  readonly #received = new Map<string, number>();

  constructor(config: QueueConfig, deps: QueueDeps) {
    this.config = config;
    this.#deps = deps;
    const kept = deps.store.list().map((message) => this.#capVisibility(message));
    this.#messages = new Map(kept.map((message) => [message.id, message]));
  }

  /** Calls `watch` whenever a message is added. */
  watch(watch: () => void): void {
    this.#watchers.push(watch);
  }

  /** Stores a message; when it returns, the message survives a crash. */
  send(content: NewMessage): Message {
    const now = this.#deps.clock.now();
    const message = {
      ...content,
      id: randomUUID(),
      sentAt: now.toISOString(),
      visibleAt: later(now, content.delaySeconds ?? 0),
      receiveCount: 0,
    };
    this.#add(message);
    return message;
  }

  /**
   * Adds a message from another queue, as its dead-letter queue. The message keeps its age: AWS measures
   * the retention of a standard queue from when the message was first sent.
   */
  receiveDeadLetter(message: Message, sourceArn: string): void {
    const { firstReceivedAt: _, ...content } = message;
    const visibleAt = this.#deps.clock.now().toISOString();
    this.#add({ ...content, visibleAt, receiveCount: 0, deadLetterSourceArn: sourceArn });
  }

  /** Receives visible messages and hides them for the visibility timeout; at least one if there is any. */
  receive(limit: { messages: number; bytes: number }): Message[] {
    const now = this.#deps.clock.now();
    const batch: Message[] = [];
    let bytes = 0;
    for (const message of this.#inTurn()) {
      if (batch.length === limit.messages) break;
      if (!this.#isVisible(message)) continue;
      if (this.#isReceivedTooOften(message)) {
        this.#deps.moveToDeadLetterQueue(message);
        this.delete(message.id);
        continue;
      }
      bytes += Buffer.byteLength(message.body);
      if (batch.length > 0 && bytes > limit.bytes) break;
      batch.push(this.#markReceived(message, now));
    }
    return batch;
  }

  /** Deletes a processed message. */
  delete(id: string): void {
    this.#deps.store.remove(id);
    this.#messages.delete(id);
    this.#inFlight.delete(id);
    if (this.#messages.size === 0) this.#received.clear();
  }

  /** Releases an unprocessed message; it becomes visible again after the visibility timeout. */
  release(id: string): void {
    this.#inFlight.delete(id);
  }

  /** Every message, including hidden ones, oldest first; deletes those older than the retention. */
  messages(): Message[] {
    const { retentionSeconds } = this.config;
    const oldest = this.#deps.clock.now().getTime() - retentionSeconds * 1000;
    for (const { id, sentAt } of this.#messages.values()) {
      if (Date.parse(sentAt) <= oldest && !this.#inFlight.has(id)) this.delete(id);
    }
    return [...this.#messages.values()];
  }

  /** How many messages are not in a batch, including those that are hidden after a failure. */
  get size(): number {
    return this.#messages.size - this.#inFlight.size;
  }

  hasVisible(): boolean {
    return this.messages().some((message) => this.#isVisible(message));
  }

  /** When the next message becomes visible; undefined if there is none. */
  nextVisibleAt(): Date | undefined {
    const waiting = this.messages().filter(({ id }) => !this.#inFlight.has(id));
    if (waiting.length === 0) return undefined;
    return new Date(Math.min(...waiting.map(({ visibleAt }) => Date.parse(visibleAt))));
  }

  /**
   * A message in flight is never visible, even if the clock moves far ahead: on AWS the function
   * would have timed out before, because the visibility timeout is at least the function's timeout.
   */
  #isVisible({ id, visibleAt }: Message): boolean {
    return !this.#inFlight.has(id) && Date.parse(visibleAt) <= this.#deps.clock.now().getTime();
  }

  /** Messages of groups that were received least come first. */
  #inTurn(): Message[] {
    const messages = this.messages();
    if (this.#received.size === 0) return messages;
    return messages.toSorted((a, b) => this.#timesReceived(a) - this.#timesReceived(b));
  }

  #timesReceived({ groupId }: Message): number {
    return groupId === undefined ? 0 : (this.#received.get(groupId) ?? 0);
  }

  #isReceivedTooOften({ receiveCount }: Message): boolean {
    const { redrive } = this.config;
    return redrive !== undefined && receiveCount >= redrive.maxReceiveCount;
  }

  #markReceived(message: Message, now: Date): Message {
    const received = {
      ...message,
      visibleAt: later(now, this.config.visibilitySeconds),
      receiveCount: message.receiveCount + 1,
      firstReceivedAt: message.firstReceivedAt ?? now.toISOString(),
    };
    this.#save(received);
    this.#inFlight.add(message.id);
    const { groupId } = message;
    if (groupId !== undefined) this.#received.set(groupId, this.#timesReceived(message) + 1);
    return received;
  }

  #add(message: Message): void {
    this.#save(message);
    for (const watch of this.#watchers) watch();
  }

  #save(message: Message): void {
    this.#deps.store.write(message);
    this.#messages.set(message.id, message);
  }

  /** The clock of an earlier start may have been ahead: limits how long a message stays hidden. */
  #capVisibility(message: Message): Message {
    const { receiveCount, delaySeconds = 0 } = message;
    const hiddenSeconds = receiveCount > 0 ? this.config.visibilitySeconds : delaySeconds;
    const latest = later(this.#deps.clock.now(), hiddenSeconds);
    return message.visibleAt > latest ? { ...message, visibleAt: latest } : message;
  }
}

import { randomUUID } from 'node:crypto';
import type { Clock } from '../time/clock.ts';
import { type Message, type MessageAttributes, messageBytes } from './message.ts';
import type { MessageStore } from './message-store.ts';
import type { QueueConfig } from './queue-properties.ts';

/** What is put into a queue. */
export interface NewMessage {
  body: string;
  attributes: MessageAttributes;
  senderId: string;
  /** Overrides the queue's own delay. */
  delaySeconds?: number | undefined;
}

export interface QueueDeps {
  clock: Clock;
  store: MessageStore;
  /** Takes a message that was received too often. */
  giveUp(message: Message): void;
}

function later(instant: Date, seconds: number): string {
  return new Date(instant.getTime() + seconds * 1000).toISOString();
}

/** One standard queue: messages come out in no promised order, each until it is deleted. */
export class Queue {
  readonly config: QueueConfig;
  readonly #deps: QueueDeps;
  readonly #messages: Map<string, Message>;
  readonly #taken = new Set<string>();
  readonly #watchers: (() => void)[] = [];

  constructor(config: QueueConfig, deps: QueueDeps) {
    this.config = config;
    this.#deps = deps;
    const kept = deps.store.list().map((message) => this.#atThisTime(message));
    this.#messages = new Map(kept.map((message) => [message.id, message]));
  }

  /** Calls `watch` whenever a message was added. */
  watch(watch: () => void): void {
    this.#watchers.push(watch);
  }

  /** Stores a message; what it returns survives a crash. */
  send({ delaySeconds = this.config.delaySeconds, ...content }: NewMessage): Message {
    const now = this.#deps.clock.now();
    const message = {
      ...content,
      id: randomUUID(),
      sentAt: now.toISOString(),
      visibleAt: later(now, delaySeconds),
      receiveCount: 0,
    };
    this.#add(message);
    return message;
  }

  /**
   * Takes over what another queue gave up. Its age counts on: AWS measures the retention of a
   * standard queue from when the message was first sent.
   */
  takeOver(message: Message, sourceArn: string): void {
    const { firstReceivedAt: _, ...content } = message;
    const visibleAt = this.#deps.clock.now().toISOString();
    this.#add({ ...content, visibleAt, receiveCount: 0, deadLetterSourceArn: sourceArn });
  }

  /** Takes visible messages and hides them for the visibility timeout; at least one, where there is one. */
  receive(limit: { messages: number; bytes: number }): Message[] {
    const now = this.#deps.clock.now();
    const batch: Message[] = [];
    let bytes = 0;
    for (const message of this.messages()) {
      if (batch.length === limit.messages) break;
      if (!this.#isVisible(message)) continue;
      if (this.#isSpent(message)) {
        this.#deps.giveUp(message);
        this.delete(message.id);
        continue;
      }
      bytes += messageBytes(message);
      if (batch.length > 0 && bytes > limit.bytes) break;
      batch.push(this.#take(message, now));
    }
    return batch;
  }

  /** Forgets a message that was received and processed. */
  delete(id: string): void {
    this.#deps.store.remove(id);
    this.#messages.delete(id);
    this.#taken.delete(id);
  }

  /** Gives a message back that could not be processed; it comes again after the visibility timeout. */
  release(id: string): void {
    this.#taken.delete(id);
  }

  /** Every message, hidden ones too, oldest first; what is older than the retention goes. */
  messages(): Message[] {
    const { retentionSeconds } = this.config;
    const oldest = this.#deps.clock.now().getTime() - retentionSeconds * 1000;
    for (const { id, sentAt } of this.#messages.values()) {
      if (Date.parse(sentAt) <= oldest && !this.#taken.has(id)) this.delete(id);
    }
    return [...this.#messages.values()];
  }

  hasVisible(): boolean {
    return this.messages().some((message) => this.#isVisible(message));
  }

  /** When the next message can be received; undefined when none waits. */
  nextVisibleAt(): Date | undefined {
    const waiting = this.messages().filter(({ id }) => !this.#taken.has(id));
    if (waiting.length === 0) return undefined;
    return new Date(Math.min(...waiting.map(({ visibleAt }) => Date.parse(visibleAt))));
  }

  /**
   * A message under way is never visible, however far the clock is moved: on AWS the function would
   * have timed out before, because a queue hides messages for at least the function's timeout.
   */
  #isVisible({ id, visibleAt }: Message): boolean {
    return !this.#taken.has(id) && Date.parse(visibleAt) <= this.#deps.clock.now().getTime();
  }

  #isSpent({ receiveCount }: Message): boolean {
    const { redrive } = this.config;
    return redrive !== undefined && receiveCount >= redrive.maxReceiveCount;
  }

  #take(message: Message, now: Date): Message {
    const taken = {
      ...message,
      visibleAt: later(now, this.config.visibilitySeconds),
      receiveCount: message.receiveCount + 1,
      firstReceivedAt: message.firstReceivedAt ?? now.toISOString(),
    };
    this.#keep(taken);
    this.#taken.add(message.id);
    return taken;
  }

  #add(message: Message): void {
    this.#keep(message);
    for (const watch of this.#watchers) watch();
  }

  #keep(message: Message): void {
    this.#deps.store.write(message);
    this.#messages.set(message.id, message);
  }

  /** An earlier start's clock may have been moved ahead; nothing is hidden for longer than its own time. */
  #atThisTime(message: Message): Message {
    const hiddenSeconds =
      message.receiveCount > 0
        ? this.config.visibilitySeconds
        : (Date.parse(message.visibleAt) - Date.parse(message.sentAt)) / 1000;
    const latest = later(this.#deps.clock.now(), hiddenSeconds);
    return message.visibleAt > latest ? { ...message, visibleAt: latest } : message;
  }
}

import { join } from 'node:path';
import type { Clock } from '../time/clock.ts';
import type { Resource } from '../assembly/resource.ts';
import { StartError } from '../errors.ts';
import { type Message, messageLog, type MessageStore } from './message-log.ts';
import { Queue } from './queue.ts';
import { parseQueueConfig } from './queue-properties.ts';

export interface QueuesOptions {
  stateDir: string;
  clock: Clock;
  /** Every `AWS::SQS::Queue`. */
  resources: Resource[];
}

/** The queues of the templates. */
export type Queues = ReturnType<typeof openQueues>;

function contentOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

/** Opens the queues with the messages of earlier starts. */
export function openQueues({ stateDir, clock, resources }: QueuesOptions) {
  const configs = resources.map(parseQueueConfig);
  const byArn = new Map<string, Queue>();
  const stores: MessageStore[] = [];
  for (const { name, redrive } of configs) {
    if (redrive === undefined || configs.some(({ arn }) => arn === redrive.deadLetterArn)) continue;
    throw new StartError(
      `Queue ${name}: dead letter target ${redrive.deadLetterArn} is not a queue of the templates.`,
    );
  }
  for (const config of configs) {
    const { arn, redrive } = config;
    const store = messageLog(join(stateDir, 'sqs', config.name));
    stores.push(store);
    const moveToDeadLetterQueue = (message: Message) =>
      byArn.get(redrive?.deadLetterArn ?? '')?.receiveDeadLetter(message, arn);
    byArn.set(arn, new Queue(config, { clock, store, moveToDeadLetterQueue }));
  }
  return {
    get: (queueArn: string) => byArn.get(queueArn),
    named: (name: string) => [...byArn.values()].find(({ config }) => config.name === name),
    /** The message bodies of every queue, by ARN: parsed if they are JSON, else text. */
    bodies: () =>
      Object.fromEntries(
        [...byArn].map(([arn, queue]) => [
          arn,
          queue.messages().map(({ body }) => contentOf(body)),
        ]),
      ),
    close() {
      for (const store of stores) store.close();
    },
  };
}

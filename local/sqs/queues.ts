import { join } from 'node:path';
import type { Clock } from '../time/clock.ts';
import type { Resource } from '../http/http.ts';
import { StartError } from '../start-error.ts';
import type { Message } from './message.ts';
import { messageStore } from './message-store.ts';
import { Queue } from './queue.ts';
import { queueConfig } from './queue-properties.ts';

export interface QueuesOptions {
  stateDir: string;
  clock: Clock;
  /** Every `AWS::SQS::Queue`. */
  resources: Resource[];
}

/** The queues of the templates. */
export interface Queues {
  get(queueArn: string): Queue | undefined;
  named(name: string): Queue | undefined;
  /** The bodies of every queue's messages, by its ARN: JSON where a body is that, else text. */
  bodies(): Record<string, unknown[]>;
}

function contentOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

/** Opens the queues with the messages that an earlier start left in them. */
export function openQueues({ stateDir, clock, resources }: QueuesOptions): Queues {
  const configs = resources.map(queueConfig);
  const byArn = new Map<string, Queue>();
  for (const { name, redrive } of configs) {
    if (redrive === undefined || configs.some(({ arn }) => arn === redrive.deadLetterArn)) continue;
    throw new StartError(`Queue ${name}: dead letter target ${redrive.deadLetterArn} is no queue.`);
  }
  for (const config of configs) {
    const { arn, redrive } = config;
    const store = messageStore(join(stateDir, 'sqs', config.name));
    const giveUp = (message: Message) =>
      byArn.get(redrive?.deadLetterArn ?? '')?.takeOver(message, arn);
    byArn.set(arn, new Queue(config, { clock, store, giveUp }));
  }
  return {
    get: (queueArn) => byArn.get(queueArn),
    named: (name) => [...byArn.values()].find(({ config }) => config.name === name),
    bodies: () =>
      Object.fromEntries(
        [...byArn].map(([arn, queue]) => [
          arn,
          queue.messages().map(({ body }) => contentOf(body)),
        ]),
      ),
  };
}

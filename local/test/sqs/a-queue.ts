import { movableClock } from '../../time/clock.ts';
import type { Resource } from '../../assembly/resource.ts';
import type { Queue } from '../../sqs/queue.ts';
import { openQueues, type Queues } from '../../sqs/queues.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** The ARN of a queue by its name. */
export function arnOfQueue(name: string): string {
  return `arn:aws:sqs:us-east-1:000000000000:${name}`;
}

/** An `AWS::SQS::Queue` resource of a template. */
export function aQueue(QueueName: string, properties: object = {}): Resource {
  return {
    stack: 'Stack',
    logicalId: QueueName,
    type: 'AWS::SQS::Queue',
    properties: { QueueName, ...properties },
  };
}

/** Queues on a clock of their own; `again` opens them as a new start would after a power cut. */
export function someQueues(...resources: Resource[]) {
  const stateDir = temporaryFolder('sqs');
  const open = (clock = movableClock()) => {
    const queues = openQueues({ stateDir, clock, resources });
    return { queues, clock, again: () => open() };
  };
  return open();
}

/** The queue of this name, which must be there. */
export function queueNamed(queues: Queues, name: string): Queue {
  const queue = queues.named(name);
  if (queue === undefined) throw new Error(`no queue ${name}`);
  return queue;
}

/** A message as a function may have sent it. */
export function aMessage(body: string) {
  return { body, senderId: 'Role:fn' };
}

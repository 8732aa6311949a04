import * as z from 'zod';
import type { Resource } from '../http/http.ts';
import type { Iam } from '../iam/iam.ts';
import { mappedFunction } from '../functions/mapped-function.ts';
import { StartError } from '../start-error.ts';
import type { Queue } from './queue.ts';
import type { Queues } from './queues.ts';

/** How many messages one receive gives; more need a window in which batches are gathered. */
const MAX_BATCH_WITHOUT_WINDOW = 10;

const Properties = z
  .strictObject({
    EventSourceArn: z.string(),
    FunctionName: z.string(),
    Enabled: z.boolean().default(true),
    BatchSize: z.int().min(1).max(10_000).default(10),
    // Locally a batch never waits for more messages.
    MaximumBatchingWindowInSeconds: z.int().min(0).max(300).default(0),
    FunctionResponseTypes: z.array(z.literal('ReportBatchItemFailures')).default([]),
    ScalingConfig: z
      .strictObject({ MaximumConcurrency: z.int().min(2).max(1000).optional() })
      .default({}),
    Tags: z.unknown().optional(),
  })
  .refine(
    ({ BatchSize, MaximumBatchingWindowInSeconds: window }) =>
      BatchSize <= MAX_BATCH_WITHOUT_WINDOW || window > 0,
    'BatchSize over 10 needs MaximumBatchingWindowInSeconds of at least 1',
  );

/** One `AWS::Lambda::EventSourceMapping` from a queue to a function, read. */
export interface QueueSource {
  id: string;
  queueArn: string;
  functionArn: string;
  batchSize: number;
  reportsItemFailures: boolean;
  /** Batches under way at once. */
  maxConcurrency: number;
}

/** As many as a function has execution environments locally. */
const USUAL_CONCURRENCY = 10;

const ACTIONS = ['ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'];

export interface QueueSourceContext {
  resources: readonly Resource[];
  iam: Pick<Iam, 'roleAllows'>;
  queues: Queues;
}

/** Whether a mapping reads a queue; any other one reads the stream of a table. */
export function isQueueMapping({ properties }: Resource): boolean {
  return String(properties['EventSourceArn']).startsWith('arn:aws:sqs:');
}

/**
 * Reads a mapping and its queue, or undefined where it is switched off. What Lambda refuses when the
 * mapping is created stops the start: a role that may not read the queue, and a queue that shows
 * messages again before the function must have ended.
 */
export function queueSourceOf(
  resource: Resource,
  { resources, iam, queues }: QueueSourceContext,
): { source: QueueSource; queue: Queue } | undefined {
  const where = `${resource.type} ${resource.logicalId}`;
  const parsed = Properties.safeParse(resource.properties);
  if (!parsed.success) throw new StartError(`${where}: ${z.prettifyError(parsed.error)}`);
  const { EventSourceArn: queueArn, FunctionName, ...properties } = parsed.data;
  const target = mappedFunction(resources, FunctionName, where);
  const queue = queues.get(queueArn);
  if (queue === undefined) throw new StartError(`${where}: ${queueArn} is no queue.`);
  const missing = ACTIONS.map((action) => `sqs:${action}`).find(
    (action) => !iam.roleAllows(target.role, action, queueArn),
  );
  if (missing !== undefined) {
    throw new StartError(`${where}: the function's role does not allow ${missing} on the queue.`);
  }
  const { visibilitySeconds } = queue.config;
  if (visibilitySeconds < target.timeoutSeconds) {
    throw new StartError(
      `${where}: the queue's visibility timeout of ${visibilitySeconds} seconds is less than the function's timeout of ${target.timeoutSeconds} seconds.`,
    );
  }
  if (!properties.Enabled) return undefined;
  const source = {
    id: resource.logicalId,
    queueArn,
    functionArn: target.arn,
    batchSize: properties.BatchSize,
    reportsItemFailures: properties.FunctionResponseTypes.length > 0,
    maxConcurrency: properties.ScalingConfig.MaximumConcurrency ?? USUAL_CONCURRENCY,
  };
  return { source, queue };
}

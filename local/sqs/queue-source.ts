import * as z from 'zod';
import type { Iam } from '../iam/iam.ts';
import { findMappedFunction } from '../functions/functions.ts';
import { StartError } from '../errors.ts';
import type { Queue } from './queue.ts';
import type { Queues } from './queues.ts';
import { type Resource, parseProperties } from '../assembly/resource.ts';

/** The most messages of one receive call; larger batches need a batching window. */
const MAX_BATCH_WITHOUT_WINDOW = 10;

const Properties = z
  .strictObject({
    EventSourceArn: z.string(),
    FunctionName: z.string(),
    BatchSize: z.int().min(1).max(10_000).default(10),
    MaximumBatchingWindowInSeconds: z.int().min(0).max(300).default(0),
    FunctionResponseTypes: z.array(z.literal('ReportBatchItemFailures')).default([]),
    ScalingConfig: z
      .strictObject({ MaximumConcurrency: z.int().min(2).max(1000).optional() })
      .default({}),
  })
  .refine(
    ({ BatchSize, MaximumBatchingWindowInSeconds: window }) =>
      BatchSize <= MAX_BATCH_WITHOUT_WINDOW || window > 0,
    'BatchSize over 10 needs MaximumBatchingWindowInSeconds of at least 1',
  );

/** A parsed `AWS::Lambda::EventSourceMapping` from a queue to a function. */
export interface QueueSource {
  id: string;
  queueArn: string;
  functionArn: string;
  batchSize: number;
  /** How long messages are collected for one batch. */
  windowSeconds: number;
  reportsItemFailures: boolean;
  /** The maximum number of batches in progress. */
  maxConcurrency: number;
}

/** The number of execution environments of a function locally. */
const DEFAULT_CONCURRENCY = 10;

const ACTIONS = ['ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'];

export interface QueueSourceContext {
  resources: readonly Resource[];
  iam: Pick<Iam, 'roleAllows'>;
  queues: Queues;
}

/** Whether a mapping reads a queue; all others read a table's stream. */
export function isQueueMapping({ properties }: Resource): boolean {
  return String(properties['EventSourceArn']).startsWith('arn:aws:sqs:');
}

/**
 * Parses a mapping and finds its queue. As when Lambda creates a mapping,
 * the start fails if the role may not read the queue, or if the queue's visibility timeout is shorter
 * than the function's timeout.
 */
export function parseQueueSource(
  resource: Resource,
  { resources, iam, queues }: QueueSourceContext,
): { source: QueueSource; queue: Queue } {
  const where = `${resource.type} ${resource.logicalId}`;
  const {
    EventSourceArn: queueArn,
    FunctionName,
    ...properties
  } = parseProperties(resource, Properties);
  const target = findMappedFunction(resources, FunctionName, where);
  const queue = queues.get(queueArn);
  if (queue === undefined)
    throw new StartError(`${where}: ${queueArn} is not a queue of the templates.`);
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
  const source = {
    id: resource.logicalId,
    queueArn,
    functionArn: target.arn,
    batchSize: properties.BatchSize,
    windowSeconds: properties.MaximumBatchingWindowInSeconds,
    reportsItemFailures: properties.FunctionResponseTypes.length > 0,
    maxConcurrency: properties.ScalingConfig.MaximumConcurrency ?? DEFAULT_CONCURRENCY,
  };
  return { source, queue };
}

import * as z from 'zod';
import { arnOf } from '../assembly/resource-types.ts';
import { type Resource, parseProperties } from '../assembly/resource.ts';

const Properties = z.strictObject({
  QueueName: z.string().optional(),
  VisibilityTimeout: z.int().min(0).max(43_200).default(30),
  MessageRetentionPeriod: z.int().min(60).max(1_209_600).default(345_600),
  RedrivePolicy: z
    .strictObject({
      deadLetterTargetArn: z.string(),
      maxReceiveCount: z.coerce.number().int().min(1).max(1000),
    })
    .optional(),
  // No local effect: messages are not encrypted.
  SqsManagedSseEnabled: z.unknown().optional(),
});

/** A parsed `AWS::SQS::Queue`. */
export type QueueConfig = ReturnType<typeof parseQueueConfig>;

/** Parses a queue's properties; an unknown one, such as those of FIFO queues, stops the start. */
export function parseQueueConfig(resource: Resource) {
  const { RedrivePolicy, ...properties } = parseProperties(resource, Properties);
  const arn = arnOf(resource);
  return {
    arn,
    name: arn.split(':').at(-1) ?? arn,
    visibilitySeconds: properties.VisibilityTimeout,
    retentionSeconds: properties.MessageRetentionPeriod,
    redrive: RedrivePolicy && {
      deadLetterArn: RedrivePolicy.deadLetterTargetArn,
      maxReceiveCount: RedrivePolicy.maxReceiveCount,
    },
  };
}

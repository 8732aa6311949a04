import * as z from 'zod';
import { arnOf } from '../assembly/resource-types.ts';
import { type Resource, parseProperties } from '../assembly/resource.ts';

/** The largest message, and the largest batch of messages: 1 MiB. */
export const MAX_MESSAGE_BYTES = 1_048_576;
/** The longest delay of a message. */
export const MAX_DELAY_SECONDS = 900;

const Properties = z.strictObject({
  QueueName: z.string().optional(),
  VisibilityTimeout: z.int().min(0).max(43_200).default(30),
  DelaySeconds: z.int().min(0).max(MAX_DELAY_SECONDS).default(0),
  MessageRetentionPeriod: z.int().min(60).max(1_209_600).default(345_600),
  MaximumMessageSize: z.int().min(1024).max(MAX_MESSAGE_BYTES).default(MAX_MESSAGE_BYTES),
  RedrivePolicy: z
    .strictObject({
      deadLetterTargetArn: z.string(),
      maxReceiveCount: z.coerce.number().int().min(1).max(1000),
    })
    .optional(),
  // No local effect: messages are not encrypted, and there is no long polling.
  KmsMasterKeyId: z.unknown().optional(),
  KmsDataKeyReusePeriodSeconds: z.unknown().optional(),
  SqsManagedSseEnabled: z.unknown().optional(),
  ReceiveMessageWaitTimeSeconds: z.unknown().optional(),
  Tags: z.unknown().optional(),
});

/** A parsed `AWS::SQS::Queue`. */
export interface QueueConfig {
  arn: string;
  name: string;
  visibilitySeconds: number;
  delaySeconds: number;
  retentionSeconds: number;
  maxBytes: number;
  redrive: { deadLetterArn: string; maxReceiveCount: number } | undefined;
}

/** Parses a queue's properties; an unknown one, such as those of FIFO queues, stops the start. */
export function parseQueueConfig(resource: Resource): QueueConfig {
  const { RedrivePolicy, ...properties } = parseProperties(resource, Properties);
  const arn = arnOf(resource);
  return {
    arn,
    name: arn.split(':').at(-1) ?? arn,
    visibilitySeconds: properties.VisibilityTimeout,
    delaySeconds: properties.DelaySeconds,
    retentionSeconds: properties.MessageRetentionPeriod,
    maxBytes: properties.MaximumMessageSize,
    redrive: RedrivePolicy && {
      deadLetterArn: RedrivePolicy.deadLetterTargetArn,
      maxReceiveCount: RedrivePolicy.maxReceiveCount,
    },
  };
}

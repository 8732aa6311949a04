import * as z from 'zod';
import { arnOf } from '../assembly/physical-id.ts';
import type { Resource } from '../http/http.ts';
import { StartError } from '../start-error.ts';

/** The largest message, and the largest batch of messages: 1 MiB. */
export const MAX_MESSAGE_BYTES = 1_048_576;
/** How long a message may be held back. */
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
  // Nothing here is encrypted, and Lambda's own polling needs no long one.
  KmsMasterKeyId: z.unknown().optional(),
  KmsDataKeyReusePeriodSeconds: z.unknown().optional(),
  SqsManagedSseEnabled: z.unknown().optional(),
  ReceiveMessageWaitTimeSeconds: z.unknown().optional(),
  Tags: z.unknown().optional(),
});

/** One `AWS::SQS::Queue`, read. */
export interface QueueConfig {
  arn: string;
  name: string;
  visibilitySeconds: number;
  delaySeconds: number;
  retentionSeconds: number;
  maxBytes: number;
  redrive: { deadLetterArn: string; maxReceiveCount: number } | undefined;
}

/** Reads a queue's properties; one that is not understood, as of FIFO queues, stops the start. */
export function queueConfig(resource: Resource): QueueConfig {
  const parsed = Properties.safeParse(resource.properties);
  if (!parsed.success) {
    throw new StartError(
      `${resource.type} ${resource.logicalId}: ${z.prettifyError(parsed.error)}`,
    );
  }
  const { RedrivePolicy, ...properties } = parsed.data;
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

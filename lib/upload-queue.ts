import * as cdk from 'aws-cdk-lib';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import * as sqs from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { SlipwayFunction } from './function.ts';

/** Above the worker's own limit, so that no message is given to two. */
const VISIBILITY = cdk.Duration.minutes(16);
/** Workers at once: each holds tens of megabytes, and a new account may run ten functions in all. */
const WORKERS = 5;

/** Uploads that a worker is to publish, and those that it could not. */
export class UploadQueue extends Construct {
  readonly queue: sqs.Queue;
  readonly deadLetters: sqs.Queue;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    const common = { encryption: sqs.QueueEncryption.SQS_MANAGED, enforceSSL: true };
    this.deadLetters = new sqs.Queue(this, 'DeadLetters', {
      ...common,
      retentionPeriod: cdk.Duration.days(14),
    });
    this.queue = new sqs.Queue(this, 'Queue', {
      ...common,
      visibilityTimeout: VISIBILITY,
      retentionPeriod: cdk.Duration.days(1),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: 3 },
    });
  }

  /** Lets a function hand out uploads. */
  grantSending(fn: SlipwayFunction): void {
    fn.setVariable('UPLOAD_QUEUE_URL', this.queue.queueUrl);
    fn.allow(['sqs:SendMessage'], [this.queue.queueArn]);
  }

  /** Gives the function every upload, one at a time. */
  workWith(fn: SlipwayFunction): void {
    fn.allow(
      ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'],
      [this.queue.queueArn],
    );
    new lambda.EventSourceMapping(this, 'Worker', {
      target: fn,
      eventSourceArn: this.queue.queueArn,
      batchSize: 1,
      maxConcurrency: WORKERS,
    });
  }
}

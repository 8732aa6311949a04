import * as cdk from 'aws-cdk-lib';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import * as sqs from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { SlipwayFunction } from './function.ts';

/** Six times the counter's own limit, as AWS advises, so that a batch that waits for others is not given to two. */
const VISIBILITY = cdk.Duration.minutes(6);
/** Hits counted together: one write of the counters for many of them. */
const BATCH = 500;
/** The least that SQS allows; more would only make transactions meet each other. */
const COUNTERS = 2;

/** Visits and opens that are to be counted, and those that could not be. */
export class HitQueue extends Construct {
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
      retentionPeriod: cdk.Duration.days(4),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: 5 },
    });
  }

  /** Lets a function tell of visits and opens. */
  grantSending(fn: SlipwayFunction): void {
    fn.setVariable('HITS_QUEUE_URL', this.queue.queueUrl);
    fn.allow(['sqs:SendMessage'], [this.queue.queueArn]);
  }

  /** Gives the function every hit, many at a time. */
  countWith(fn: SlipwayFunction): void {
    fn.allow(
      ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'],
      [this.queue.queueArn],
    );
    new lambda.EventSourceMapping(this, 'Counter', {
      target: fn,
      eventSourceArn: this.queue.queueArn,
      batchSize: BATCH,
      maxBatchingWindow: cdk.Duration.seconds(1),
      maxConcurrency: COUNTERS,
      reportBatchItemFailures: true,
    });
  }
}

import * as cdk from 'aws-cdk-lib';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import * as sqs from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { EnvironmentName } from '../../contract/environment.ts';
import type { SlipwayFunction } from '../functions/function.ts';
import type { DeadLetters } from './dead-letters.ts';

interface FunctionQueueProps {
  deadLetters: DeadLetters;
  /**
   * Longer than the timeout of an invocation, so that no message is processed twice at the same
   * time.
   */
  visibilityTimeout: cdk.Duration;
  retentionPeriod: cdk.Duration;
  /** Deliveries before a message goes to the dead letters. */
  maxReceiveCount: number;
  /** Variable in which senders get the queue's URL. */
  urlVariable: EnvironmentName;
}

/** A queue with one consumer. Messages that fail too often become dead letters. */
class FunctionQueue extends Construct {
  readonly queue: sqs.Queue;
  private readonly urlVariable: EnvironmentName;

  constructor(scope: Construct, id: string, props: FunctionQueueProps) {
    super(scope, id);
    const { visibilityTimeout, retentionPeriod, maxReceiveCount, deadLetters } = props;
    this.urlVariable = props.urlVariable;
    this.queue = new sqs.Queue(this, 'Queue', {
      encryption: sqs.QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      visibilityTimeout,
      retentionPeriod,
      deadLetterQueue: { queue: deadLetters, maxReceiveCount },
    });
  }

  /** Lets a function send messages to the queue. */
  grantSending(fn: SlipwayFunction): void {
    fn.setVariable(this.urlVariable, this.queue.queueUrl);
    fn.allow(['sqs:SendMessage'], [this.queue.queueArn]);
  }

  protected addEventSource(
    fn: SlipwayFunction,
    id: string,
    options: Pick<
      lambda.EventSourceMappingOptions,
      'batchSize' | 'maxBatchingWindow' | 'maxConcurrency' | 'reportBatchItemFailures'
    >,
  ): void {
    const { queueArn } = this.queue;
    fn.allow(['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'], [queueArn]);
    new lambda.EventSourceMapping(this, id, { target: fn, eventSourceArn: queueArn, ...options });
  }
}

/** Many hits of one project are one write of its blocks and counters. */
const HIT_BATCH_SIZE = 500;
/** The least that SQS allows. More consumers would only make transactions conflict. */
const MAX_HIT_COUNTERS = 2;

interface HitQueueProps {
  /** For how long hits are collected. */
  windowSeconds: number;
  deadLetters: DeadLetters;
}

/** Visits and opens that wait to be counted. */
export class HitQueue extends FunctionQueue {
  /** For how long hits are collected; owners see them that much later. */
  private readonly window: cdk.Duration;

  constructor(scope: Construct, id: string, { windowSeconds, deadLetters }: HitQueueProps) {
    super(scope, id, {
      deadLetters,
      // Six times the counter's timeout and the batching window, as AWS recommends.
      visibilityTimeout: cdk.Duration.minutes(7),
      retentionPeriod: cdk.Duration.days(4),
      maxReceiveCount: 5,
      urlVariable: 'HITS_QUEUE_URL',
    });
    this.window = cdk.Duration.seconds(windowSeconds);
  }

  /** The function gets hits in batches. */
  addConsumer(fn: SlipwayFunction): void {
    this.addEventSource(fn, 'Counter', {
      batchSize: HIT_BATCH_SIZE,
      maxBatchingWindow: this.window,
      maxConcurrency: MAX_HIT_COUNTERS,
      reportBatchItemFailures: true,
    });
  }
}

/** Each waits up to ten seconds for a receiver. */
const MAX_WEBHOOK_SENDERS = 5;

/** Lines of deliveries that are sent to webhooks. */
export class WebhookQueue extends FunctionQueue {
  constructor(scope: Construct, id: string, { deadLetters }: { deadLetters: DeadLetters }) {
    super(scope, id, {
      deadLetters,
      visibilityTimeout: cdk.Duration.minutes(6),
      // The sweep sends a line again that is still due.
      retentionPeriod: cdk.Duration.hours(1),
      maxReceiveCount: 3,
      urlVariable: 'WEBHOOK_QUEUE_URL',
    });
  }

  /** The function gets lines one at a time from the queue, and new ones from the stream of their table. */
  addConsumer(fn: SlipwayFunction, streamArn: string): void {
    this.addEventSource(fn, 'Sender', { batchSize: 1, maxConcurrency: MAX_WEBHOOK_SENDERS });
    new lambda.EventSourceMapping(this, 'NewLines', {
      target: fn,
      eventSourceArn: streamArn,
      startingPosition: lambda.StartingPosition.LATEST,
      batchSize: 25,
      // The sweep finds what is lost here.
      retryAttempts: 2,
      maxRecordAge: cdk.Duration.minutes(5),
      filters: [
        lambda.FilterCriteria.filter({
          eventName: lambda.FilterRule.isEqual('INSERT'),
          dynamodb: { Keys: { sk: { S: lambda.FilterRule.beginsWith('LANE#') } } },
        }),
      ],
    });
  }
}

/** Each worker reads tens of megabytes, and a new AWS account may run ten functions at a time in all. */
const MAX_UPLOAD_WORKERS = 5;

/** Large uploads that wait for a worker to publish them. */
export class UploadQueue extends FunctionQueue {
  constructor(scope: Construct, id: string, { deadLetters }: { deadLetters: DeadLetters }) {
    super(scope, id, {
      deadLetters,
      visibilityTimeout: cdk.Duration.minutes(16),
      retentionPeriod: cdk.Duration.days(1),
      maxReceiveCount: 3,
      urlVariable: 'UPLOAD_QUEUE_URL',
    });
  }

  /** The function gets uploads one at a time. */
  addConsumer(fn: SlipwayFunction): void {
    this.addEventSource(fn, 'Worker', { batchSize: 1, maxConcurrency: MAX_UPLOAD_WORKERS });
  }
}

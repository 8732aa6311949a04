import * as cdk from 'aws-cdk-lib';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import * as sqs from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { EnvironmentName } from '../../contract/environment.ts';
import type { SlipwayFunction } from '../functions/function.ts';

/** How a queue hands out what waits in it. */
export interface SourceQueueProps {
  /** Above the longest time that a function takes with what it was given, so that nobody else gets it. */
  visibilityTimeout: cdk.Duration;
  retentionPeriod: cdk.Duration;
  /** After so many tries a message goes to the dead letters. */
  tries: number;
  /** Tells those who send where the queue is. */
  urlVariable: EnvironmentName;
}

/** A queue that feeds one function, and what that could not do, for 14 days. */
export class SourceQueue extends Construct {
  readonly queue: sqs.Queue;
  readonly deadLetters: sqs.Queue;
  private readonly urlVariable: EnvironmentName;

  constructor(scope: Construct, id: string, props: SourceQueueProps) {
    super(scope, id);
    const { visibilityTimeout, retentionPeriod, tries, urlVariable } = props;
    this.urlVariable = urlVariable;
    const common = { encryption: sqs.QueueEncryption.SQS_MANAGED, enforceSSL: true };
    this.deadLetters = new sqs.Queue(this, 'DeadLetters', {
      ...common,
      retentionPeriod: cdk.Duration.days(14),
    });
    this.queue = new sqs.Queue(this, 'Queue', {
      ...common,
      visibilityTimeout,
      retentionPeriod,
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: tries },
    });
  }

  /** Lets a function put something into the queue. */
  grantSending(fn: SlipwayFunction): void {
    fn.setVariable(this.urlVariable, this.queue.queueUrl);
    fn.allow(['sqs:SendMessage'], [this.queue.queueArn]);
  }

  /** Gives a function what the queue holds. */
  protected feed(
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

import * as cdk from 'aws-cdk-lib';
import * as events from 'aws-cdk-lib/aws-events';
import * as targets from 'aws-cdk-lib/aws-events-targets';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import * as sqs from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { SlipwayFunction } from '../functions/function.ts';
import type { Tables } from '../data/tables.ts';

export interface MaintenanceProps {
  fn: SlipwayFunction;
  tables: Tables;
}

/** Runs the sweep each minute, and cleans up after rows that DynamoDB's time to live removed. */
export class Maintenance extends Construct {
  /** Batches of expired rows whose files could not be deleted. */
  readonly deadLetters: sqs.Queue;

  constructor(scope: Construct, id: string, { fn, tables }: MaintenanceProps) {
    super(scope, id);
    new events.Rule(this, 'EveryMinute', {
      description: 'Slipway: delete what has expired',
      schedule: events.Schedule.rate(cdk.Duration.minutes(1)),
      targets: [new targets.LambdaFunction(fn, { retryAttempts: 0 })],
    });
    // The rule's own limit above is about reaching Lambda. Lambda would retry a failed sweep twice and
    // keep a throttled one for six hours; the next run does the same work.
    fn.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: cdk.Duration.minutes(1) });
    this.deadLetters = new sqs.Queue(this, 'DeadLetters', {
      encryption: sqs.QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: cdk.Duration.days(14),
    });
    cdk.Validations.of(this.deadLetters).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason: 'It is the dead letter queue of an event source, which the rule does not look at.',
    });
    fn.allow(['sqs:SendMessage'], [this.deadLetters.queueArn]);
    this.consumeExpiredRows(fn, tables.grantProjectStream(fn));
  }

  /** Only rows that DynamoDB's time to live removed: our own deletions also delete the files. */
  private consumeExpiredRows(fn: SlipwayFunction, streamArn: string): void {
    const { queueArn } = this.deadLetters;
    new lambda.EventSourceMapping(this, 'ExpiredProjects', {
      target: fn,
      eventSourceArn: streamArn,
      startingPosition: lambda.StartingPosition.TRIM_HORIZON,
      batchSize: 25,
      bisectBatchOnError: true,
      retryAttempts: 5,
      maxRecordAge: cdk.Duration.hours(6),
      onFailure: { bind: () => ({ destination: queueArn }) },
      filters: [
        lambda.FilterCriteria.filter({
          eventName: lambda.FilterRule.isEqual('REMOVE'),
          userIdentity: {
            type: lambda.FilterRule.isEqual('Service'),
            principalId: lambda.FilterRule.isEqual('dynamodb.amazonaws.com'),
          },
        }),
      ],
    });
  }
}

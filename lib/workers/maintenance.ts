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

/** Cleaning up: every minute what is due, and whatever DynamoDB itself let expire. */
export class Maintenance extends Construct {
  /** Holds batches of expired rows whose bytes could not be deleted. */
  readonly deadLetters: sqs.Queue;

  constructor(scope: Construct, id: string, { fn, tables }: MaintenanceProps) {
    super(scope, id);
    new events.Rule(this, 'EveryMinute', {
      description: 'Slipway: delete what has expired',
      schedule: events.Schedule.rate(cdk.Duration.minutes(1)),
      // No retries: the next minute does the same work.
      targets: [new targets.LambdaFunction(fn, { retryAttempts: 0 })],
    });
    this.deadLetters = new sqs.Queue(this, 'DeadLetters', {
      encryption: sqs.QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: cdk.Duration.days(14),
    });
    fn.allow(['sqs:SendMessage'], [this.deadLetters.queueArn]);
    this.followExpiry(fn, tables.grantProjectStream(fn));
  }

  /** Only rows that DynamoDB's time to live removed: our own deletions have cleaned up already. */
  private followExpiry(fn: SlipwayFunction, streamArn: string): void {
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

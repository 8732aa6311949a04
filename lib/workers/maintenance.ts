import * as cdk from 'aws-cdk-lib';
import * as events from 'aws-cdk-lib/aws-events';
import * as targets from 'aws-cdk-lib/aws-events-targets';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { SlipwayFunction } from '../functions/function.ts';
import type { Tables } from '../data/tables.ts';
import type { DeadLetters } from './dead-letters.ts';

export interface MaintenanceProps {
  fn: SlipwayFunction;
  tables: Tables;
  /** Gets batches of expired rows whose files could not be deleted. */
  deadLetters: DeadLetters;
}

/** Runs the sweep each minute, and cleans up after rows that DynamoDB's time to live removed. */
export class Maintenance extends Construct {
  constructor(scope: Construct, id: string, { fn, tables, deadLetters }: MaintenanceProps) {
    super(scope, id);
    new events.Rule(this, 'EveryMinute', {
      description: 'Slipway: delete what has expired',
      schedule: events.Schedule.rate(cdk.Duration.minutes(1)),
      targets: [new targets.LambdaFunction(fn, { retryAttempts: 0 })],
    });
    // The rule's own limit above is about reaching Lambda. Lambda would retry a failed sweep twice and
    // keep a throttled one for six hours; the next run does the same work.
    fn.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: cdk.Duration.minutes(1) });
    fn.allow(['sqs:SendMessage'], [deadLetters.queueArn]);
    this.consumeExpiredRows(fn, tables.grantProjectStream(fn), deadLetters);
  }

  /** Only rows that DynamoDB's time to live removed: our own deletions also delete the files. */
  private consumeExpiredRows(
    fn: SlipwayFunction,
    streamArn: string,
    { queueArn }: DeadLetters,
  ): void {
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

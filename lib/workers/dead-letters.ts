import * as cdk from 'aws-cdk-lib';
import * as sqs from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';

/**
 * Keeps for 14 days what no worker could process: hits, large uploads, and rows that expired. They share
 * one queue, because CloudWatch bills the alarm of each; SQS remembers the queue that a message came from.
 */
export class DeadLetters extends sqs.Queue {
  constructor(scope: Construct, id: string) {
    super(scope, id, {
      encryption: sqs.QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: cdk.Duration.days(14),
    });
    cdk.Validations.of(this).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason:
        'It is a dead letter queue. As that of an event source, the rule does not look at it.',
    });
  }
}

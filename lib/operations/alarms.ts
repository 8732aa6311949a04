import * as cdk from 'aws-cdk-lib';
import type * as apigateway from 'aws-cdk-lib/aws-apigateway';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import * as actions from 'aws-cdk-lib/aws-cloudwatch-actions';
import * as sns from 'aws-cdk-lib/aws-sns';
import * as subscriptions from 'aws-cdk-lib/aws-sns-subscriptions';
import type * as sqs from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { SlipwayFunction } from '../functions/function.ts';

export interface AlarmsProps {
  alarmEmail?: string | undefined;
  api: apigateway.RestApi;
  gate: SlipwayFunction;
  zip: SlipwayFunction;
  maintenance: SlipwayFunction;
  deadLetters: sqs.Queue;
  failedUploads: sqs.Queue;
  lostHits: sqs.Queue;
}

const { GREATER_THAN_OR_EQUAL_TO_THRESHOLD, LESS_THAN_THRESHOLD } = cloudwatch.ComparisonOperator;
const FIVE_MINUTES = { statistic: 'Sum', period: cdk.Duration.minutes(5) };

/** What an operator is woken for; each description links one heading of the runbook. */
export class Alarms extends Construct {
  private readonly topic: sns.Topic | undefined;

  constructor(scope: Construct, id: string, props: AlarmsProps) {
    super(scope, id);
    this.topic = props.alarmEmail === undefined ? undefined : this.mailTo(props.alarmEmail);
    this.add('ApiErrors', 'The API answers 5xx.', 'api-errors', {
      metric: props.api.metricServerError(FIVE_MINUTES),
      threshold: 5,
    });
    this.add('GateErrors', 'Visitors get errors instead of pages.', 'gate-errors', {
      // The gate answers its own failures with a page, so that Lambda counts no error.
      metric: props.gate.metric('Url5xxCount', FIVE_MINUTES),
      threshold: 5,
    });
    this.add('GateThrottled', 'Visitors are turned away.', 'gate-throttled', {
      metric: props.gate.metricThrottles(FIVE_MINUTES),
      threshold: 1,
    });
    this.add('ZipErrors', 'Downloads as a ZIP fail or break off.', 'zip-errors', {
      // What breaks off is an error of the function; what fails before is a page with a 500.
      metric: new cloudwatch.MathExpression({
        expression: 'failed + broken',
        period: FIVE_MINUTES.period,
        usingMetrics: {
          failed: props.zip.metric('Url5xxCount', FIVE_MINUTES),
          broken: props.zip.metricErrors(FIVE_MINUTES),
        },
      }),
      threshold: 5,
    });
    this.add('MaintenanceFails', 'Cleaning up fails.', 'maintenance-fails', {
      metric: props.maintenance.metricErrors(FIVE_MINUTES),
      threshold: 2,
    });
    this.add('MaintenanceMissing', 'Cleaning up does not run.', 'maintenance-missing', {
      metric: props.maintenance.metricInvocations(FIVE_MINUTES),
      threshold: 1,
      comparisonOperator: LESS_THAN_THRESHOLD,
      treatMissingData: cloudwatch.TreatMissingData.BREACHING,
    });
    this.addForQueue('DeadLetters', 'Bytes of expired projects were not deleted.', {
      queue: props.deadLetters,
      heading: 'dead-letters',
    });
    this.addForQueue('FailedUploads', 'Large uploads were not published.', {
      queue: props.failedUploads,
      heading: 'failed-uploads',
    });
    this.addForQueue('LostHits', 'Visits and opens were not counted.', {
      queue: props.lostHits,
      heading: 'lost-hits',
    });
  }

  /** As soon as there is one message of those that were given up. */
  private addForQueue(
    id: string,
    meaning: string,
    { queue, heading }: { queue: sqs.Queue; heading: string },
  ): void {
    const metric = queue.metricApproximateNumberOfMessagesVisible({ statistic: 'Maximum' });
    this.add(id, meaning, heading, { metric, threshold: 1 });
  }

  private add(
    id: string,
    meaning: string,
    heading: string,
    props: Pick<cloudwatch.AlarmProps, 'metric' | 'threshold'> & Partial<cloudwatch.AlarmProps>,
  ): void {
    const alarm = new cloudwatch.Alarm(this, id, {
      alarmDescription: `${meaning} See docs/runbook.md#${heading}`,
      evaluationPeriods: 1,
      comparisonOperator: GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: cloudwatch.TreatMissingData.NOT_BREACHING,
      ...props,
    });
    if (this.topic !== undefined) alarm.addAlarmAction(new actions.SnsAction(this.topic));
  }

  private mailTo(address: string): sns.Topic {
    const topic = new sns.Topic(this, 'Topic', { displayName: 'Slipway alarms', enforceSSL: true });
    topic.addSubscription(new subscriptions.EmailSubscription(address));
    return topic;
  }
}

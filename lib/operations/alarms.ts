import * as cdk from 'aws-cdk-lib';
import type * as apigateway from 'aws-cdk-lib/aws-apigateway';
import * as cloudfront from 'aws-cdk-lib/aws-cloudfront';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import * as actions from 'aws-cdk-lib/aws-cloudwatch-actions';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import * as logs from 'aws-cdk-lib/aws-logs';
import * as sns from 'aws-cdk-lib/aws-sns';
import * as subscriptions from 'aws-cdk-lib/aws-sns-subscriptions';
import type * as sqs from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { SlipwayFunction } from '../functions/function.ts';
import type { Mail } from '../workers/mail.ts';
import { streamFailedMessage } from '../../contract/visits/large-file-fields.ts';

export interface AlarmsProps {
  alarmEmail: string;
  api: apigateway.RestApiBase;
  gate: SlipwayFunction;
  streams: SlipwayFunction;
  maintenance: SlipwayFunction;
  deadLetters: sqs.Queue;
  /** Visits and opens that wait to be counted. */
  hits: sqs.Queue;
  distributions: { app: string; sites: string };
  mail: Mail | undefined;
  /** The table of the domains. */
  projectsTable: string;
}

/**
 * How often maintenance found a custom domain that waits for AWS too long, or whose certificate ends within
 * 30 days; and requests for certificates beyond 80 % of the year's
 * (lambdas/domains/report-domain-trouble.ts).
 */
export function domainTroubles(projectsTable: string): cloudwatch.Metric {
  return new cloudwatch.Metric({
    namespace: 'Slipway',
    metricName: 'DomainTroubles',
    dimensionsMap: { table: projectsTable },
    statistic: 'Sum',
    period: cdk.Duration.hours(1),
  });
}

const FIVE_MINUTES = { statistic: 'Sum', period: cdk.Duration.minutes(5) };

/**
 * The alarms. Each description links to its heading in the runbook. CloudFront reports its metrics in
 * us-east-1 only, and an alarm and its topic must be in the region of the metric: that of this stack.
 */
export class Alarms extends Construct {
  private readonly topic: sns.Topic;

  constructor(scope: Construct, id: string, props: AlarmsProps) {
    super(scope, id);
    this.topic = this.createMailTopic(props.alarmEmail);
    this.addForFunctions(props);
    this.addForEdge(props.distributions);
    this.addForQueues(props);
    this.add('DomainTroubles', 'Custom domains need the operator.', 'custom-domains', {
      metric: domainTroubles(props.projectsTable),
      threshold: 1,
      // A certificate is looked at once a day: the alarm stays until a day is without trouble.
      evaluationPeriods: 26,
      datapointsToAlarm: 1,
    });
    if (props.mail !== undefined) this.addForMail(props.mail);
  }

  private addForFunctions(props: AlarmsProps): void {
    this.add('ApiErrors', 'The API answers 5xx.', 'api-errors', {
      metric: props.api.metricServerError(FIVE_MINUTES),
      threshold: 5,
    });
    this.add('GateErrors', 'Visitors get errors instead of pages.', 'gate-errors', {
      // The gate answers its failures with an error page, which Lambda does not count as an error.
      metric: props.gate.metric('Url5xxCount', FIVE_MINUTES),
      threshold: 5,
    });
    this.add(
      'Throttled',
      'Lambda throttles requests. In a new account: raise the quota of concurrent executions.',
      'throttled',
      // Of the whole account, because its functions share the quota.
      { metric: lambda.Function.metricAllThrottles(FIVE_MINUTES), threshold: 1 },
    );
    this.add('StreamErrors', 'ZIP downloads or large files fail or are cut off.', 'stream-errors', {
      metric: this.streamFailures(props.streams),
      threshold: 5,
    });
    this.add('Maintenance', 'The sweep fails, or does not run.', 'maintenance', {
      // Every invocation reports an error or none, 1 or 0. Without data there was no invocation.
      metric: props.maintenance.metricErrors(FIVE_MINUTES),
      threshold: 2,
      treatMissingData: cloudwatch.TreatMissingData.BREACHING,
    });
  }

  /**
   * What visitors get from CloudFront itself, also when it cannot reach an origin. A single failed request
   * of an hour is all of its requests, so a rate must be high in two of three periods.
   */
  private addForEdge(distributions: AlarmsProps['distributions']): void {
    const often = { threshold: 5, evaluationPeriods: 3, datapointsToAlarm: 2 };
    this.add('AppErrorRate', 'CloudFront answers 5xx at the app.', 'error-rate-of-the-app', {
      metric: errorRate(distributions.app),
      ...often,
    });
    this.add('SitesErrorRate', 'CloudFront answers 5xx at sites.', 'error-rate-of-sites', {
      metric: errorRate(distributions.sites),
      ...often,
    });
    const stack = cdk.Stack.of(this);
    const functions = stack.node.findAll().filter((part) => part instanceof cloudfront.Function);
    // One alarm for each: in a sum of metrics, a function that nobody called would hide the errors of the others.
    for (const { functionName: FunctionName, node } of functions) {
      const id = node.path.split('/').slice(1).join('');
      this.add(`EdgeFunction${id}`, `The code of ${id} in CloudFront fails.`, 'edge-functions', {
        metric: cloudFrontMetric('FunctionExecutionErrors', 'Sum', { FunctionName }),
        threshold: 5,
      });
    }
  }

  private addForQueues({ deadLetters, hits }: AlarmsProps): void {
    this.add('DeadLetters', 'Hits, uploads or expired rows were not processed.', 'dead-letters', {
      metric: deadLetters.metricApproximateNumberOfMessagesVisible({ statistic: 'Maximum' }),
      threshold: 1,
    });
    this.add('HitsWait', 'Visits are not counted.', 'hits-wait', {
      metric: hits.metricApproximateAgeOfOldestMessage({ statistic: 'Maximum' }),
      // An attempt that fails hides its hits for seven minutes; two attempts in a row are a fault.
      threshold: cdk.Duration.minutes(15).toSeconds(),
    });
  }

  /**
   * Downloads that failed after their first byte, or took too long. One metric counts two kinds of log
   * lines, the function's own and Lambda's report of a status other than `success`: a second metric would
   * cost as much as an alarm. Without such lines there is no metric and no cost.
   */
  private streamFailures(streams: SlipwayFunction): cloudwatch.Metric {
    const pattern = logs.FilterPattern;
    const filter = new logs.MetricFilter(this, 'StreamFailures', {
      logGroup: streams.logGroup,
      filterPattern: pattern.any(
        pattern.stringValue('$.message', '=', streamFailedMessage),
        pattern.all(
          pattern.stringValue('$.type', '=', 'platform.report'),
          pattern.stringValue('$.record.status', '!=', 'success'),
        ),
      ),
      metricNamespace: `Slipway/${cdk.Stack.of(this).stackName}`,
      metricName: 'StreamFailures',
      metricValue: '1',
    });
    return filter.metric(FIVE_MINUTES);
  }

  /** The rates at which AWS reviews an account. It pauses sending at 10 % and 0.5 %. */
  private addForMail(mail: Mail): void {
    // SES does not report in every hour, and a rate holds until the next report.
    const treatMissingData = cloudwatch.TreatMissingData.IGNORE;
    this.add('MailBounces', 'Too many mails bounce.', 'mail-bounces', {
      metric: mail.metricRate('BounceRate'),
      threshold: 0.05,
      treatMissingData,
    });
    this.add('MailComplaints', 'Too many readers report mails as spam.', 'mail-complaints', {
      metric: mail.metricRate('ComplaintRate'),
      threshold: 0.001,
      treatMissingData,
    });
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
      comparisonOperator: cloudwatch.ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: cloudwatch.TreatMissingData.NOT_BREACHING,
      ...props,
    });
    alarm.addAlarmAction(new actions.SnsAction(this.topic));
  }

  private createMailTopic(address: string): sns.Topic {
    const topic = new sns.Topic(this, 'Topic', { displayName: 'Slipway alarms', enforceSSL: true });
    // `enforceSSL` writes a policy, and any policy replaces the default one that lets CloudWatch publish.
    topic.addToResourcePolicy(
      new iam.PolicyStatement({
        principals: [new iam.ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [topic.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': cdk.Stack.of(this).account } },
      }),
    );
    topic.addSubscription(new subscriptions.EmailSubscription(address));
    return topic;
  }
}

/** Percent of the answers that are 5xx; CloudFront has only its average. */
function errorRate(DistributionId: string): cloudwatch.Metric {
  return cloudFrontMetric('5xxErrorRate', 'Average', { DistributionId });
}

function cloudFrontMetric(
  metricName: string,
  statistic: 'Average' | 'Sum',
  of: { DistributionId: string } | { FunctionName: string },
): cloudwatch.Metric {
  return new cloudwatch.Metric({
    namespace: 'AWS/CloudFront',
    metricName,
    statistic,
    dimensionsMap: { ...of, Region: 'Global' },
    period: FIVE_MINUTES.period,
  });
}

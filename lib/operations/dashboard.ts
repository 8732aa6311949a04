import * as cdk from 'aws-cdk-lib';
import type * as apigateway from 'aws-cdk-lib/aws-apigateway';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import type { SlipwayFunction } from '../functions/function.ts';
import { domainTroubles } from './alarms.ts';

export interface DashboardProps {
  api: apigateway.RestApiBase;
  gate: SlipwayFunction;
  projectsTable: string;
}

const period = cdk.Duration.minutes(5);

/**
 * The figures that an operator looks at (decision 0072): whether visitors get pages, how fast, whether
 * callers of the API get answers, how near the account is to its quota, and whether a custom domain is
 * in trouble.
 */
export class Dashboard extends Construct {
  constructor(scope: Construct, id: string, { api, gate, projectsTable }: DashboardProps) {
    super(scope, id);
    const sum = { statistic: 'Sum', period };
    const concurrency = new cloudwatch.Metric({
      namespace: 'AWS/Lambda',
      metricName: 'ConcurrentExecutions',
      statistic: 'Maximum',
      period,
      label: 'running at once, of the whole account',
    });
    const widgets = [
      figure('Pages', [
        gate.metric('UrlRequestCount', { ...sum, label: 'requests that reached the gate' }),
        gate.metric('Url5xxCount', { ...sum, label: 'errors' }),
        gate.metricThrottles({ ...sum, label: 'throttled' }),
      ]),
      figure('Milliseconds for a page', [
        gate.metric('UrlRequestLatency', { statistic: 'p50', period, label: 'half' }),
        gate.metric('UrlRequestLatency', { statistic: 'p99', period, label: '99 of 100' }),
      ]),
      figure('API', [
        api.metricCount({ ...sum, label: 'requests' }),
        api.metricClientError({ ...sum, label: '4xx' }),
        api.metricServerError({ ...sum, label: '5xx' }),
      ]),
      figure('Functions at once', [concurrency]),
      figure('Custom domains', [
        domainTroubles(projectsTable).with({ label: 'looks at one in trouble' }),
      ]),
    ];
    new cloudwatch.Dashboard(this, 'Figures', {
      defaultInterval: cdk.Duration.days(1),
      widgets: [widgets.slice(0, 2), widgets.slice(2, 4), widgets.slice(4)],
    });
  }
}

function figure(title: string, left: cloudwatch.IMetric[]): cloudwatch.GraphWidget {
  return new cloudwatch.GraphWidget({ title, left, width: 12, leftYAxis: { min: 0 } });
}

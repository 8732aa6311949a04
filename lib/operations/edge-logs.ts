import * as cdk from 'aws-cdk-lib';
import * as logs from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { requestLogFields } from './request-log-fields.ts';

export interface EdgeLogsProps {
  /** ARNs of distributions, by the name of their log. */
  distributions: Readonly<Record<string, string>>;
  retentionDays: number;
}

/**
 * A line for each request that CloudFront answered, also from its cache (standard logging v2). In
 * CloudWatch Logs, where the other logs are, with the same retention.
 */
export class EdgeLogs extends Construct {
  constructor(scope: Construct, id: string, { distributions, retentionDays }: EdgeLogsProps) {
    super(scope, id);
    for (const [name, arn] of Object.entries(distributions)) {
      this.deliver(name, arn, retentionDays);
    }
  }

  private deliver(name: string, resourceArn: string, retention: number): void {
    const unique = (part: string) =>
      cdk.Names.uniqueResourceName(this, { maxLength: 40, separator: '-' }) + `-${name}-${part}`;
    const group = new logs.LogGroup(this, `${name}Log`, {
      // The prefix lets the delivery service add its permission without reaching the limit of policies.
      logGroupName: `/aws/vendedlogs/${unique('requests')}`,
      retention,
      removalPolicy: cdk.RemovalPolicy.DESTROY,
    });
    const source = new logs.CfnDeliverySource(this, `${name}Source`, {
      name: unique('source'),
      logType: 'ACCESS_LOGS',
      resourceArn,
    });
    const destination = new logs.CfnDeliveryDestination(this, `${name}Destination`, {
      name: unique('destination'),
      deliveryDestinationType: 'CWL',
      destinationResourceArn: group.logGroupArn,
      outputFormat: 'json',
    });
    const delivery = new logs.CfnDelivery(this, `${name}Delivery`, {
      deliverySourceName: source.name,
      deliveryDestinationArn: destination.attrArn,
      recordFields: [...requestLogFields],
    });
    // A name alone is no dependency for CloudFormation.
    delivery.addResourceDependency(source);
  }
}

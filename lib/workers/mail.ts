import * as cdk from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import * as ses from 'aws-cdk-lib/aws-ses';
import { Construct } from 'constructs';
import { addMailRecords } from '../domains/records.ts';
import { type Zones, zoneOf } from '../domains/zones.ts';
import type { SlipwayFunction } from '../functions/function.ts';
import type { Settings } from '../settings.ts';

export interface MailProps {
  /** The sender's address. */
  from: string;
  mailIdentity: Settings['mailIdentity'];
  zones: Zones;
}

/**
 * The sender of mails. Its configuration set makes SES keep a suppression list: an address that
 * bounced or complained gets no further mail, while callers get the same answer as before.
 */
export class Mail extends Construct {
  private readonly from: string;
  private readonly configurationSet: ses.ConfigurationSet;

  constructor(scope: Construct, id: string, { from, mailIdentity, zones }: MailProps) {
    super(scope, id);
    this.from = from;
    if (mailIdentity === 'address') {
      new ses.EmailIdentity(this, 'Identity', { identity: ses.Identity.email(from) });
    } else if (mailIdentity !== 'existing') {
      this.addDomainIdentity(from.slice(from.lastIndexOf('@') + 1), zones);
    }
    this.configurationSet = new ses.ConfigurationSet(this, 'ConfigurationSet', {
      suppressionReasons: ses.SuppressionReasons.BOUNCES_AND_COMPLAINTS,
      reputationMetrics: true,
    });
  }

  /** Without a zone, the domain's DKIM records are outputs, because they must be added to DNS. */
  private addDomainIdentity(domain: string, zones: Zones): void {
    const zone = zoneOf(domain, zones);
    const mailFromDomain = `bounces.${domain}`;
    const identity = new ses.EmailIdentity(this, 'Identity', {
      identity: ses.Identity.domain(domain),
      ...(zone !== undefined && { mailFromDomain }),
    });
    if (zone !== undefined) {
      addMailRecords(this, 'Records', {
        zone,
        domain,
        mailFromDomain,
        dkim: identity.dkimRecords,
      });
      return;
    }
    for (const [index, { name, value }] of identity.dkimRecords.entries()) {
      new cdk.CfnOutput(this, `DkimRecord${index + 1}`, {
        description: `CNAME record for mail from ${domain}: name and value`,
        value: `${name} ${value}`,
      });
    }
  }

  /**
   * Allows mail from the sender's address only. The identities are a wildcard because SES, while the
   * account is in the sandbox, also checks the permission for the recipient's identity.
   */
  grantSending(fn: SlipwayFunction): void {
    const { configurationSetName } = this.configurationSet;
    fn.setVariable('MAIL_CONFIGURATION_SET', configurationSetName);
    fn.allow(['ses:SendRawEmail'], [this.sesArn('identity', '*')], {
      StringEqualsIgnoreCase: { 'ses:FromAddress': this.from },
    });
    fn.accept(
      'AwsSolutions-IAM5[Resource::arn:aws:ses:us-east-1:<AWS::AccountId>:identity/*]',
      'In the sandbox SES also checks the identity of the recipient, who may be anybody. The condition limits the sender.',
    );
    fn.allow(['ses:SendRawEmail'], [this.sesArn('configuration-set', configurationSetName)]);
  }

  /** Rates from 0 to 1, as SES computes them over its representative volume of mails. */
  metricRate(name: 'BounceRate' | 'ComplaintRate'): cloudwatch.Metric {
    return new cloudwatch.Metric({
      namespace: 'AWS/SES',
      metricName: `Reputation.${name}`,
      dimensionsMap: { 'ses:configuration-set': this.configurationSet.configurationSetName },
      statistic: 'Maximum',
      period: cdk.Duration.hours(1),
    });
  }

  private sesArn(resource: string, resourceName: string): string {
    return cdk.Stack.of(this).formatArn({ service: 'ses', resource, resourceName });
  }
}

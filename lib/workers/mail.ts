import * as cdk from 'aws-cdk-lib';
import * as ses from 'aws-cdk-lib/aws-ses';
import { Construct } from 'constructs';
import type { SlipwayFunction } from '../functions/function.ts';

/** The domain that mail is sent from; its outputs are the DNS records that prove it (DKIM). */
export class Mail extends Construct {
  private readonly identity: ses.EmailIdentity;

  constructor(scope: Construct, id: string, mailFrom: string) {
    super(scope, id);
    const domain = mailFrom.slice(mailFrom.lastIndexOf('@') + 1);
    this.identity = new ses.EmailIdentity(this, 'Identity', {
      identity: ses.Identity.domain(domain),
    });
    for (const [index, { name, value }] of this.identity.dkimRecords.entries()) {
      new cdk.CfnOutput(this, `DkimRecord${index + 1}`, {
        description: `CNAME record for mail from ${domain}: name and value`,
        value: `${name} ${value}`,
      });
    }
  }
  grantSending(fn: SlipwayFunction): void {
    fn.allow(['ses:SendEmail'], [this.identity.emailIdentityArn]);
  }
}

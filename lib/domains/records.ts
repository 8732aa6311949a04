import * as route53 from 'aws-cdk-lib/aws-route53';
import * as targets from 'aws-cdk-lib/aws-route53-targets';
import type { Construct } from 'constructs';

/** A and AAAA records that lead a name to an address of CloudFront; queries for alias records are free. */
export function addAddressRecords(
  scope: Construct,
  id: string,
  { zone, name, address }: { zone: route53.IHostedZone; name: string; address: string },
): void {
  const target = route53.RecordTarget.fromAlias({
    bind: () => ({
      dnsName: address,
      hostedZoneId: targets.CloudFrontTarget.getHostedZoneId(scope),
    }),
  });
  const props = { zone, recordName: `${name}.`, target };
  new route53.ARecord(scope, `${id}Ipv4`, props);
  new route53.AaaaRecord(scope, `${id}Ipv6`, props);
}

/** The DNS records of mail. Each of `dkim` becomes a CNAME. */
interface MailRecords {
  zone: route53.IHostedZone;
  domain: string;
  /** Below the domain; bounces go there. */
  mailFromDomain: string;
  dkim: readonly { name: string; value: string }[];
}

/**
 * What receivers check: DKIM signatures, an SPF record for the domain of bounces, and a DMARC policy.
 * The policy is `none`: the domain may also send mails that are not ours, and only its owner knows
 * which.
 */
export function addMailRecords(scope: Construct, id: string, records: MailRecords): void {
  const { zone, domain, mailFromDomain, dkim } = records;
  for (const [index, { name, value }] of dkim.entries()) {
    // The name is known at deployment only, so it cannot be completed with the zone's name.
    new route53.CfnRecordSet(scope, `${id}Dkim${index + 1}`, {
      hostedZoneId: zone.hostedZoneId,
      name,
      type: 'CNAME',
      ttl: '1800',
      resourceRecords: [value],
    });
  }
  new route53.MxRecord(scope, `${id}MailFrom`, {
    zone,
    recordName: `${mailFromDomain}.`,
    values: [{ priority: 10, hostName: 'feedback-smtp.us-east-1.amazonses.com' }],
  });
  new route53.TxtRecord(scope, `${id}Spf`, {
    zone,
    recordName: `${mailFromDomain}.`,
    values: ['v=spf1 include:amazonses.com ~all'],
  });
  new route53.TxtRecord(scope, `${id}Dmarc`, {
    zone,
    recordName: `_dmarc.${domain}.`,
    values: ['v=DMARC1; p=none'],
  });
}

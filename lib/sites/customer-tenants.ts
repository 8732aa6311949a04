import * as cdk from 'aws-cdk-lib';
import type { SlipwayFunction } from '../functions/function.ts';
import type { VisitorDistribution } from './visitor-distribution.ts';

/** Never the tenant of the sites domain, nor certificates of others (docs/decisions, 0139). */
const ofDomains = { StringLike: { 'aws:ResourceTag/slipway:domain': '*' } };

/**
 * Lets a function create and remove the tenants of custom domains, with their certificates. Creating
 * either accepts no resource but `*` (Service Authorization Reference).
 */
export function grantTenants(fn: SlipwayFunction, visitors: VisitorDistribution): void {
  const offers = visitors.tenantId !== undefined;
  const { distribution, connectionGroup } = visitors;
  fn.setVariable('VISITOR_DISTRIBUTION_ID', offers ? distribution.ref : '');
  fn.setVariable('CONNECTION_GROUP_ID', offers ? connectionGroup.attrId : '');
  fn.setVariable('DOMAIN_ROUTING_ENDPOINT', offers ? connectionGroup.attrRoutingEndpoint : '');
  if (!offers) return;
  const { partition, account, region } = cdk.Stack.of(visitors);
  const tenants = [`arn:${partition}:cloudfront::${account}:distribution-tenant/*`];
  const certificates = [`arn:${partition}:acm:${region}:${account}:certificate/*`];
  fn.allow(['cloudfront:CreateDistributionTenant', 'acm:RequestCertificate'], ['*']);
  fn.allow(['cloudfront:GetDistributionTenant', 'cloudfront:TagResource'], tenants);
  fn.allow(['acm:DescribeCertificate', 'acm:AddTagsToCertificate'], certificates);
  const changes = ['UpdateDistributionTenant', 'DeleteDistributionTenant'];
  const changingTenants = changes.map((name) => `cloudfront:${name}`);
  fn.allow(changingTenants, tenants, ofDomains);
  fn.allow(['acm:DeleteCertificate'], certificates, ofDomains);
  for (const arn of [
    'arn:aws:cloudfront::<AWS::AccountId>:distribution-tenant',
    'arn:aws:acm:us-east-1:<AWS::AccountId>:certificate',
  ]) {
    fn.accept(
      `AwsSolutions-IAM5[Resource::${arn}/*]`,
      'AWS makes up the ids of tenants and certificates when they are created. A tag limits which may be changed.',
    );
  }
}

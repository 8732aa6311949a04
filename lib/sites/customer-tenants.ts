import * as cdk from 'aws-cdk-lib';
import type { SlipwayFunction } from '../functions/function.ts';
import type { VisitorDistribution } from './visitor-distribution.ts';
import { domainTags } from '../../contract/domain.ts';

/** What this stage made: never the tenant of the sites domain, nor anything of another stage or program. */
function ofStage(stage: string) {
  return { StringEquals: { [`aws:ResourceTag/${domainTags.stage}`]: stage } };
}

/** Requests that make something, with this stage's tag and no other tags than ours. */
function taggedForStage(stage: string) {
  return {
    StringEquals: { [`aws:RequestTag/${domainTags.stage}`]: stage },
    'ForAllValues:StringEquals': { 'aws:TagKeys': Object.values(domainTags) },
  };
}

/**
 * Permission to tag, which AWS wants for what is made with tags. Without the tag of the resource, a function
 * could tag what others made, and then change it. AWS counts the tags of a request that makes a resource
 * as the resource's (IAM, "aws:ResourceTag").
 */
function taggingOwn(stage: string) {
  const made = taggedForStage(stage);
  return { ...made, StringEquals: { ...made.StringEquals, ...ofStage(stage).StringEquals } };
}

/**
 * Lets a function create and remove the tenants of custom domains, with their certificates. Creating
 * either accepts no resource but `*` (Service Authorization Reference).
 */
export function grantTenants(
  fn: SlipwayFunction,
  visitors: VisitorDistribution,
  stage: string,
): void {
  const offers = visitors.tenantId !== undefined;
  const { distribution, connectionGroup } = visitors;
  fn.setVariable('VISITOR_DISTRIBUTION_ID', offers ? distribution.ref : '');
  fn.setVariable('CONNECTION_GROUP_ID', offers ? connectionGroup.attrId : '');
  fn.setVariable('DOMAIN_ROUTING_ENDPOINT', offers ? connectionGroup.attrRoutingEndpoint : '');
  fn.setVariable('STAGE', stage);
  if (!offers) return;
  const { partition, account, region } = cdk.Stack.of(visitors);
  const tenants = [`arn:${partition}:cloudfront::${account}:distribution-tenant/*`];
  const certificates = [`arn:${partition}:acm:${region}:${account}:certificate/*`];
  const making = ['cloudfront:CreateDistributionTenant', 'acm:RequestCertificate'];
  fn.allow(making, ['*'], taggedForStage(stage));
  fn.allow(['cloudfront:TagResource'], tenants, taggingOwn(stage));
  fn.allow(['acm:AddTagsToCertificate'], certificates, taggingOwn(stage));
  fn.allow(['cloudfront:GetDistributionTenant'], tenants);
  fn.allow(['acm:DescribeCertificate'], certificates);
  const changes = ['UpdateDistributionTenant', 'DeleteDistributionTenant'];
  const changingTenants = changes.map((name) => `cloudfront:${name}`);
  fn.allow(changingTenants, tenants, ofStage(stage));
  fn.allow(['acm:DeleteCertificate'], certificates, ofStage(stage));
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

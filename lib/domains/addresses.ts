import * as cdk from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { appOrigin, type Settings } from '../settings.ts';
import type { VisitorDistribution } from '../sites/visitor-distribution.ts';
import type { ServiceOutput } from '../stages/stage-outputs.ts';
import type { AppDistribution } from '../web-app/app-distribution.ts';
import { addAddressRecords } from './records.ts';
import type { Zones } from './zones.ts';

interface Addresses {
  settings: Settings;
  app: AppDistribution;
  visitors: VisitorDistribution;
}

/** What a person needs for DNS, and what operator commands read (lib/stages/stage-outputs.ts). */
export function addStageOutputs(scope: Construct, { settings, app, visitors }: Addresses): void {
  const { appDomain, sitesDomain, signUpPolicy } = settings;
  new cdk.CfnOutput(scope, 'AppAddress', {
    description: `DNS: ${appDomain} is a CNAME (or ALIAS) to this name`,
    value: app.distribution.distributionDomainName,
  });
  new cdk.CfnOutput(scope, 'SitesAddress', {
    description: `DNS: *.${sitesDomain} is a CNAME to this name, and ${sitesDomain} an ALIAS where your DNS has them`,
    value: visitors.connectionGroup.attrRoutingEndpoint,
  });
  const values: Record<ServiceOutput, string | undefined> = {
    AppUrl: appOrigin(settings),
    SitesDomain: sitesDomain,
    SignUpPolicy: signUpPolicy,
    SitesTenant: visitors.tenantId,
    Distributions: [app.distribution.distributionId, visitors.distribution.attrId].join(','),
  };
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined) new cdk.CfnOutput(scope, name, { value });
  }
}

/** Leads the domains to CloudFront where their zones are known. */
export function addRecords(
  scope: Construct,
  { settings, zones, app, visitors }: Addresses & { zones: Zones },
): void {
  if (zones.app !== undefined) {
    const address = app.distribution.distributionDomainName;
    addAddressRecords(scope, 'AppRecord', { zone: zones.app, name: settings.appDomain, address });
  }
  if (zones.sites !== undefined) {
    const address = visitors.connectionGroup.attrRoutingEndpoint;
    const name = settings.sitesDomain;
    addAddressRecords(scope, 'SitesRecord', { zone: zones.sites, name: `*.${name}`, address });
    addAddressRecords(scope, 'BareSitesRecord', { zone: zones.sites, name, address });
  }
}

import * as route53 from 'aws-cdk-lib/aws-route53';
import type { Construct } from 'constructs';
import type { Settings } from '../settings.ts';

/** The hosted zones that the stack may write to. */
export interface Zones {
  app: route53.IHostedZone | undefined;
  sites: route53.IHostedZone | undefined;
}

/** Zones by their ids, without a lookup, so that synthesis needs no credentials. */
export function importZones(scope: Construct, settings: Settings): Zones {
  const { appZoneId, appZoneName, sitesZoneId, sitesZoneName } = settings;
  const zone = (id: string, hostedZoneId: string | undefined, zoneName: string | undefined) =>
    hostedZoneId === undefined || zoneName === undefined
      ? undefined
      : route53.HostedZone.fromHostedZoneAttributes(scope, id, { hostedZoneId, zoneName });
  return {
    app: zone('AppZone', appZoneId, appZoneName),
    sites: zone('SitesZone', sitesZoneId, sitesZoneName),
  };
}

/** The zone that a domain is in: the most specific one. */
export function zoneOf(domain: string, { app, sites }: Zones): route53.IHostedZone | undefined {
  return [app, sites]
    .filter((zone) => zone !== undefined)
    .toSorted((a, b) => b.zoneName.length - a.zoneName.length)
    .find(({ zoneName }) => isInZone(domain, zoneName));
}

/** Whether a name is the zone's own or below it. */
function isInZone(domain: string, zoneName: string): boolean {
  return domain === zoneName || domain.endsWith(`.${zoneName}`);
}

import * as route53 from 'aws-cdk-lib/aws-route53';
import type { Construct } from 'constructs';
import type { Settings } from '../settings.ts';

/** The hosted zones that the stack may write to. */
export type Zones = ReturnType<typeof importZones>;

/** Zones by their ids, without a lookup, so that synthesis needs no credentials. */
export function importZones(scope: Construct, settings: Settings) {
  const zone = (id: string, { id: hostedZoneId, name: zoneName }: { id: string; name: string }) =>
    route53.HostedZone.fromHostedZoneAttributes(scope, id, { hostedZoneId, zoneName });
  const { appZone, sitesZone } = settings;
  return {
    app: appZone && zone('AppZone', appZone),
    sites: sitesZone && zone('SitesZone', sitesZone),
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

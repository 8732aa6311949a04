import * as z from 'zod';
import type { Resource } from '../http/http.ts';
import type { Distribution } from './distribution.ts';
import { noDifference, propertiesOf, refuse } from './resource-schema.ts';

/** An `AWS::CloudFront::DistributionTenant`, read. */
export interface Tenant {
  id: string;
  distributionId: string;
  connectionGroupId: string | undefined;
  enabled: boolean;
  domains: readonly string[];
  parameters: Readonly<Record<string, string>>;
}

/** What answers for a host: a distribution, and the tenant where the distribution has tenants. */
export interface Site {
  distribution: Distribution;
  tenant: Tenant | undefined;
}

const TenantProperties = z.strictObject({
  Name: noDifference,
  Tags: noDifference,
  ManagedCertificateRequest: noDifference,
  Customizations: z.strictObject({ Certificate: noDifference, WebAcl: noDifference }).optional(),
  DistributionId: z.string(),
  ConnectionGroupId: z.string().optional(),
  Enabled: z.boolean().default(true),
  Domains: z.array(z.string().toLowerCase()).min(1),
  Parameters: z.array(z.strictObject({ Name: z.string(), Value: z.string() })).default([]),
});

const ConnectionGroupProperties = z.strictObject({
  Name: noDifference,
  Tags: noDifference,
  Ipv6Enabled: noDifference,
  AnycastIpListId: noDifference,
  Enabled: z.boolean().default(true),
});

/** Reads an `AWS::CloudFront::DistributionTenant`. */
export function tenant(resource: Resource): Tenant {
  const properties = propertiesOf(resource, TenantProperties);
  return {
    id: resource.logicalId,
    distributionId: properties.DistributionId,
    connectionGroupId: properties.ConnectionGroupId,
    enabled: properties.Enabled,
    domains: properties.Domains,
    parameters: Object.fromEntries(properties.Parameters.map(({ Name, Value }) => [Name, Value])),
  };
}

/** Whether an `AWS::CloudFront::ConnectionGroup` is on. */
export function isConnectionGroupEnabled(resource: Resource): boolean {
  return propertiesOf(resource, ConnectionGroupProperties).Enabled;
}

/** Every host of the distributions and tenants that are on; a host that two of them claim throws. */
export function hostTable(
  distributions: ReadonlyMap<string, Distribution>,
  tenants: readonly { resource: Resource; tenant: Tenant; isConnected: boolean }[],
): ReadonlyMap<string, Site> {
  const hosts = new Map<string, Site>();
  const claim = (host: string, site: Site): void => {
    if (hosts.has(host)) throw new Error(`Local edge: two distributions answer for ${host}`);
    hosts.set(host, site);
  };
  for (const distribution of distributions.values()) {
    if (!distribution.enabled || distribution.isTenantOnly) continue;
    for (const alias of distribution.aliases) claim(alias, { distribution, tenant: undefined });
  }
  for (const { resource, tenant, isConnected } of tenants) {
    const distribution = distributions.get(tenant.distributionId);
    if (distribution?.isTenantOnly !== true) {
      return refuse(resource, 'DistributionId', 'names no distribution with tenants');
    }
    if (!distribution.enabled || !tenant.enabled || !isConnected) continue;
    for (const domain of tenant.domains) claim(domain, { distribution, tenant });
  }
  return hosts;
}

/** Who answers for a host: its own name first, then the wildcard that stands for its first label. */
export function siteOf(hosts: ReadonlyMap<string, Site>, host: string): Site | undefined {
  const dot = host.indexOf('.');
  if (host.includes('*')) return undefined;
  return hosts.get(host) ?? (dot > 0 ? hosts.get(`*${host.slice(dot)}`) : undefined);
}

import * as z from 'zod';
import type { Distribution } from './distribution.ts';
import { ignored, parseProperties, rejectProperty, type Resource } from '../assembly/resource.ts';
import { StartError } from '../errors.ts';
import { matchesWildcard } from '../iam/policy.ts';

/** A parsed `AWS::CloudFront::DistributionTenant`. */
export interface Tenant {
  id: string;
  distributionId: string;
  connectionGroupId: string | undefined;
  enabled: boolean;
  domains: readonly string[];
  parameters: Readonly<Record<string, string>>;
}

/** The distribution of a host, with its tenant if the distribution has tenants. */
export interface Site {
  distribution: Distribution;
  tenant: Tenant | undefined;
}

const TenantProperties = z.strictObject({
  Name: ignored,
  DistributionId: z.string(),
  ConnectionGroupId: z.string().optional(),
  Enabled: z.boolean().default(true),
  Domains: z.array(z.string().toLowerCase()).min(1),
});

const ConnectionGroupProperties = z.strictObject({
  Name: z.string().default(''),
  Ipv6Enabled: ignored,
  Enabled: z.boolean().default(true),
});

/** Parses an `AWS::CloudFront::DistributionTenant`. */
export function tenant(resource: Resource): Tenant {
  const properties = parseProperties(resource, TenantProperties);
  return {
    id: resource.logicalId,
    distributionId: properties.DistributionId,
    connectionGroupId: properties.ConnectionGroupId,
    enabled: properties.Enabled,
    domains: properties.Domains,
    parameters: {},
  };
}

/** A parsed `AWS::CloudFront::ConnectionGroup`. */
export interface ConnectionGroup {
  name: string;
  enabled: boolean;
  routingEndpoint: string;
}

/** Parses an `AWS::CloudFront::ConnectionGroup`. */
export function connectionGroup(resource: Resource): ConnectionGroup {
  const { Name: name, Enabled: enabled } = parseProperties(resource, ConnectionGroupProperties);
  return { name, enabled, routingEndpoint: routingEndpoint(resource.logicalId) };
}

/** The domain name of a connection group. */
export function routingEndpoint(id: string): string {
  return `${id.toLowerCase()}.cloudfront.net`;
}

/** The hosts of all enabled distributions and tenants; a host with two owners stops the start. */
export function hostTable(
  distributions: ReadonlyMap<string, Distribution>,
  tenants: readonly { resource: Resource; tenant: Tenant; isConnected: boolean }[],
): ReadonlyMap<string, Site> {
  const hosts = new Map<string, Site>();
  const claim = (host: string, site: Site): void => {
    if (hosts.has(host)) throw new StartError(`Local edge: two distributions answer for ${host}`);
    hosts.set(host, site);
  };
  for (const distribution of distributions.values()) {
    if (!distribution.enabled || distribution.isTenantOnly) continue;
    for (const alias of distribution.aliases) claim(alias, { distribution, tenant: undefined });
  }
  for (const { resource, tenant, isConnected } of tenants) {
    const distribution = distributions.get(tenant.distributionId);
    if (distribution?.isTenantOnly !== true) {
      return rejectProperty(resource, 'DistributionId', 'names no distribution that has tenants');
    }
    if (!distribution.enabled || !tenant.enabled || !isConnected) continue;
    for (const domain of tenant.domains) claim(domain, { distribution, tenant });
  }
  return hosts;
}

/** Finds the site of a host: by its own name first, then by a wildcard for its first label. */
export function findSite(
  siteOf: (domain: string) => Site | undefined,
  host: string,
): Site | undefined {
  const dot = host.indexOf('.');
  if (host.includes('*')) return undefined;
  return siteOf(host) ?? (dot > 0 ? siteOf(`*${host.slice(dot)}`) : undefined);
}

/** Whether a behaviour's path pattern matches a path; the pattern's leading slash is optional. */
export function matchesPath(pattern: string, path: string): boolean {
  const anchored = pattern.startsWith('/') || pattern.startsWith('*') ? pattern : `/${pattern}`;
  return matchesWildcard(anchored, path);
}

/** `%41`, `%2d` and other encoded letters, digits and `-._~` (RFC 3986, section 2.3). */
const ENCODED_UNRESERVED = /%(?:2[DE]|3\d|[46][1-9A-F]|5[\dAF]|7[\dAE])/gi;

/**
 * The path that CloudFront compares with path patterns: without encoded unreserved characters, dot
 * segments and empty segments. Functions and origins still get the path as sent ("Cache behavior
 * settings", path pattern).
 */
export function normalizedPath(path: string): string {
  const kept: string[] = [];
  const segments = path
    .replace(ENCODED_UNRESERVED, (encoded) => decodeURIComponent(encoded))
    .split('/');
  for (const segment of segments) {
    if (segment === '..') kept.pop();
    else if (segment !== '' && segment !== '.') kept.push(segment);
  }
  const isFolder = segments.at(-1) === '' && kept.length > 0;
  return `/${kept.join('/')}${isFolder ? '/' : ''}`;
}

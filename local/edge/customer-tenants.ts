import type { Catalog } from './catalog.ts';
import { routingEndpoint, type Site } from './host-routing.ts';
import type { FunctionTenant } from './viewer-function/viewer-function-event.ts';

/** A tenant that a call to CloudFront created, as edges know it. */
export interface CustomerTenant {
  id: string;
  config: {
    distributionId: string;
    connectionGroupId?: string | undefined;
    domains: readonly string[];
    parameters: readonly { name: string; value: string }[];
    enabled: boolean;
  };
}

/** The tenants that calls created. */
export interface CustomerTenants {
  /** The one that has this domain; a wildcard is a domain of its own. */
  forDomain(domain: string): CustomerTenant | undefined;
  has(id: string): boolean;
}

/** The site of such a tenant's domain; undefined while something on the way is disabled. */
export function customerSite(
  { distributions, connectionGroups }: Pick<Catalog, 'distributions' | 'connectionGroups'>,
  tenants: CustomerTenants | undefined,
  domain: string,
): Site | undefined {
  const found = tenants?.forDomain(domain);
  const distribution = distributions.get(found?.config.distributionId ?? '');
  if (found === undefined || distribution?.enabled !== true || !found.config.enabled) {
    return undefined;
  }
  const { connectionGroupId, parameters, ...config } = found.config;
  if (
    connectionGroupId !== undefined &&
    connectionGroups.get(connectionGroupId)?.enabled !== true
  ) {
    return undefined;
  }
  const own = Object.fromEntries(parameters.map(({ name, value }) => [name, value]));
  const tenant = { ...config, id: found.id, connectionGroupId, parameters: own };
  return { distribution, tenant };
}

/** The tenant as the viewer-request function sees it. */
export function tenantOfFunction(site: Site): FunctionTenant | undefined {
  if (site.tenant === undefined) return undefined;
  const { id, connectionGroupId, parameters } = site.tenant;
  return {
    id,
    parameters,
    endpoint: connectionGroupId === undefined ? undefined : routingEndpoint(connectionGroupId),
  };
}

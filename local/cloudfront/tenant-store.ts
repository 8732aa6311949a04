import { join } from 'node:path';
import * as z from 'zod';
import { stateFile } from '../state/state-file.ts';
import { CustomerTenant, servedConfig, tenantArn, type TenantConfig } from './customer-tenant.ts';

/** The file in the state folder that stores tenants. */
export const TENANTS_FILE = 'tenants.json';

/** The tenants that calls created; those of the templates are not among them. */
export interface TenantStore {
  list(): CustomerTenant[];
  /** By id or by name. */
  find(idOrName: string): CustomerTenant | undefined;
  put(tenant: CustomerTenant): void;
  delete(id: string): void;
  /** The ARNs of the tenants that use a certificate, or that edges still serve with it. */
  usersOf(certificateArn: string, now: number): string[];
  /** The tenant by which edges serve a domain; a wildcard is a domain of its own. */
  forDomain(domain: string, now: number): { id: string; config: TenantConfig } | undefined;
}

/** Tenants that survive restarts. */
export function tenantStore(stateDir: string): TenantStore {
  const file = stateFile(join(stateDir, TENANTS_FILE), z.array(CustomerTenant), []);
  const tenants = new Map(file.read().map((one) => [one.id, one]));
  const save = () => file.write([...tenants.values()]);
  return {
    list: () => [...tenants.values()],
    find: (idOrName) =>
      tenants.get(idOrName) ?? [...tenants.values()].find(({ name }) => name === idOrName),
    put(tenant) {
      tenants.set(tenant.id, tenant);
      save();
    },
    delete(id) {
      tenants.delete(id);
      save();
    },
    usersOf: (certificateArn, now) =>
      [...tenants.values()]
        .filter((tenant) =>
          [tenant.config, servedConfig(tenant, now)].some(
            (config) => config?.certificateArn === certificateArn,
          ),
        )
        .map(({ id }) => tenantArn(id)),
    forDomain(domain, now) {
      for (const tenant of tenants.values()) {
        const config = servedConfig(tenant, now);
        if (config?.domains.includes(domain) === true) return { id: tenant.id, config };
      }
      return undefined;
    },
  };
}

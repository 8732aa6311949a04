import { join } from 'node:path';
import * as z from 'zod';
import { stateFile } from '../state/state-file.ts';
import { CustomerTenant, servedConfig, tenantArn } from './customer-tenant.ts';

/** The file in the state folder that stores tenants. */
export const TENANTS_FILE = 'tenants.json';

/** The tenants that calls created; those of the templates are not among them. */
export type TenantStore = ReturnType<typeof tenantStore>;

/** Tenants that survive restarts. */
export function tenantStore(stateDir: string) {
  const file = stateFile(join(stateDir, TENANTS_FILE), z.array(CustomerTenant), []);
  const tenants = new Map(file.read().map((one) => [one.id, one]));
  const save = () => file.write([...tenants.values()]);
  return {
    list: () => [...tenants.values()],
    find: (idOrName: string) =>
      tenants.get(idOrName) ?? [...tenants.values()].find(({ name }) => name === idOrName),
    put(tenant: CustomerTenant) {
      tenants.set(tenant.id, tenant);
      save();
    },
    delete(id: string) {
      tenants.delete(id);
      save();
    },
    /** The ARNs of the tenants that use a certificate, or that edges still serve with it. */
    usersOf: (certificateArn: string, now: number) =>
      [...tenants.values()]
        .filter((tenant) =>
          [tenant.config, servedConfig(tenant, now)].some(
            (config) => config?.certificateArn === certificateArn,
          ),
        )
        .map(({ id }) => tenantArn(id)),
    /** The tenant by which edges serve a domain; a wildcard is a domain of its own. */
    forDomain(domain: string, now: number) {
      for (const tenant of tenants.values()) {
        const config = servedConfig(tenant, now);
        if (config?.domains.includes(domain) === true) return { id: tenant.id, config };
      }
      return undefined;
    },
  };
}

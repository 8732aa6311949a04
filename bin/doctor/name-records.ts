import { Resolver } from 'node:dns/promises';

/** What the DNS says about a name. */
export interface NameRecords {
  /** The name to which a CNAME leads, lower case; undefined without one. */
  cname(name: string): Promise<string | undefined>;
  /** The servers to which a domain is delegated, lower case; empty without any. */
  servers(name: string): Promise<string[]>;
  /** CAA values as `<tag> <value>`; empty without any. */
  caa(name: string): Promise<string[]>;
  /** IPv4 addresses; empty if the name does not exist. */
  addresses(name: string): Promise<string[]>;
}

const missing = new Set(['ENOTFOUND', 'ENODATA']);

/**
 * Asks DNS servers, not the operating system, whose cache and hosts file may differ from what visitors see.
 * @param servers addresses, with a port if it is not 53
 */
export function nameRecords(servers: readonly string[]): NameRecords {
  const resolver = new Resolver({ timeout: 3000, tries: 2 });
  resolver.setServers(servers);
  const orNone = async <T>(records: Promise<T[]>): Promise<T[]> => {
    try {
      return await records;
    } catch (error) {
      const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : '';
      if (typeof code === 'string' && missing.has(code)) return [];
      throw error;
    }
  };
  return {
    async cname(name) {
      const [target] = await orNone(resolver.resolveCname(name));
      return target?.toLowerCase().replace(/\.$/, '');
    },
    servers: async (name) =>
      (await orNone(resolver.resolveNs(name))).map((one) => one.toLowerCase().replace(/\.$/, '')),
    async caa(name) {
      const records = await orNone(resolver.resolveCaa(name));
      return records.flatMap((record) =>
        Object.entries(record).flatMap(([tag, value]) =>
          tag === 'critical' ? [] : [`${tag} ${value}`],
        ),
      );
    },
    addresses: (name) => orNone(resolver.resolve4(name)),
  };
}

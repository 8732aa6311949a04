import { Resolver } from 'node:dns/promises';

/** What the DNS says about a name. */
export type NameRecords = ReturnType<typeof nameRecords>;

const missing = new Set(['ENOTFOUND', 'ENODATA']);

/**
 * Asks DNS servers, not the operating system, whose cache and hosts file may differ from what visitors see.
 * @param servers addresses, with a port if it is not 53
 */
export function nameRecords(servers: readonly string[]) {
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
    /** The name to which a CNAME leads, lower case; undefined without one. */
    async cname(name: string) {
      const [target] = await orNone(resolver.resolveCname(name));
      return target?.toLowerCase().replace(/\.$/, '');
    },
    /** The servers to which a domain is delegated, lower case; empty without any. */
    servers: async (name: string) =>
      (await orNone(resolver.resolveNs(name))).map((one) => one.toLowerCase().replace(/\.$/, '')),
    /** CAA values as `<tag> <value>`; empty without any. */
    async caa(name: string) {
      const records = await orNone(resolver.resolveCaa(name));
      return records.flatMap((record) =>
        Object.entries(record).flatMap(([tag, value]) =>
          tag === 'critical' ? [] : [`${tag} ${value}`],
        ),
      );
    },
    /** IPv4 addresses; empty if the name does not exist. */
    addresses: (name: string) => orNone(resolver.resolve4(name)),
  };
}

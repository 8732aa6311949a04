import type { Clock } from '../time/clock.ts';
import type { DnsSource } from './dns-message.ts';
import { type DnsServer, startDnsServer } from './dns-server.ts';
import { lookUp, type LookUpResult, ROOT, zoneOf, type Zones } from './lookup.ts';
import { NAME_SERVERS } from './resource-record.ts';
import { cachingResolver } from './resolver.ts';
import type { Zone, ZoneRecord } from './zone-records.ts';
import { type ZoneStore, zoneStore } from './zone-store.ts';

export interface DnsOptions {
  stateDir: string;
  clock: Pick<Clock, 'now'>;
  /** The TTL of records that name none, and of answers that there is no such name. */
  ttlSeconds: number;
}

/** The DNS of the local cloud: every zone, their servers and two public resolvers. */
export interface LocalDns {
  /** The resolvers' addresses. Without recursion desired, they answer as the servers of each zone. */
  resolvers: string[];
  zones: ZoneStore;
  /** What the servers of the zones answer now, without a cache. */
  lookUp(name: string, type: string): LookUpResult;
  /** Empties the caches of the resolvers. */
  forget(): void;
  close(): Promise<void>;
}

const RESOLVERS = 2;

function record(name: string, type: ZoneRecord['type'], value: string): ZoneRecord {
  return { name, type, value, ttlSeconds: 60 };
}

function fixedZone(records: ZoneRecord[]): Zone {
  return { negativeTtlSeconds: 60, dnssec: 'unsigned', records };
}

/** Names that AWS owns, the names of sites, and the servers of all zones. The edge is on this computer. */
const FIXED_ZONES: Zones = {
  'cloudfront.net': fixedZone([
    record('*.cloudfront.net', 'A', '127.0.0.1'),
    record('*.cloudfront.net', 'AAAA', '::1'),
  ]),
  // In every installation, all names below the sites domain lead to the edge.
  'sites.localhost': fixedZone([
    record('*.sites.localhost', 'A', '127.0.0.1'),
    record('*.sites.localhost', 'AAAA', '::1'),
  ]),
  'acm-validations.aws': fixedZone([record('*.acm-validations.aws', 'TXT', 'validated')]),
  'local-dns.test': fixedZone(NAME_SERVERS.map((name) => record(name, 'A', '127.0.0.1'))),
};

/** Starts the resolvers on free ports. */
export async function startDns({ stateDir, clock, ttlSeconds }: DnsOptions): Promise<LocalDns> {
  const zones = zoneStore(stateDir, ttlSeconds);
  const root: Zone = { negativeTtlSeconds: ttlSeconds, dnssec: 'unsigned', records: [] };
  const authoritative = (name: string, type: string) =>
    lookUp({ ...zones.zones(), ...FIXED_ZONES, [ROOT]: root }, name, type);
  const caches = Array.from({ length: RESOLVERS }, () => cachingResolver(clock, authoritative));
  const isSilent = (name: string) => {
    const all = zones.zones();
    return all[zoneOf(all, name) ?? ROOT]?.isSilent === true;
  };
  const servers: DnsServer[] = [];
  const close = async () => {
    await Promise.all(servers.splice(0).map(async (server) => server.close()));
  };
  try {
    for (const { resolve } of caches) {
      const source: DnsSource = { resolve, authoritative, isSilent };
      servers.push(await startDnsServer(source));
    }
  } catch (error) {
    await close();
    throw error;
  }
  const resolvers = servers.map(({ address }) => address);
  return {
    resolvers,
    zones,
    lookUp: authoritative,
    forget() {
      for (const cache of caches) cache.forget();
    },
    close,
  };
}

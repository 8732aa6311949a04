import { createSocket } from 'node:dgram';
import type { Clock } from '../time/clock.ts';
import { answerMessage, type DnsSource } from './dns-message.ts';
import { lookUp, type LookUpResult, ROOT, zoneOf, type Zones } from './lookup.ts';
import { NAME_SERVERS } from './resource-record.ts';
import type { Zone, ZoneRecord } from './zone-records.ts';
import { zoneStore } from './zone-store.ts';

export interface DnsOptions {
  stateDir: string;
  clock: Pick<Clock, 'now'>;
  /** The TTL of records that name none, and of answers that there is no such name. */
  ttlSeconds: number;
}

/** The DNS of the local cloud: every zone, their servers and two public resolvers. */
export type LocalDns = Awaited<ReturnType<typeof startDns>>;

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
export async function startDns({ stateDir, clock, ttlSeconds }: DnsOptions) {
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
    /** The resolvers' addresses. Without recursion desired, they answer as the servers of each zone. */
    resolvers,
    zones,
    /** What the servers of the zones answer now, without a cache. */
    lookUp: authoritative,
    /** Empties the caches of the resolvers. */
    forget() {
      for (const cache of caches) cache.forget();
    },
    close,
  };
}

/** A public resolver: it remembers an answer, and that there is none, for as long as the zone allows. */
interface Resolver {
  resolve: (name: string, type: string) => LookUpResult;
  forget(): void;
}

/** Real resolvers keep nothing longer than this (RFC 8767, section 4). */
const MAX_TTL_SECONDS = 604_800;

const MAX_ENTRIES = 10_000;

interface CachedAnswer {
  result: LookUpResult;
  storedAt: number;
  expiresAt: number;
}

/** A resolver with a cache of its own, so that two of them may disagree. */
function cachingResolver(
  clock: Pick<Clock, 'now'>,
  lookUp: (name: string, type: string) => LookUpResult,
): Resolver {
  const cache = new Map<string, CachedAnswer>();
  return {
    resolve(name, type) {
      const key = `${name} ${type}`;
      const now = clock.now().getTime();
      const cached = cache.get(key);
      if (cached !== undefined && now < cached.expiresAt) {
        return aged(cached.result, Math.floor((now - cached.storedAt) / 1000));
      }
      const result = lookUp(name, type);
      cache.delete(key);
      if (cache.size >= MAX_ENTRIES) cache.clear();
      // A failed validation is not cached.
      if (result.dnssec !== 'broken') {
        cache.set(key, { result, storedAt: now, expiresAt: now + ttlSeconds(result) * 1000 });
      }
      return result;
    },
    forget: () => cache.clear(),
  };
}

function ttlSeconds({ answers, authorities }: LookUpResult): number {
  return Math.min(MAX_TTL_SECONDS, ...[...answers, ...authorities].map(({ ttl }) => ttl));
}

function aged(result: LookUpResult, seconds: number): LookUpResult {
  const age = <T extends { ttl: number }>(record: T): T => ({
    ...record,
    ttl: Math.max(0, record.ttl - seconds),
  });
  return {
    ...result,
    answers: result.answers.map(age),
    authorities: result.authorities.map(age),
  };
}

/** A DNS server. Answers that would need TCP are marked as truncated, and are no longer than EDNS allows here. */
interface DnsServer {
  /** `127.0.0.1:<port>` */
  address: string;
  close(): Promise<void>;
}

const HOST = '127.0.0.1';

/** Listens on a free UDP port of 127.0.0.1. */
async function startDnsServer(source: DnsSource): Promise<DnsServer> {
  const socket = createSocket('udp4');
  socket.on('message', (bytes, { port, address }) => {
    const answer = answerMessage(source, bytes);
    if (answer !== undefined) socket.send(answer, port, address);
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.bind(0, HOST, resolve);
  });
  // A client that has gone away is no failure of the server.
  socket.removeAllListeners('error').on('error', () => undefined);
  const close = () => new Promise<void>((resolve) => void socket.close(() => resolve()));
  return { address: `${HOST}:${socket.address().port}`, close };
}

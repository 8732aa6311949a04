import { NAME_SERVERS, type ResourceRecord, resourceRecord, soaRecord } from './resource-record.ts';
import type { Dnssec, Zone, ZoneRecord } from './zone-records.ts';

/** What the servers of all zones know about a name, before any cache. */
export interface LookUpResult {
  rcode: 'NOERROR' | 'NXDOMAIN';
  answers: ResourceRecord[];
  /** The SOA of the zone that has no answer. */
  authorities: ResourceRecord[];
  /** Whether the zones on the way are signed; one broken zone breaks the answer. */
  dnssec: Dnssec;
}

export type Zones = Readonly<Record<string, Zone>>;

const MAX_ALIASES = 8;

/** Finds the records of a name and a type, and follows CNAMEs as resolvers do. */
export function lookUp(zones: Zones, name: string, type: string): LookUpResult {
  const answers: ResourceRecord[] = [];
  let current = name;
  let dnssec: Dnssec | undefined;
  for (let aliases = 0; aliases <= MAX_ALIASES; aliases++) {
    const step = lookUpOnce(zones, current, type);
    dnssec = worst(dnssec, step.dnssec);
    answers.push(...step.answers);
    const alias = step.answers.find((answer) => answer.type === 'CNAME');
    if (alias === undefined || type === 'CNAME' || alias.type !== 'CNAME') {
      return { ...step, answers, dnssec };
    }
    current = alias.data;
  }
  return { rcode: 'NOERROR', answers, authorities: [], dnssec: dnssec ?? 'unsigned' };
}

function worst(one: Dnssec | undefined, other: Dnssec): Dnssec {
  if (one === undefined || other === 'broken') return other;
  return one === 'signed' && other === 'unsigned' ? other : one;
}

/** The innermost zone that a name lies in. */
export function zoneOf(zones: Zones, name: string): string | undefined {
  const parents = Object.keys(zones).filter((zone) => name === zone || name.endsWith(`.${zone}`));
  return parents.toSorted((a, b) => b.length - a.length)[0];
}

/** The zone above all others, which answers for a domain that nobody has. */
export const ROOT = '';
const EMPTY: Zone = { negativeTtlSeconds: 60, dnssec: 'unsigned', records: [] };

function lookUpOnce(zones: Zones, name: string, type: string): LookUpResult {
  const apex = zoneOf(zones, name);
  const zone = zones[apex ?? ROOT] ?? EMPTY;
  if (apex === undefined) {
    return negative('NXDOMAIN', name.slice(name.lastIndexOf('.') + 1), zone);
  }
  const records = recordsAt(zone, apex, name);
  if (records === undefined) return negative('NXDOMAIN', apex, zone);
  const wanted = [
    ...zoneRecords(zone, apex, name),
    ...records.map((one) => resourceRecord(one, name)),
  ];
  const answers = wanted.filter((one) => one.type === type || one.type === 'CNAME');
  if (answers.length === 0) return negative('NOERROR', apex, zone);
  return { rcode: 'NOERROR', answers, authorities: [], dnssec: zone.dnssec };
}

function negative(rcode: LookUpResult['rcode'], apex: string, zone: Zone): LookUpResult {
  const authorities = [soaRecord(apex, zone.negativeTtlSeconds)];
  return { rcode, answers: [], authorities, dnssec: zone.dnssec };
}

/** SOA and NS of the zone itself; NS records that its owner set replace ours. */
function zoneRecords(zone: Zone, apex: string, name: string): ResourceRecord[] {
  if (name !== apex) return [];
  const hasOwn = zone.records.some((one) => one.type === 'NS' && one.name === apex);
  const servers = NAME_SERVERS.map(
    (data): ResourceRecord => ({ type: 'NS', name, ttl: zone.negativeTtlSeconds, data }),
  );
  return [soaRecord(apex, zone.negativeTtlSeconds), ...(hasOwn ? [] : servers)];
}

/**
 * The records of a name, or those of the wildcard that stands for it; undefined if the name does not exist.
 * A name that only has names below it exists and has no records, and hides the wildcard (RFC 4592).
 */
function recordsAt(zone: Zone, apex: string, name: string): ZoneRecord[] | undefined {
  const own = zone.records.filter((record) => record.name === name);
  if (own.length > 0 || exists(zone, apex, name)) return own;
  let encloser = name;
  while (!exists(zone, apex, encloser)) encloser = encloser.slice(encloser.indexOf('.') + 1);
  const wildcard = zone.records.filter((record) => record.name === `*.${encloser}`);
  return wildcard.length > 0 ? wildcard : undefined;
}

function exists(zone: Zone, apex: string, name: string): boolean {
  return name === apex || zone.records.some((one) => `.${one.name}`.endsWith(`.${name}`));
}

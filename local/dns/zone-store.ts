import { join } from 'node:path';
import * as z from 'zod';
import { stateFile } from '../state/state-file.ts';
import { zoneOf } from './lookup.ts';
import { DnsName, recordProblem, Zone, type ZoneRecord } from './zone-records.ts';

/** The file in the state folder that stores the zones. */
export const ZONES_FILE = 'dns.json';

/** A record to add; without a zone, that of its name, which is created if there is none. */
export interface NewRecord extends Omit<ZoneRecord, 'ttlSeconds'> {
  zone?: string | undefined;
  ttlSeconds?: number | undefined;
}

/** Selects records; a type or a value that is left out is any. */
export interface RecordFilter {
  name: string;
  type?: string | undefined;
  value?: string | undefined;
}

const Stored = z.record(DnsName, Zone);

/** The zones are kept in the state folder; `ttlSeconds` is what records and zones get that name none. */
export function zoneStore(stateDir: string, ttlSeconds: number) {
  const file = stateFile(join(stateDir, ZONES_FILE), Stored, {});
  let zones = file.read();
  const write = (next: Record<string, Zone>) => {
    zones = next;
    file.write(next);
  };
  const zoneNamed = (name: string): Zone =>
    zones[name] ?? { negativeTtlSeconds: ttlSeconds, dnssec: 'unsigned', records: [] };
  return {
    zones: () => zones,
    /** Why the provider refuses the record; undefined if it was added. */
    add({ zone, ...record }: NewRecord) {
      const apex = zone ?? zoneOf(zones, record.name) ?? registrableName(record.name);
      if (record.name !== apex && !record.name.endsWith(`.${apex}`)) {
        return `${record.name} is not in the zone ${apex}.`;
      }
      const current = zoneNamed(apex);
      const added = { ...record, ttlSeconds: record.ttlSeconds ?? ttlSeconds };
      const others = current.records.filter((one) => !isSame(one, added));
      const problem = recordProblem(added, others);
      if (problem !== undefined) return problem;
      write({ ...zones, [apex]: { ...current, records: [...others, added] } });
      return undefined;
    },
    /** How many records were removed. */
    remove({ name, type, value }: RecordFilter) {
      const apex = zoneOf(zones, name);
      if (apex === undefined) return 0;
      const current = zoneNamed(apex);
      const kept = current.records.filter(
        (one) =>
          one.name !== name ||
          (type !== undefined && one.type !== type) ||
          (value !== undefined && one.value !== value),
      );
      write({ ...zones, [apex]: { ...current, records: kept } });
      return current.records.length - kept.length;
    },
    configure(zone: string, change: Partial<Omit<Zone, 'records'>>) {
      write({ ...zones, [zone]: { ...zoneNamed(zone), ...change } });
    },
    removeZone(zone: string) {
      const { [zone]: removed, ...others } = zones;
      write(others);
      return removed !== undefined;
    },
  };
}

function isSame(one: ZoneRecord, other: ZoneRecord): boolean {
  return one.name === other.name && one.type === other.type && one.value === other.value;
}

/** The name that a customer would have bought: two labels, or three below a suffix like `co.uk`. */
function registrableName(name: string): string {
  const labels = name.split('.');
  const [second = '', top = ''] = labels.slice(-2);
  const isPublicSuffix = top.length === 2 && second.length <= 3;
  return labels.slice(isPublicSuffix ? -3 : -2).join('.');
}

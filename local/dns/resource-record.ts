import { Buffer } from 'node:buffer';
import type {
  CaaAnswer,
  CaaData,
  MxAnswer,
  SoaAnswer,
  SoaData,
  StringAnswer,
  TxtAnswer,
} from 'dns-packet';
import { CAA_VALUE, normalizedName, type ZoneRecord } from './zone-records.ts';

/** One record of an answer. */
export type ResourceRecord = (StringAnswer | CaaAnswer | MxAnswer | SoaAnswer | TxtAnswer) & {
  ttl: number;
};

/** A TXT record holds strings of at most 255 bytes; readers join them. */
function textChunks(text: string): Buffer[] {
  const bytes = Buffer.from(text, 'utf8');
  const count = Math.max(1, Math.ceil(bytes.length / 255));
  return Array.from({ length: count }, (_, index) =>
    bytes.subarray(index * 255, index * 255 + 255),
  );
}

/** A zone's record as it is sent, for the name that was asked for. */
export function resourceRecord(record: ZoneRecord, name: string): ResourceRecord {
  const { type, value, ttlSeconds: ttl } = record;
  switch (type) {
    case 'A':
    case 'AAAA':
      return { type, name, ttl, data: value };
    case 'CNAME':
    case 'NS':
      return { type, name, ttl, data: normalizedName(value) };
    case 'TXT':
      return { type, name, ttl, data: textChunks(value) };
    case 'MX': {
      const [preference = '0', exchange = ''] = value.split(' ');
      const data = { preference: Number(preference), exchange: normalizedName(exchange) };
      return { type, name, ttl, data };
    }
    case 'CAA':
      return { type, name, ttl, data: caaData(value) };
    default:
      return type satisfies never;
  }
}

function caaData(value: string): CaaData {
  const [, flags = '0', tag, text = ''] = CAA_VALUE.exec(value) ?? [];
  return {
    flags: Number(flags),
    issuerCritical: Number(flags) >= 128,
    tag: tag === 'issuewild' || tag === 'iodef' ? tag : 'issue',
    value: text,
  };
}

/** The SOA record of a zone. Its TTL in a negative answer is the lesser of both (RFC 2308, section 3). */
export function soaRecord(zone: string, negativeTtlSeconds: number): ResourceRecord {
  const data: SoaData = {
    mname: NAME_SERVERS[0],
    rname: `hostmaster.${zone}`,
    serial: 1,
    refresh: 7200,
    retry: 900,
    expire: 1_209_600,
    minimum: negativeTtlSeconds,
  };
  return { type: 'SOA', name: zone, ttl: negativeTtlSeconds, data };
}

/** The servers of every zone. Both names lead to this computer. */
export const NAME_SERVERS = ['ns1.local-dns.test', 'ns2.local-dns.test'] as const;

import { isNamed } from './account-state.ts';
import type { OperatorReach } from './operator-client.ts';
import { signedReads } from './signed-reads.ts';

/** A hosted zone of Route 53. Names are in lower case and have no dot at the end. */
export interface ZoneState {
  name: string;
  isPrivate: boolean;
  /** The servers to which the domain must be delegated. */
  servers: string[];
}

/** The records of a zone, as far as Route 53 lists them in one answer (300). */
export interface ZoneRecords {
  records: { name: string; type: string }[];
  isWhole: boolean;
}

/** Hosted zones of Route 53. Only reads. */
export interface ZoneReader {
  /** Undefined for a zone that does not exist in this account. */
  zone(id: string): Promise<ZoneState | undefined>;
  records(id: string): Promise<ZoneRecords>;
}

export function zoneReader(reach: OperatorReach): ZoneReader {
  const read = signedReads(reach);
  const get = async (path: string) => read('route53', { method: 'GET', path });
  return {
    async zone(id) {
      try {
        const xml = await get(`/2013-04-01/hostedzone/${id}`);
        return {
          name: plainName(textsOf(xml, 'Name')[0] ?? ''),
          isPrivate: textsOf(xml, 'PrivateZone')[0] === 'true',
          servers: textsOf(xml, 'NameServer').map(plainName),
        };
      } catch (error) {
        if (isNamed(error, 'NoSuchHostedZone')) return undefined;
        throw error;
      }
    },
    async records(id) {
      const xml = await get(`/2013-04-01/hostedzone/${id}/rrset`);
      return {
        records: textsOf(xml, 'ResourceRecordSet').map((record) => ({
          name: plainName(textsOf(record, 'Name')[0] ?? ''),
          type: textsOf(record, 'Type')[0] ?? '',
        })),
        isWhole: textsOf(xml, 'IsTruncated')[0] !== 'true',
      };
    },
  };
}

function textsOf(xml: string, element: string): string[] {
  const pattern = new RegExp(`<${element}>([^]*?)</${element}>`, 'g');
  return [...xml.matchAll(pattern)].map(([, text = '']) => text);
}

/** Route 53 writes an asterisk as `\\052` ("DNS domain name format"). */
function plainName(name: string): string {
  return name.toLowerCase().replaceAll('\\052', '*').replace(/\.$/, '');
}

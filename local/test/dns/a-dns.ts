import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { afterEach } from '@jest/globals';
import { decode, encode, RECURSION_DESIRED } from 'dns-packet';
import { startDns } from '../../dns/dns.ts';
import { movableClock } from '../../time/clock.ts';
import { temporaryFolder } from '../temporary-folder.ts';

export const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** A running DNS, with records in zone-file order: name, type, value, TTL. */
export async function aDns(...records: [string, 'A' | 'TXT' | 'CNAME' | 'CAA', string, number?][]) {
  const clock = movableClock();
  const stateDir = temporaryFolder('dns');
  const dns = await startDns({ stateDir, clock, ttlSeconds: 60 });
  ends.push(() => dns.close());
  for (const [name, type, value, ttlSeconds] of records) {
    const problem = dns.zones.add({ name, type, value, ttlSeconds });
    if (problem !== undefined) throw new Error(problem);
  }
  return { dns, clock, stateDir };
}

export interface Query {
  name: string;
  type: string;
  flags?: number;
  udpPayloadSize?: number;
}

function message({ name, type, flags = RECURSION_DESIRED, udpPayloadSize }: Query): Buffer {
  return encode({
    type: 'query',
    id: 7,
    flags,
    questions: [{ name, type: type as 'A' }],
    additionals:
      udpPayloadSize === undefined
        ? []
        : [
            {
              type: 'OPT',
              name: '.',
              udpPayloadSize,
              extendedRcode: 0,
              ednsVersion: 0,
              flags: 0,
              flag_do: false,
              options: [],
            },
          ],
  });
}

function portOf(address: string): number {
  return Number(address.split(':')[1]);
}

/** What a client reads: `@types/dns-packet` does not know the fields of a decoded message. */
export type Decoded = ReturnType<typeof decode> & {
  rcode: string;
  flag_aa: boolean;
  flag_tc: boolean;
  flag_ad: boolean;
};

export async function askUdp(address: string, query: Query): Promise<Decoded> {
  const socket = createSocket('udp4');
  socket.send(message(query), portOf(address), '127.0.0.1');
  const [bytes] = await once(socket, 'message');
  socket.close();
  return decode(bytes) as Decoded;
}

import { lookup as resolve, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { ClientDocuments } from '../../core/oauth/ports.ts';
import { type Connections, connections } from './http-exchange.ts';
import { isPublicAddress } from './public-address.ts';

const maxBytes = 5 * 1024;
const patience = { connectMs: 5000, silenceMs: 5000, totalMs: 10_000 };

/** Every address of a host, as `dns.lookup` tells them. */
export type Resolve = (
  host: string,
  told: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * Reads Client ID Metadata Documents over HTTPS: at most 5 kB, ten seconds in all, no redirects.
 *
 * Whoever names a document chooses the host that this service calls. So the very lookup that a
 * connection uses refuses a host with an address inside a network: checking before and connecting
 * after would ask the name server twice, which may answer otherwise the second time.
 */
export function clientDocuments(over: Connections = publicConnections()): ClientDocuments {
  return {
    async fetch(url) {
      const headers = { accept: 'application/json', 'accept-encoding': 'identity' };
      const request = { url, method: 'GET', headers, body: '', maxBytes };
      const answer = await over.exchange(request, patience).catch(withoutNetwork);
      if (answer.status !== 200) throw new Error(`its host answered ${answer.status}`);
      if (!isJson(answer.headers['content-type'])) throw new Error('it is not application/json');
      return answer.body.toString('utf8');
    },
  };
}

/** What the system says of a connection is nobody's business who names a host; our own words are. */
function withoutNetwork(error: unknown): never {
  const isSystems = typeof error === 'object' && error !== null && 'code' in error;
  throw isSystems ? new Error('its host could not be reached', { cause: error }) : error;
}

/** Connections to public addresses only. */
function publicConnections(): Connections {
  return connections({ lookup: publicLookup((host, told) => resolve(host, { all: true }, told)) });
}

/** A lookup for connections that fails where any address of the host is not public. */
export function publicLookup(resolveAll: Resolve): LookupFunction {
  return (host, options, told) => {
    resolveAll(host, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error !== null || first === undefined) {
        told(error ?? new Error('its host has no address'), '');
      } else if (!addresses.every(({ address }) => isPublicAddress(address))) {
        told(new Error('its host is not on the public internet'), '');
      } else if (options.all === true) {
        told(null, addresses);
      } else {
        told(null, first.address, first.family);
      }
    });
  };
}

function isJson(contentType: string | undefined): boolean {
  const [type = ''] = (contentType ?? '').split(';');
  return /^application\/(?:[\w.-]+\+)?json$/i.test(type.trim());
}

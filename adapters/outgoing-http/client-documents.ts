import { lookup as resolve, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { ClientDocuments } from '../../core/oauth/ports.ts';
import { type Connections, connections } from './http-exchange.ts';
import { isPublicAddress } from './public-address.ts';

const maxBytes = 5 * 1024;
const timeouts = { connectMs: 5000, silenceMs: 5000, totalMs: 10_000 };

/** All addresses of a host, in the form of `dns.lookup`. */
export type Resolve = (
  host: string,
  callback: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * Reads Client ID Metadata Documents over HTTPS: at most 5 kB, at most ten seconds, no redirects.
 *
 * A client chooses the host that this service calls, which must not be an internal one. So the
 * connection's own DNS lookup refuses internal addresses. A separate check before the connection
 * would need a second lookup, which could return another address (DNS rebinding).
 */
export function clientDocuments(over: Connections = publicConnections()): ClientDocuments {
  return {
    async fetch(url) {
      const headers = { accept: 'application/json', 'accept-encoding': 'identity' };
      const request = { url, method: 'GET', headers, body: '', maxBytes };
      const answer = await over.exchange(request, timeouts).catch(withoutSystemError);
      if (answer.status !== 200) throw new Error(`its host answered ${answer.status}`);
      if (!isJson(answer.headers['content-type'])) throw new Error('it is not application/json');
      return answer.body.toString('utf8');
    },
  };
}

/**
 * Hides network errors, which would tell a client about hosts that it cannot reach itself. Our own
 * errors pass.
 */
function withoutSystemError(error: unknown): never {
  const isSystems = typeof error === 'object' && error !== null && 'code' in error;
  throw isSystems ? new Error('its host could not be reached', { cause: error }) : error;
}

/** Connections to public addresses only. */
export function publicConnections(): Connections {
  return connections({
    lookup: publicLookup((host, callback) => resolve(host, { all: true }, callback)),
  });
}

/** A DNS lookup that fails if any address of the host is not public. */
export function publicLookup(resolveAll: Resolve): LookupFunction {
  return (host, options, callback) => {
    resolveAll(host, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error !== null) {
        callback(error, '');
      } else if (
        first === undefined ||
        !addresses.every(({ address }) => isPublicAddress(address))
      ) {
        callback(new Error('its host has no public address'), '');
      } else if (options.all === true) {
        callback(null, addresses);
      } else {
        callback(null, first.address, first.family);
      }
    });
  };
}

function isJson(contentType: string | undefined): boolean {
  const [type = ''] = (contentType ?? '').split(';');
  return /^application\/(?:[\w.-]+\+)?json$/i.test(type.trim());
}

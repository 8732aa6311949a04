import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey } from 'jose';
import { CodedError } from '../../core/errors.ts';
import type { KeySets } from '../../core/oauth/id-tokens/ports.ts';
import { publicConnections } from './client-documents.ts';
import { type Connections, connections } from './http-exchange.ts';

/** The sets of GitHub and GitLab have some 10 kB. */
const maxBytes = 64 * 1024;
const timeouts = { connectMs: 3000, silenceMs: 3000, totalMs: 5000 };
/** How long a key may still be trusted that its issuer has removed. */
const keptMs = 600_000;
/** Tokens with invented keys make a set be read again no more often. */
const againMs = 60_000;

/**
 * Reads the key sets of CI services (RFC 7517 §5) and keeps them. Connects over HTTPS to public addresses
 * only, without redirects; the settings allow http for the own computer of a laptop alone.
 */
export function keySets(
  over: Connections = publicConnections(),
  ofLaptop: Connections = connections(),
): KeySets {
  const kept = new Map<string, JWTVerifyGetKey>();
  return {
    of(url) {
      const known = kept.get(url.href) ?? keySet(url.protocol === 'https:' ? over : ofLaptop, url);
      kept.set(url.href, known);
      return known;
    },
  };
}

function keySet(over: Connections, url: URL): JWTVerifyGetKey {
  const find = createRemoteJWKSet(url, {
    cacheMaxAge: keptMs,
    cooldownDuration: againMs,
    timeoutDuration: timeouts.totalMs,
    async [customFetch]() {
      const headers = { accept: 'application/json', 'accept-encoding': 'identity' };
      const request = { url, method: 'GET', headers, body: '', maxBytes };
      const { status, body } = await over.exchange(request, timeouts);
      return new Response(new Uint8Array(body), { status });
    },
  });
  return async (header, token) => {
    try {
      return await find(header, token);
    } catch (error) {
      if (error instanceof errors.JWKSNoMatchingKey) throw error;
      throw new CodedError(
        'UNAVAILABLE',
        { error: `The keys of ${url.host} cannot be read now.` },
        { cause: error },
      );
    }
  };
}

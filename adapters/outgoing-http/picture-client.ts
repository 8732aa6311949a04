import { isLoopback } from '../../contract/oauth/loopback.ts';
import type {
  FetchedPicture,
  RemotePictures,
} from '../../core/projects/publishing/take-pictures.ts';
import { isAllowedAddress } from '../../core/webhooks/webhook-address.ts';
import { publicConnections } from './client-documents.ts';
import { type Connections, connections, type HttpResponse } from './http-exchange.ts';
import { reasonOf } from './reason-of.ts';

const maxRedirects = 5;
const longestAddress = 2000;
const headers = {
  accept: 'image/avif,image/webp,image/png,image/jpeg,image/gif,image/svg+xml',
  'accept-encoding': 'identity',
  'user-agent': 'Slipway-Pictures/1',
};

/** Which connections are used, and whether a picture of the own computer may be fetched, as on a laptop. */
interface Reach {
  allowsLoopback: boolean;
  over?: () => Connections;
  ofLaptop?: () => Connections;
}

/**
 * Fetches pictures from addresses that strangers chose: over https, from public addresses alone, also after each
 * redirect. Where a text says http, https is tried, as browsers do.
 */
export function remotePictures({
  allowsLoopback,
  over = publicConnections,
  ofLaptop = connections,
}: Reach): RemotePictures {
  return {
    async get(address, { maxBytes, totalMs }) {
      if (address.length > longestAddress) return { reason: 'its address is too long' };
      const endsAt = performance.now() + totalMs;
      // A site of others does not lead to the own computer.
      const mayBeOwn = allowsLoopback && isLoopback(new URL(address).host);
      let url = secured(new URL(address), mayBeOwn);
      for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
        if (!isAllowedAddress(url, mayBeOwn)) return { reason: notPublic };
        const own = url.protocol === 'https:' ? over() : ofLaptop();
        const answer = await once(own, url, { maxBytes, leftMs: endsAt - performance.now() });
        if (!('next' in answer)) return answer;
        if (!URL.canParse(answer.next, url.href))
          return { reason: 'it leads to an address that is none' };
        url = secured(new URL(answer.next, url), mayBeOwn);
      }
      return { reason: `it leads on more than ${maxRedirects} times` };
    },
  };
}

const notPublic =
  'its address is not one of the public internet, over https and without a password';
const timedOut = 'there was no whole answer in time';

function secured(url: URL, mayBeOwn: boolean): URL {
  if (url.protocol === 'http:' && !(mayBeOwn && isLoopback(url.host))) url.protocol = 'https:';
  return url;
}

/** One request, whose connection is closed after it: a host of a stranger must not hold one of this process. */
async function once(
  own: Connections,
  url: URL,
  { maxBytes, leftMs }: { maxBytes: number; leftMs: number },
): Promise<FetchedPicture | { next: string }> {
  if (leftMs <= 0) return { reason: timedOut };
  const limits = { connectMs: Math.min(5000, leftMs), silenceMs: leftMs, totalMs: leftMs };
  try {
    const request = { url, method: 'GET', headers, body: '', maxBytes };
    return read(await own.exchange(request, limits));
  } catch (error) {
    return { reason: reasonOf(error, timedOut) };
  } finally {
    own.close();
  }
}

function read({ status, headers: { location }, body }: HttpResponse) {
  if (status === 200) return { bytes: new Uint8Array(body) };
  const isRedirect = [301, 302, 303, 307, 308].includes(status) && location !== undefined;
  return isRedirect ? { next: location } : { reason: `its site answered ${status}` };
}

import type { HttpRequest, HttpResponse } from '../http/http.ts';

/** One `name=value` of a query string or Cookie header, still encoded as sent. */
export interface Pair {
  name: string;
  value: string;
  /** The text between the separators, so that forwarding preserves every byte. */
  raw: string;
}

/** The parameters of a query string in the order in which they were sent. */
export function queryPairs(query: string): Pair[] {
  return pairs(query.split('&'));
}

/** The cookies of a Cookie header in the order in which they were sent. */
export function cookiePairs(header: string | undefined): Pair[] {
  return pairs((header ?? '').split(';').map((part) => part.replace(/^[ \t]+|[ \t]+$/g, '')));
}

function pairs(parts: string[]): Pair[] {
  return parts
    .filter((raw) => raw !== '')
    .map((raw) => {
      const at = raw.indexOf('=');
      return at < 0
        ? { name: raw, value: '', raw }
        : { name: raw.slice(0, at), value: raw.slice(at + 1), raw };
    });
}

/** The Host header's name in lower case, without port and without a trailing dot. */
export function hostName(request: HttpRequest): string {
  const host = (request.headers['host'] ?? '').toLowerCase().replace(/:\d*$/, '');
  return host.replace(/\.$/, '');
}

/** Path and query as one string, as invalidations match it. */
export function pathWithQuery(path: string, query: string): string {
  return query === '' ? path : `${path}?${query}`;
}

/** A response header as one value; several values are joined as RFC 9110 section 5.3 allows. */
export function headerOf(
  headers: Record<string, string | string[]>,
  name: string,
): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

const REASONS: Readonly<Record<number, string>> = {
  403: 'The request could not be satisfied.',
  413: 'The request is too large.',
  414: 'The address is too long.',
  502: 'The request could not be satisfied.',
  503: 'The request could not be satisfied.',
};

/** An error page of the edge itself; it repeats nothing of the request. */
export function edgeError(status: number, cache = 'Error from cloudfront'): HttpResponse {
  const reason = REASONS[status] ?? 'The request could not be satisfied.';
  const body = `<!DOCTYPE html><html lang="en"><title>${status}</title><h1>${status} ERROR</h1><p>${reason}</p></html>\n`;
  return {
    status,
    headers: { 'content-type': 'text/html', server: 'CloudFront', 'x-cache': cache },
    body: Buffer.from(body),
  };
}

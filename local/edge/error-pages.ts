import type { HttpResponse } from '../http/http.ts';

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

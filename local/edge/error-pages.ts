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

/** CloudFront's XML error for a URL without a valid signature. */
export function signatureError(refusal: 'missing-key' | 'unknown-key' | 'denied'): HttpResponse {
  const [code, message] = {
    'missing-key': ['MissingKey', 'Missing Key-Pair-Id query parameter or cookie value'],
    'unknown-key': ['InvalidKey', 'Unknown Key'],
    denied: ['AccessDenied', 'Access denied'],
  }[refusal];
  const body = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`;
  return {
    status: 403,
    headers: {
      'content-type': 'text/xml',
      server: 'CloudFront',
      'x-cache': 'Error from cloudfront',
    },
    body: Buffer.from(body),
  };
}

import type { HttpRequest } from '../http/http.ts';
import { pathWithQuery } from './request-parts.ts';

const MAX_URL_BYTES = 8192;
/** Request line and headers together ("Quotas", general). */
const MAX_REQUEST_BYTES = 20_480;

/** The status with which CloudFront refuses a request that it would not even look at; undefined lets it pass. */
export function limitStatus(request: HttpRequest): 403 | 413 | 414 | undefined {
  const target = pathWithQuery(request.path, request.query);
  const url = `http://${request.headers['host'] ?? ''}${target}`;
  if (Buffer.byteLength(url) > MAX_URL_BYTES) return 414;
  const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const bytes = Buffer.byteLength(`${request.method} ${target} HTTP/1.1\r\n${headers.join('')}`);
  if (bytes > MAX_REQUEST_BYTES) return 413;
  return request.method === 'GET' && request.body.byteLength > 0 ? 403 : undefined;
}

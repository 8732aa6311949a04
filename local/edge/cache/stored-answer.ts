import type { HttpRequest, HttpResponse } from '../../http/http.ts';
import type { Entry } from './cache-store.ts';
import { isNotModified } from './conditional.ts';
import { wholeSeconds } from './freshness.ts';
import { rangeOf } from './range.ts';
import { headerOf } from '../request-parts.ts';

/** Not updated by a 304: they describe the body that is kept (RFC 9111 section 3.2). */
const OF_THE_BODY = new Set([
  'content-encoding',
  'content-length',
  'content-range',
  'content-type',
  'transfer-encoding',
]);

/** What a viewer gets from a kept answer: the whole, a part, 304 or 416; HEAD gets no body. */
export function storedAnswer(entry: Entry, request: HttpRequest, now: Date): HttpResponse {
  const headers = { ...entry.headers, age: String(ageSeconds(entry, now)) };
  if (entry.status !== 200) return wholeAnswer(entry, headers, request);
  if (isNotModified(request.headers, entry.headers)) {
    const kept = Object.entries(headers).filter(([name]) => !OF_THE_BODY.has(name));
    return { status: 304, headers: Object.fromEntries(kept), body: Buffer.alloc(0) };
  }
  const size = entry.body.byteLength;
  const range =
    request.method === 'GET' ? rangeOf(request.headers, entry.headers, size) : undefined;
  if (range?.kind === 'unsatisfiable') {
    return {
      status: 416,
      headers: { 'content-range': `bytes */${size}`, 'content-type': 'text/html' },
      body: Buffer.alloc(0),
    };
  }
  if (range?.kind !== 'part') return wholeAnswer(entry, headers, request);
  return {
    status: 206,
    headers: { ...headers, 'content-range': `bytes ${range.start}-${range.end}/${size}` },
    body: entry.body.subarray(range.start, range.end + 1),
  };
}

/** The kept headers as a 304 of the origin renews them. */
export function renewedHeaders(
  entry: Entry,
  response: Pick<HttpResponse, 'headers'>,
): Entry['headers'] {
  const { age: _age, ...kept } = entry.headers;
  const news = Object.entries(response.headers).filter(([name]) => !OF_THE_BODY.has(name));
  return { ...kept, ...Object.fromEntries(news) };
}

function wholeAnswer(
  entry: Entry,
  headers: HttpResponse['headers'],
  request: HttpRequest,
): HttpResponse {
  return {
    status: entry.status,
    headers: { ...headers, 'content-length': String(entry.body.byteLength) },
    body: request.method === 'HEAD' ? Buffer.alloc(0) : entry.body,
  };
}

function ageSeconds(entry: Entry, now: Date): number {
  const arrived = wholeSeconds(headerOf(entry.headers, 'age')) ?? 0;
  return arrived + Math.max(0, Math.floor((now.getTime() - entry.storedAt) / 1000));
}

import type { HttpRequest, HttpResponse } from '../../http/http.ts';
import type { Entry } from './cache-store.ts';
import { wholeSeconds } from './freshness.ts';
import { headerOf } from '../request-parts.ts';

/** Not updated by a 304: they describe the stored body (RFC 9111 section 3.2). */
const BODY_HEADERS = new Set([
  'content-encoding',
  'content-length',
  'content-range',
  'content-type',
  'transfer-encoding',
]);

/** The response to a viewer from a stored answer: 200, 206, 304 or 416; no body for HEAD. */
export function storedAnswer(entry: Entry, request: HttpRequest, now: Date): HttpResponse {
  const headers = { ...entry.headers, age: String(ageSeconds(entry, now)) };
  if (entry.status !== 200) return wholeAnswer(entry, headers, request);
  if (isNotModified(request.headers, entry.headers)) {
    const kept = Object.entries(headers).filter(([name]) => !BODY_HEADERS.has(name));
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

/** The stored headers, updated by a 304 of the origin. */
export function renewedHeaders(
  entry: Entry,
  response: Pick<HttpResponse, 'headers'>,
): Entry['headers'] {
  const { age: _age, ...kept } = entry.headers;
  const updates = Object.entries(response.headers).filter(([name]) => !BODY_HEADERS.has(name));
  return { ...kept, ...Object.fromEntries(updates) };
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

/**
 * Whether the viewer already has the cached version (RFC 9110 sections 13.1.2 and 13.1.3).
 *
 * `If-None-Match` is compared weakly and overrides `If-Modified-Since`.
 */
export function isNotModified(
  request: Record<string, string>,
  stored: Record<string, string | string[]>,
): boolean {
  const wanted = request['if-none-match'];
  const etag = headerOf(stored, 'etag');
  if (wanted !== undefined) {
    if (wanted.trim() === '*') return true;
    return (
      etag !== undefined && wanted.split(',').some((tag) => opaqueTag(tag) === opaqueTag(etag))
    );
  }
  const since = Date.parse(request['if-modified-since'] ?? '');
  const modified = Date.parse(headerOf(stored, 'last-modified') ?? '');
  return modified <= since;
}

/** The conditional headers to revalidate a stored answer; empty if it has no validator. */
export function validators(stored: Record<string, string | string[]>): Record<string, string> {
  const etag = headerOf(stored, 'etag');
  const modified = headerOf(stored, 'last-modified');
  return {
    ...(etag === undefined ? {} : { 'if-none-match': etag }),
    ...(modified === undefined ? {} : { 'if-modified-since': modified }),
  };
}

function opaqueTag(etag: string): string {
  return etag.trim().replace(/^W\//, '');
}

/** The part of a stored body that a Range header selects. */
export type RangeOutcome =
  | { kind: 'full' }
  | { kind: 'part'; start: number; end: number }
  | { kind: 'unsatisfiable' };

/**
 * How to answer a Range request from a full body of `size` bytes (RFC 9110 section 14.2).
 *
 * Multiple ranges, other units and malformed headers get the full body, which the RFC allows.
 */
export function rangeOf(
  request: Record<string, string>,
  stored: Record<string, string | string[]>,
  size: number,
): RangeOutcome {
  const match = /^bytes=(\d*)-(\d*)$/.exec(request['range']?.trim() ?? '');
  if (match === null || !ifRangeHolds(request['if-range'], stored)) return { kind: 'full' };
  const [, first = '', last = ''] = match;
  if (first === '')
    return last === '' ? { kind: 'full' } : satisfiableRange(size - Number(last), size - 1, size);
  const start = Number(first);
  const end = last === '' ? Number.POSITIVE_INFINITY : Number(last);
  return end < start ? { kind: 'full' } : satisfiableRange(start, end, size);
}

/** A suffix longer than the body starts at its first byte; a start past the end is unsatisfiable. */
function satisfiableRange(start: number, end: number, size: number): RangeOutcome {
  if (start >= size || end < 0) return { kind: 'unsatisfiable' };
  return { kind: 'part', start: Math.max(0, start), end: Math.min(end, size - 1) };
}

/** `If-Range` needs a strong ETag or the very same date (RFC 9110 section 13.1.5). */
function ifRangeHolds(
  header: string | undefined,
  stored: Record<string, string | string[]>,
): boolean {
  if (header === undefined) return true;
  if (header.startsWith('W/')) return false;
  const validator = header.startsWith('"') ? 'etag' : 'last-modified';
  return headerOf(stored, validator) === header;
}

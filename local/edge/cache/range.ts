import { headerOf } from '../request-parts.ts';

/** The part of a stored body that a Range header asks for. */
export type RangeAnswer =
  | { kind: 'full' }
  | { kind: 'part'; start: number; end: number }
  | { kind: 'unsatisfiable' };

/**
 * What to serve for a Range request from a full body of `size` bytes (RFC 9110 section 14.2).
 *
 * Several ranges at once, other units and malformed headers get the full body, as a server may do.
 */
export function rangeOf(
  request: Record<string, string>,
  stored: Record<string, string | string[]>,
  size: number,
): RangeAnswer {
  const match = /^bytes=(\d*)-(\d*)$/.exec(request['range']?.trim() ?? '');
  if (match === null || !ifRangeHolds(request['if-range'], stored)) return { kind: 'full' };
  const [, first = '', last = ''] = match;
  if (first === '')
    return last === '' ? { kind: 'full' } : part(size - Number(last), size - 1, size);
  const start = Number(first);
  const end = last === '' ? Number.POSITIVE_INFINITY : Number(last);
  return end < start ? { kind: 'full' } : part(start, end, size);
}

/** A suffix longer than the body starts at its first byte; a start past the end fits nothing. */
function part(start: number, end: number, size: number): RangeAnswer {
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

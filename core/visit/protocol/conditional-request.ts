import { createHash } from 'node:crypto';
import { headStamp, type PageHead } from '../../page-edits/page-head.ts';
import type { Coding } from './content-coding.ts';

/** The conditional request headers of RFC 9110 §13.1, as sent. */
export interface Conditions {
  ifMatch?: string | undefined;
  ifUnmodifiedSince?: string | undefined;
  ifNoneMatch?: string | undefined;
  ifModifiedSince?: string | undefined;
  ifRange?: string | undefined;
  range?: string | undefined;
}

/** The validators of a file: a strong ETag with its quotes, and the time of its publication. */
export interface Validators {
  etag: string;
  lastModified: Date;
}

/**
 * The strong ETag of a file's representation: another head or coding has another ETag (RFC 9110
 * §8.8.3.3). So has a file to which the site's rules add other headers: a 304 cannot take a header away
 * from the copy that a cache has (RFC 9111 §3.2).
 */
export function etagOf({
  entry,
  head,
  coding,
  fields,
}: {
  entry: { hash: string };
  head?: PageHead;
  coding?: Coding;
  fields?: ReadonlyMap<string, string>;
}): string {
  const stamp = head === undefined ? undefined : headStamp(head);
  const names = fields === undefined || fields.size === 0 ? undefined : namesStamp(fields);
  return `"${[entry.hash, stamp, names, coding].filter((part) => part !== undefined).join('-')}"`;
}

function namesStamp(fields: ReadonlyMap<string, string>): string {
  const names = [...fields.keys()].toSorted().join();
  return createHash('sha256').update(names).digest('base64url').slice(0, 6);
}

/** The outcome of the preconditions. */
export type Evaluation = 'proceed' | 'not-modified' | 'failed';

/** Evaluates the preconditions of a GET or HEAD in the order of RFC 9110 §13.2.2, steps 1 to 4. */
export function evaluatePreconditions(conditions: Conditions, current: Validators): Evaluation {
  const { ifMatch, ifUnmodifiedSince, ifNoneMatch, ifModifiedSince } = conditions;
  if (ifMatch !== undefined) {
    if (!matchesAny(ifMatch, current.etag, strongly)) return 'failed';
  } else if (isLaterThan(current.lastModified, ifUnmodifiedSince)) {
    return 'failed';
  }
  if (ifNoneMatch !== undefined) {
    return matchesAny(ifNoneMatch, current.etag, weakly) ? 'not-modified' : 'proceed';
  }
  const since = parseHttpDate(ifModifiedSince);
  return since !== undefined && !isLaterThan(current.lastModified, ifModifiedSince)
    ? 'not-modified'
    : 'proceed';
}

/** Whether a Range applies: step 5 of §13.2.2. A weak ETag or an older date never matches. */
export function ifRangeHolds(ifRange: string | undefined, current: Validators): boolean {
  if (ifRange === undefined) return true;
  const value = ifRange.trim();
  if (value.startsWith('"')) return strongly(value, current.etag);
  return parseHttpDate(value)?.getTime() === wholeSeconds(current.lastModified);
}

type Compare = (listed: string, etag: string) => boolean;

/** §8.8.3.2: both strong and equal. */
const strongly: Compare = (listed, etag) => listed === etag;

/** §8.8.3.2: equal except for `W/`, which caches on the way may have added. */
const weakly: Compare = (listed, etag) => listed.replace(/^W\//, '') === etag;

function matchesAny(field: string, etag: string, compare: Compare): boolean {
  if (field.trim() === '*') return true;
  const listed = field.match(/(?:W\/)?"[^"]*"/g) ?? [];
  return listed.some((item) => compare(item, etag));
}

function isLaterThan(lastModified: Date, field: string | undefined): boolean {
  const date = parseHttpDate(field);
  return date !== undefined && wholeSeconds(lastModified) > date.getTime();
}

/** HTTP dates have whole seconds. */
function wholeSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1000) * 1000;
}

/** An HTTP-date (§5.6.7); `undefined` means that the header is ignored. */
function parseHttpDate(field: string | undefined): Date | undefined {
  if (field === undefined || !/^[A-Z][a-z]{2,8},? /.test(field)) return undefined;
  const time = Date.parse(field);
  return Number.isNaN(time) ? undefined : new Date(time);
}

/** First and last byte, both included (RFC 9110 §14.1.2). */
export interface ByteRange {
  first: number;
  last: number;
}

/**
 * Reads a Range header for a file of `size` bytes: one range, the whole file, or an unsatisfiable range.
 *
 * An unknown unit, a malformed header and several ranges are answered with the whole file, as
 * RFC 9110 §14.2 allows; with several ranges a small request could cause a very large response.
 */
export function readRange(
  field: string | undefined,
  size: number,
): ByteRange | 'whole' | 'unsatisfiable' {
  const match = field?.trim().match(/^bytes=\s*(\d{0,15})-(\d{0,15})$/i);
  const [, from = '', to = ''] = match ?? [];
  if (from === '' && to === '') return 'whole';
  if (from === '') return suffix(Number(to), size);
  const first = Number(from);
  if (to !== '' && Number(to) < first) return 'whole';
  if (first >= size) return 'unsatisfiable';
  return { first, last: to === '' ? size - 1 : Math.min(Number(to), size - 1) };
}

function suffix(length: number, size: number): ByteRange | 'unsatisfiable' {
  if (length === 0 || size === 0) return 'unsatisfiable';
  return { first: Math.max(0, size - length), last: size - 1 };
}

/** The length of a range in bytes. */
export function lengthOf({ first, last }: ByteRange): number {
  return last - first + 1;
}

/** The conditional request fields of RFC 9110 §13.1, as sent. */
export interface Conditions {
  ifMatch?: string | undefined;
  ifUnmodifiedSince?: string | undefined;
  ifNoneMatch?: string | undefined;
  ifModifiedSince?: string | undefined;
  ifRange?: string | undefined;
  range?: string | undefined;
}

/** What identifies the state of a file: a strong ETag with its quotes, and when it was published. */
export interface Validators {
  etag: string;
  lastModified: Date;
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

/** Whether a Range may be answered: step 5 of §13.2.2; a validator that is weak or dated never serves. */
export function ifRangeHolds(ifRange: string | undefined, current: Validators): boolean {
  if (ifRange === undefined) return true;
  const value = ifRange.trim();
  if (value.startsWith('"')) return strongly(value, current.etag);
  return parseHttpDate(value)?.getTime() === wholeSeconds(current.lastModified);
}

type Compare = (listed: string, etag: string) => boolean;

/** §8.8.3.2: both strong and equal. */
const strongly: Compare = (listed, etag) => listed === etag;

/** §8.8.3.2: equal but for `W/`, which caches on the way may have added. */
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

/** An HTTP-date (§5.6.7) or `undefined`, which means the field is ignored. */
function parseHttpDate(field: string | undefined): Date | undefined {
  if (field === undefined || !/^[A-Z][a-z]{2,8},? /.test(field)) return undefined;
  const time = Date.parse(field);
  return Number.isNaN(time) ? undefined : new Date(time);
}

import { S3Error } from '../protocol/s3-error.ts';

type Headers = Record<string, string | undefined>;

/** The version that a conditional request is checked against. */
export interface Version {
  etag: string;
  /** ISO instant. */
  lastModified: string;
}

/** Throws unless a write may replace the existing object; `ifMatch` is its `If-Match`. */
export function assertWritable(present: Version | undefined, ifMatch: string | undefined): void {
  if (ifMatch === undefined) return;
  if (present === undefined) throw new S3Error('NoSuchKey');
  if (matches(ifMatch, present)) return;
  throw new S3Error('PreconditionFailed', undefined, { Condition: 'If-Match' });
}

/** The outcome of a conditional read, with the precedence of RFC 9110 section 13.2.2. */
export function readOutcome(version: Version, headers: Headers): 'proceed' | 'notModified' {
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = headers;
  const failed = (name: string) =>
    new S3Error('PreconditionFailed', undefined, { Condition: name });
  if (ifMatch !== undefined) {
    if (!matches(ifMatch, version)) throw failed('If-Match');
  } else if (isBefore(headers['if-unmodified-since'], version) === true) {
    throw failed('If-Unmodified-Since');
  }
  if (ifNoneMatch !== undefined) return matches(ifNoneMatch, version) ? 'notModified' : 'proceed';
  return isBefore(headers['if-modified-since'], version) === false ? 'notModified' : 'proceed';
}

function matches(header: string, version: Version): boolean {
  return header
    .split(',')
    .map(bareEtag)
    .some((etag) => etag === '*' || etag === version.etag);
}

/** An entity tag without quotes and weakness mark. */
export function bareEtag(etag: string): string {
  return etag.trim().replace(/^(?:W\/)?"(.*)"$/, '$1');
}

/** Whether the header's date is before the last change, in whole seconds; undefined for an invalid date. */
function isBefore(header: string | undefined, version: Version): boolean | undefined {
  const instant = Date.parse(header ?? '');
  if (Number.isNaN(instant)) return undefined;
  return Math.floor(instant / 1000) < Math.floor(Date.parse(version.lastModified) / 1000);
}

/** Both ends inclusive. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * The single range of a request, `undefined` for the whole body, or `InvalidRange`.
 *
 * Malformed and multiple ranges are ignored, as S3 does; so is one whose `If-Range` is outdated.
 */
export function requestedRange(
  headers: Headers,
  version: Version,
  size: number,
): ByteRange | undefined {
  const range = parseRange(headers.range ?? '', size);
  if (range === undefined || !isRangeCurrent(headers['if-range'], version)) return undefined;
  if (range.start < size) return { start: range.start, end: Math.min(range.end, size - 1) };
  throw new S3Error('InvalidRange', undefined, {
    RangeRequested: headers.range ?? '',
    ActualObjectSize: String(size),
  });
}

/** `bytes=1-2`, `bytes=1-` or `bytes=-2`; not yet cut to the size. */
function parseRange(header: string, size: number): ByteRange | undefined {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header) ?? [];
  if (first === '') {
    return last === '' ? undefined : { start: size - Math.min(size, Number(last)), end: size };
  }
  const end = last === '' ? size : Number(last);
  return last !== '' && end < Number(first) ? undefined : { start: Number(first), end };
}

function isRangeCurrent(ifRange: string | undefined, version: Version): boolean {
  if (ifRange === undefined) return true;
  return bareEtag(ifRange) === version.etag || isBefore(ifRange, version) === false;
}

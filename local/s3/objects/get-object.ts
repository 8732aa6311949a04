import type { HttpResponse } from '../../http/http.ts';
import type { Bucket } from '../bucket.ts';
import { emptyResponse, type RouteContext } from '../protocol/route-context.ts';
import { S3Error } from '../protocol/s3-error.ts';
import { queryValue, type S3Request } from '../protocol/s3-request.ts';
import { readOutcome, requestedRange } from './conditions.ts';
import { assertHeaderValue, objectHeaders } from './object-metadata.ts';

/** One read of one object. */
export interface ObjectRead {
  key: string;
  method: 'GET' | 'HEAD';
  headers: Record<string, string>;
  /** Header values that replace the stored ones. */
  overrides?: Record<string, string>;
}

/** GetObject. */
export async function getObject(context: RouteContext): Promise<HttpResponse> {
  return readRequested(context, 'GET');
}

/** HeadObject. */
export async function headObject(context: RouteContext): Promise<HttpResponse> {
  return readRequested(context, 'HEAD');
}

/** As in S3, only callers who may list the bucket learn that a key does not exist. */
function readRequested(context: RouteContext, method: 'GET' | 'HEAD'): HttpResponse {
  const { bucket, request, auth } = context;
  const { key } = request;
  const isMissing = bucket.find(key) === undefined;
  if (isMissing && !context.isPermitted('s3:ListBucket')) throw new S3Error('AccessDenied');
  return readObject(bucket, {
    key,
    method,
    headers: auth.headers,
    overrides: headerOverrides(request),
  });
}

/** Answers a read: checks conditions, then the range, then streams the bytes. */
export function readObject(bucket: Bucket, read: ObjectRead): HttpResponse {
  const { headers, key } = read;
  const record = bucket.find(key);
  if (record === undefined) throw new S3Error('NoSuchKey', undefined, { Key: key });
  const outcome = readOutcome(record, headers);
  const range = outcome === 'proceed' ? requestedRange(headers, record, record.size) : undefined;
  const withChecksum = headers['x-amz-checksum-mode'] === 'ENABLED' && range === undefined;
  const described = { ...objectHeaders(record, withChecksum), ...read.overrides };
  if (outcome === 'notModified') return emptyResponse(304, described);
  const length = range === undefined ? record.size : range.end - range.start + 1;
  const body = read.method === 'HEAD' ? Buffer.alloc(0) : bucket.read(record, range);
  return {
    status: range === undefined ? 200 : 206,
    headers: {
      ...described,
      'content-length': String(length),
      ...(range && { 'content-range': `bytes ${range.start}-${range.end}/${record.size}` }),
    },
    body,
  };
}

/** The query parameter that replaces a header of a read's answer. */
export const DISPOSITION_PARAMETER = 'response-content-disposition';

function headerOverrides(request: S3Request): Record<string, string> {
  const value = queryValue(request, DISPOSITION_PARAMETER);
  if (value === undefined) return {};
  assertHeaderValue('content-disposition', value);
  return { 'content-disposition': value };
}

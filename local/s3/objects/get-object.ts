import type { HttpResponse } from '../../http/http.ts';
import type { Bucket } from '../bucket.ts';
import { readOutcome, requestedRange } from './conditions.ts';
import { assertHeaderValue, objectHeaders } from './object-metadata.ts';
import { emptyResponse, type RouteContext } from '../protocol/route-context.ts';
import { S3Error } from '../protocol/s3-error.ts';
import type { S3Request } from '../protocol/s3-request.ts';

/** One read of one object. */
export interface ObjectRead {
  key: string;
  method: 'GET' | 'HEAD';
  headers: Record<string, string>;
  /** Header values that replace the stored ones (`response-content-type` and so on). */
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
  if (bucket.find(request.key) === undefined && !context.isPermitted('s3:ListBucket')) {
    throw new S3Error('AccessDenied');
  }
  const { key } = request;
  return readObject(bucket, {
    key,
    method,
    headers: auth.headers,
    overrides: headerOverrides(request),
  });
}

/** Answers a read: checks conditions, then the range, then streams the bytes. */
export function readObject(bucket: Bucket, read: ObjectRead): HttpResponse {
  const { headers } = read;
  const record = bucket.find(read.key);
  if (record === undefined) throw new S3Error('NoSuchKey', undefined, { Key: read.key });
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

function headerOverrides(request: S3Request): Record<string, string> {
  return Object.fromEntries(
    request.query
      .filter(([name]) => RESPONSE_PARAMETERS.includes(name))
      .map(([name, value]) => {
        const header = name.slice('response-'.length);
        assertHeaderValue(header, value);
        return [header, value];
      }),
  );
}

/** The query parameters that replace headers of a read's answer. */
export const RESPONSE_PARAMETERS = [
  'response-cache-control',
  'response-content-disposition',
  'response-content-encoding',
  'response-content-language',
  'response-content-type',
  'response-expires',
];

import type { HttpResponse } from '../../http/http.ts';
import { type Bucket, newestMarker, requireVersion } from '../bucket.ts';
import { isDeleteMarker } from '../versions/stored-version.ts';
import { versionParameter } from '../versions/version-parameter.ts';
import { readOutcome, requestedRange } from './conditions.ts';
import { assertHeaderValue, type ObjectRecord, objectHeaders } from './object-metadata.ts';
import { emptyResponse, type RouteContext } from '../protocol/route-context.ts';
import { S3Error } from '../protocol/s3-error.ts';
import type { S3Request } from '../protocol/s3-request.ts';

/** One read of one object. */
export interface ObjectRead {
  key: string;
  /** The current version by default. */
  versionId?: string | undefined;
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
  const versionId = versionParameter(request);
  context.requirePermission(versionId === undefined ? 's3:GetObject' : 's3:GetObjectVersion');
  const isMissing = versionId === undefined && bucket.find(request.key) === undefined;
  if (isMissing && !context.isPermitted('s3:ListBucket')) throw new S3Error('AccessDenied');
  const { key } = request;
  return readObject(bucket, {
    key,
    versionId,
    method,
    headers: auth.headers,
    overrides: headerOverrides(request),
  });
}

/** Answers a read: checks conditions, then the range, then streams the bytes. */
export function readObject(bucket: Bucket, read: ObjectRead): HttpResponse {
  const { headers } = read;
  const record = requireObject(bucket, read);
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

function requireObject(
  bucket: Bucket,
  { key, versionId }: Pick<ObjectRead, 'key' | 'versionId'>,
): ObjectRecord {
  if (versionId !== undefined) return requireObjectVersion(bucket, key, versionId);
  const record = bucket.find(key);
  if (record !== undefined) return record;
  const marker = newestMarker(bucket, key);
  const headers = marker && {
    'x-amz-delete-marker': 'true',
    'x-amz-version-id': marker.versionId,
  };
  throw new S3Error('NoSuchKey', undefined, { Key: key }, headers);
}

/** A version that has bytes; a delete marker has none. */
export function requireObjectVersion(bucket: Bucket, key: string, versionId: string): ObjectRecord {
  const version = requireVersion(bucket, key, versionId);
  if (!isDeleteMarker(version)) return version;
  throw new S3Error(
    'MethodNotAllowed',
    undefined,
    { Method: 'GET', ResourceType: 'DeleteMarker' },
    {
      'x-amz-delete-marker': 'true',
      'x-amz-version-id': versionId,
      'last-modified': new Date(version.lastModified).toUTCString(),
      allow: 'DELETE',
    },
  );
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

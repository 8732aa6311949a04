import type { HttpResponse } from '../../http/http.ts';
import type { Bucket } from '../bucket.ts';
import { maxKeysOf, type RouteContext, xmlResponse } from '../protocol/route-context.ts';
import { S3Error } from '../protocol/s3-error.ts';
import { queryValue } from '../protocol/s3-request.ts';
import type { XmlNode } from '../protocol/xml.ts';

/** ListObjectsV2. */
export async function listObjects({ bucket, request }: RouteContext): Promise<HttpResponse> {
  const prefix = queryValue(request, 'prefix') ?? '';
  const token = queryValue(request, 'continuation-token');
  const maxKeys = maxKeysOf(request);
  const after = token === undefined ? undefined : readToken(token);
  const page = bucket.list({ prefix, maxKeys, after });
  return xmlResponse([
    'ListBucketResult',
    [
      ['Name', bucket.name],
      ['Prefix', prefix],
      ['MaxKeys', maxKeys],
      ['KeyCount', page.keys.length],
      ['IsTruncated', page.next !== undefined],
      ...optional('ContinuationToken', token),
      ...optional('NextContinuationToken', page.next && writeToken(page.next)),
      ...contents(bucket, page.keys),
    ],
  ]);
}

function contents(bucket: Bucket, keys: readonly string[]): XmlNode[] {
  return keys
    .map((key) => bucket.find(key))
    .filter((record) => record !== undefined)
    .map(
      (record): XmlNode => [
        'Contents',
        [
          ['Key', record.key],
          ['LastModified', record.lastModified],
          ['ETag', `"${record.etag}"`],
          ['Size', record.size],
          ['StorageClass', 'STANDARD'],
        ],
      ],
    );
}

/** An element, or nothing without a value. */
export function optional(name: string, value: string | undefined): XmlNode[] {
  return value === undefined ? [] : [[name, value]];
}

/** The token of a page is the last key of the page before. */
function writeToken(lastKey: string): string {
  return Buffer.from(lastKey).toString('base64');
}

function readToken(token: string): string {
  const lastKey = Buffer.from(token, 'base64').toString();
  if (writeToken(lastKey) === token) return lastKey;
  throw new S3Error('InvalidArgument', 'The continuation token provided is incorrect');
}

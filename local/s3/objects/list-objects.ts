import * as z from 'zod';
import type { HttpResponse } from '../../http/http.ts';
import type { Bucket } from '../bucket.ts';
import type { ListMarker, ListPage } from './list-page.ts';
import { countParameter, type RouteContext, xmlResponse } from '../protocol/route-context.ts';
import { S3Error } from '../protocol/s3-error.ts';
import { queryValue, type S3Request } from '../protocol/s3-request.ts';
import { encodeListed } from '../signing/uri.ts';
import type { XmlNode } from '../protocol/xml.ts';

const Marker = z.union([
  z.strictObject({ key: z.string() }),
  z.strictObject({ prefix: z.string() }),
]);

/** ListObjectsV2. */
export async function listObjects({ bucket, request }: RouteContext): Promise<HttpResponse> {
  const prefix = queryValue(request, 'prefix') ?? '';
  const delimiter = queryValue(request, 'delimiter') ?? '';
  const token = queryValue(request, 'continuation-token');
  const startAfter = queryValue(request, 'start-after');
  const maxKeys = countParameter(request, 'max-keys', 1000);
  const encode = keyEncoder(request);
  const after = listMarker(token, startAfter);
  const page = bucket.list({ prefix, delimiter, maxKeys, ...(after && { after }) });
  return xmlResponse([
    'ListBucketResult',
    [
      ['Name', bucket.name],
      ['Prefix', encode(prefix)],
      ...optional('Delimiter', delimiter === '' ? undefined : encode(delimiter)),
      ['MaxKeys', maxKeys],
      ...optional('EncodingType', queryValue(request, 'encoding-type')),
      ['KeyCount', page.keys.length + page.commonPrefixes.length],
      ['IsTruncated', page.next !== undefined],
      ...optional('ContinuationToken', token),
      ...optional('NextContinuationToken', page.next && writeToken(page.next)),
      ...optional('StartAfter', startAfter === undefined ? undefined : encode(startAfter)),
      ...contents(bucket, page, encode),
    ],
  ]);
}

function contents(bucket: Bucket, page: ListPage, encode: (text: string) => string): XmlNode[] {
  const objects = page.keys
    .map((key) => bucket.find(key))
    .filter((record) => record !== undefined)
    .map(
      (record): XmlNode => [
        'Contents',
        [
          ['Key', encode(record.key)],
          ['LastModified', record.lastModified],
          ['ETag', `"${record.etag}"`],
          ['ChecksumAlgorithm', record.checksum.algorithm],
          ['ChecksumType', record.checksum.type],
          ['Size', record.size],
          ['StorageClass', 'STANDARD'],
        ],
      ],
    );
  const prefixes = page.commonPrefixes.map(
    (prefix): XmlNode => ['CommonPrefixes', [['Prefix', encode(prefix)]]],
  );
  return [...objects, ...prefixes];
}

/** An element, or nothing without a value. */
export function optional(name: string, value: string | undefined): XmlNode[] {
  return value === undefined ? [] : [[name, value]];
}

/** Encodes keys in a listing: unchanged, or percent-encoded for `encoding-type=url`. */
export function keyEncoder(request: S3Request): (text: string) => string {
  const type = queryValue(request, 'encoding-type');
  if (type === undefined) return (text) => text;
  if (type === 'url') return encodeListed;
  throw new S3Error('InvalidArgument', 'Invalid Encoding Method specified in Request');
}

function listMarker(token: string | undefined, startAfter: string | undefined) {
  if (token !== undefined) return readToken(token);
  return startAfter === undefined || startAfter === '' ? undefined : { key: startAfter };
}

function writeToken(marker: ListMarker): string {
  return Buffer.from(JSON.stringify(marker)).toString('base64');
}

function readToken(token: string): ListMarker {
  try {
    return Marker.parse(JSON.parse(Buffer.from(token, 'base64').toString()));
  } catch {
    throw new S3Error('InvalidArgument', 'The continuation token provided is incorrect');
  }
}

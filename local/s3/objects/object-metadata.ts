import { validateHeaderName, validateHeaderValue } from 'node:http';
import * as z from 'zod';
import { algorithmOfHeader, Checksum, checksumHeader } from '../bodies/checksums.ts';
import { S3Error } from '../protocol/s3-error.ts';

/** Metadata of an object as written, returned to every reader. */
export const StoredMetadata = z.object({
  /** `content-type` and the other system headers. */
  system: z.record(z.string(), z.string()),
  /** Without the `x-amz-meta-` prefix. */
  user: z.record(z.string(), z.string()),
  tagCount: z.number().int(),
});
export type StoredMetadata = z.infer<typeof StoredMetadata>;

/** One stored object; `lastModified` is an ISO instant, `etag` has no quotes. */
export const ObjectRecord = StoredMetadata.extend({
  key: z.string(),
  size: z.number().int(),
  etag: z.string(),
  lastModified: z.string(),
  checksum: Checksum,
  /** `null` in a bucket without versions. */
  versionId: z.string(),
});
export type ObjectRecord = z.infer<typeof ObjectRecord>;

/** An object before its bucket has given it a version id. */
export type NewObject = Omit<ObjectRecord, 'versionId'>;

/** The headers that S3 keeps as system metadata. */
const SYSTEM_HEADERS = [
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-type',
  'expires',
] as const;

const META = 'x-amz-meta-';
const MAX_USER_METADATA_BYTES = 2048;
const MAX_TAGS = 10;

/** Reads the metadata of a write from its headers, or from the fields of a form. */
export function readMetadata(headers: Record<string, string>): StoredMetadata {
  const system: Record<string, string> = { 'content-type': 'binary/octet-stream' };
  for (const name of SYSTEM_HEADERS) {
    const value = name === 'content-encoding' ? contentEncoding(headers[name]) : headers[name];
    if (value === undefined || value === '') continue;
    assertHeaderValue(name, value);
    system[name] = value;
  }
  const user = Object.entries(headers)
    .filter(([name]) => name.startsWith(META))
    .map(([name, value]) => {
      assertHeaderValue(name, value);
      return [name.slice(META.length), value];
    });
  if (Buffer.byteLength(user.flat().join('')) > MAX_USER_METADATA_BYTES) {
    throw new S3Error('MetadataTooLarge');
  }
  return { system, user: Object.fromEntries(user), tagCount: countTags(headers['x-amz-tagging']) };
}

/** Refuses values that cannot be sent as a header; form fields and query values may hold anything. */
export function assertHeaderValue(name: string, value: string): void {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
  } catch {
    throw new S3Error('InvalidArgument', 'Header value cannot be represented using ISO-8859-1.', {
      ArgumentName: name,
    });
  }
}

/** `aws-chunked` describes the transfer and is not stored. */
function contentEncoding(value: string | undefined): string | undefined {
  return value
    ?.split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== 'aws-chunked')
    .join(',');
}

function countTags(tagging: string | undefined): number {
  const tags = [...new URLSearchParams(tagging ?? '')];
  const isWrong = tags.some(([key, value]) => key === '' || key.length > 128 || value.length > 256);
  const isRepeated = new Set(tags.map(([key]) => key)).size < tags.length;
  if (isWrong || isRepeated) throw new S3Error('InvalidTag');
  if (tags.length > MAX_TAGS) {
    throw new S3Error('BadRequest', 'Object tags cannot be greater than 10');
  }
  return tags.length;
}

/** The header that names the version, in a bucket that has versions. */
export function versionHeader({
  versionId,
}: Pick<ObjectRecord, 'versionId'>): Record<string, string> {
  return versionId === 'null' ? {} : { 'x-amz-version-id': versionId };
}

/** The headers of every read of an object; the checksum only on request. */
export function objectHeaders(record: ObjectRecord, withChecksum: boolean): Record<string, string> {
  const { algorithm, value, type } = record.checksum;
  return {
    ...record.system,
    ...Object.fromEntries(Object.entries(record.user).map(([name, v]) => [`${META}${name}`, v])),
    'accept-ranges': 'bytes',
    etag: `"${record.etag}"`,
    'last-modified': new Date(record.lastModified).toUTCString(),
    'x-amz-server-side-encryption': 'AES256',
    ...versionHeader(record),
    ...(record.tagCount > 0 && { 'x-amz-tagging-count': String(record.tagCount) }),
    ...(withChecksum && { [checksumHeader(algorithm)]: value, 'x-amz-checksum-type': type }),
  };
}

const SUPPORTED_HEADERS = new Set([
  'x-amz-checksum-algorithm',
  'x-amz-checksum-mode',
  'x-amz-checksum-type',
  'x-amz-content-sha256',
  'x-amz-copy-source',
  'x-amz-copy-source-if-match',
  'x-amz-copy-source-if-modified-since',
  'x-amz-copy-source-if-none-match',
  'x-amz-copy-source-if-unmodified-since',
  'x-amz-date',
  'x-amz-decoded-content-length',
  'x-amz-metadata-directive',
  'x-amz-mp-object-size',
  'x-amz-sdk-checksum-algorithm',
  'x-amz-security-token',
  'x-amz-tagging',
  'x-amz-trailer',
  'x-amz-user-agent',
]);

/** `NotImplemented` for any unsupported `x-amz-*` header. */
export function assertSupportedHeaders(headers: Record<string, string>): void {
  for (const [name, value] of Object.entries(headers)) {
    if (!name.startsWith('x-amz-') || name.startsWith(META) || SUPPORTED_HEADERS.has(name))
      continue;
    if (algorithmOfHeader(name) !== undefined) continue;
    if (name === 'x-amz-server-side-encryption' && value === 'AES256') continue;
    if (name === 'x-amz-storage-class' && value === 'STANDARD') continue;
    throw new S3Error('NotImplemented', undefined, { Header: name });
  }
}

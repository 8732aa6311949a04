import { validateHeaderName, validateHeaderValue } from 'node:http';
import * as z from 'zod';
import { CRC32_HEADER, crc32Headers } from '../bodies/checksums.ts';
import { S3Error } from '../protocol/s3-error.ts';

/** Metadata of an object as written, returned to every reader. */
export const StoredMetadata = z.object({
  /** `content-type` and the other system headers. */
  system: z.record(z.string(), z.string()),
  /** Without the `x-amz-meta-` prefix. */
  user: z.record(z.string(), z.string()),
});
export type StoredMetadata = z.infer<typeof StoredMetadata>;

/** One stored object; `lastModified` is an ISO instant, `etag` has no quotes. */
export const ObjectRecord = StoredMetadata.extend({
  key: z.string(),
  size: z.number().int(),
  etag: z.string(),
  lastModified: z.string(),
  /** Base64; of an object that came with one. */
  crc32: z.string().optional(),
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

/** Reads the metadata of a write from its headers. */
export function readMetadata(headers: Record<string, string>): StoredMetadata {
  const system: Record<string, string> = { 'content-type': 'binary/octet-stream' };
  for (const name of SYSTEM_HEADERS) {
    const value = headers[name];
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
  return { system, user: Object.fromEntries(user) };
}

/** Refuses values that cannot be sent as a header; query values may hold anything. */
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

/** The header that names the version, in a bucket that has versions. */
export function versionHeader({
  versionId,
}: Pick<ObjectRecord, 'versionId'>): Record<string, string> {
  return versionId === 'null' ? {} : { 'x-amz-version-id': versionId };
}

/** The headers of every read of an object; the checksum only on request. */
export function objectHeaders(record: ObjectRecord, withChecksum: boolean): Record<string, string> {
  return {
    ...record.system,
    ...Object.fromEntries(Object.entries(record.user).map(([name, v]) => [`${META}${name}`, v])),
    'accept-ranges': 'bytes',
    etag: `"${record.etag}"`,
    'last-modified': new Date(record.lastModified).toUTCString(),
    'x-amz-server-side-encryption': 'AES256',
    ...versionHeader(record),
    ...(withChecksum && crc32Headers(record.crc32)),
  };
}

const SUPPORTED_HEADERS = new Set([
  CRC32_HEADER,
  'x-amz-checksum-mode',
  'x-amz-content-sha256',
  'x-amz-copy-source',
  'x-amz-date',
  'x-amz-metadata-directive',
  'x-amz-sdk-checksum-algorithm',
  'x-amz-security-token',
  'x-amz-user-agent',
]);

/** `NotImplemented` for any unsupported `x-amz-*` header, and for `Content-MD5`. */
export function assertSupportedHeaders(headers: Record<string, string>): void {
  const unsupported = Object.keys(headers).find(
    (name) =>
      name === 'content-md5' ||
      (name.startsWith('x-amz-') && !name.startsWith(META) && !SUPPORTED_HEADERS.has(name)),
  );
  if (unsupported === undefined) return;
  throw new S3Error('NotImplemented', undefined, { Header: unsupported });
}

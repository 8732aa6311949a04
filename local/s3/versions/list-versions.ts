import type { HttpResponse } from '../../http/http.ts';
import type { Bucket } from '../bucket.ts';
import { optional } from '../objects/list-objects.ts';
import { compareUtf8 } from '../objects/list-page.ts';
import { maxKeysOf, type RouteContext, xmlResponse } from '../protocol/route-context.ts';
import { S3Error } from '../protocol/s3-error.ts';
import { queryValue } from '../protocol/s3-request.ts';
import type { XmlNode } from '../protocol/xml.ts';
import {
  isDeleteMarker,
  parseVersionId,
  sequenceOf,
  type StoredVersion,
} from './stored-version.ts';

interface VersionQuery {
  prefix: string;
  maxKeys: number;
  /** A page begins after this version, or after all versions of this key. */
  after?: { key: string; versionId?: string | undefined } | undefined;
}

/** ListObjectVersions: by key, and for each key the newest first. */
export async function listVersions({ bucket, request }: RouteContext): Promise<HttpResponse> {
  const prefix = queryValue(request, 'prefix') ?? '';
  const keyMarker = queryValue(request, 'key-marker') ?? '';
  const versionMarker = queryValue(request, 'version-id-marker');
  const maxKeys = maxKeysOf(request);
  const page = versionPage(bucket, { prefix, maxKeys, after: marker(keyMarker, versionMarker) });
  const last = page.versions.at(-1);
  return xmlResponse([
    'ListVersionsResult',
    [
      ['Name', bucket.name],
      ['Prefix', prefix],
      ['KeyMarker', keyMarker],
      ['VersionIdMarker', versionMarker ?? ''],
      ['MaxKeys', maxKeys],
      ['IsTruncated', page.isTruncated],
      ...optional('NextKeyMarker', page.isTruncated ? last?.key : undefined),
      ...optional('NextVersionIdMarker', page.isTruncated ? last?.versionId : undefined),
      ...page.versions.map((version) => describe(bucket, version)),
    ],
  ]);
}

function marker(key: string, versionId: string | undefined): VersionQuery['after'] {
  const hasVersion = versionId !== undefined && versionId !== '';
  if (key === '' && hasVersion) {
    throw new S3Error(
      'InvalidArgument',
      'A version-id marker cannot be specified without a key marker.',
    );
  }
  if (key === '') return undefined;
  return { key, versionId: hasVersion ? parseVersionId(versionId) : undefined };
}

function versionPage(bucket: Bucket, { prefix, maxKeys, after }: VersionQuery) {
  const versions: StoredVersion[] = [];
  const start = after !== undefined && compareUtf8(after.key, prefix) > 0 ? after.key : prefix;
  for (const key of bucket.allKeys(start)) {
    if (!key.startsWith(prefix)) break;
    for (const version of bucket.versionsOf(key)) {
      if (after !== undefined && isCovered(version, after)) continue;
      if (versions.length === maxKeys) return { versions, isTruncated: maxKeys > 0 };
      versions.push(version);
    }
  }
  return { versions, isTruncated: false };
}

/** By order and not by identity: the version of the marker may have been deleted since. */
function isCovered(version: StoredVersion, after: NonNullable<VersionQuery['after']>): boolean {
  const order = compareUtf8(version.key, after.key);
  if (order !== 0) return order < 0;
  if (after.versionId === undefined) return true;
  return sequenceOf(version.versionId) >= sequenceOf(after.versionId);
}

function describe(bucket: Bucket, version: StoredVersion): XmlNode {
  const common: XmlNode[] = [
    ['Key', version.key],
    ['VersionId', version.versionId],
    ['IsLatest', bucket.versionsOf(version.key)[0] === version],
    ['LastModified', version.lastModified],
  ];
  if (isDeleteMarker(version)) return ['DeleteMarker', common];
  return [
    'Version',
    [
      ...common,
      ['ETag', `"${version.etag}"`],
      ['Size', version.size],
      ['StorageClass', 'STANDARD'],
    ],
  ];
}

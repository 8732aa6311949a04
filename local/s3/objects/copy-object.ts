import type { HttpResponse } from '../../http/http.ts';
import type { Bucket } from '../bucket.ts';
import { crc32Elements } from '../bodies/checksums.ts';
import { receiveBody } from '../bodies/receive-body.ts';
import { type RouteContext, xmlResponse } from '../protocol/route-context.ts';
import { S3Error } from '../protocol/s3-error.ts';
import { decodeUri } from '../protocol/s3-request.ts';
import { isDeleteMarker, parseVersionId } from '../versions/stored-version.ts';
import {
  type NewObject,
  type ObjectRecord,
  readMetadata,
  type StoredMetadata,
  versionHeader,
} from './object-metadata.ts';

/** The most that one CopyObject copies; larger objects are copied in parts (Amazon S3 API, CopyObject). */
const maxCopiedBytes = 5 * 1024 ** 3;

/**
 * CopyObject within a bucket: of the current version, or of the one that is named. The copy has the metadata
 * of its source, or with `REPLACE` that of the request. Its ETag is its MD5, also if the source has parts.
 */
export async function copyObject(context: RouteContext): Promise<HttpResponse> {
  const { bucket, request, now } = context;
  const source = findSource(context);
  const metadata = metadataOfCopy(context, source);
  const record = await bucket.withDraft(async (draft) => {
    const body = { pieces: bucket.read(source), size: source.size, crc32: source.crc32 };
    const received = await receiveBody(body, draft.write);
    const copy: NewObject = {
      ...metadata,
      key: request.key,
      size: received.size,
      etag: received.md5,
      lastModified: now().toISOString(),
      crc32: received.crc32,
    };
    return bucket.put(draft, copy);
  });
  return xmlResponse(
    [
      'CopyObjectResult',
      [
        ['LastModified', record.lastModified],
        ['ETag', `"${record.etag}"`],
        ...crc32Elements(record.crc32),
      ],
    ],
    {
      ...versionHeader(record),
      ...(source.versionId !== 'null' && { 'x-amz-copy-source-version-id': source.versionId }),
    },
  );
}

/** `x-amz-metadata-directive`: `COPY`, the default, ignores the metadata of the request. */
function metadataOfCopy(
  { auth, bucket, request }: RouteContext,
  source: ObjectRecord,
): StoredMetadata {
  const directive = auth.headers['x-amz-metadata-directive'] ?? 'COPY';
  if (directive === 'REPLACE') return readMetadata(auth.headers);
  if (directive !== 'COPY') throw new S3Error('InvalidArgument', 'Unknown metadata directive.');
  if (source !== bucket.find(request.key)) return { system: source.system, user: source.user };
  throw new S3Error(
    'InvalidRequest',
    "This copy request is illegal because it is trying to copy an object to itself without changing the object's metadata, storage class, website redirect location or encryption attributes.",
  );
}

function findSource(context: RouteContext): ObjectRecord {
  const { auth, bucket } = context;
  const { key, versionId } = sourceNamed(auth.headers['x-amz-copy-source'] ?? '', bucket);
  const action = versionId === undefined ? 's3:GetObject' : 's3:GetObjectVersion';
  context.requirePermission(action, { bucket: bucket.name, key });
  const source =
    versionId === undefined ? requireCurrent(context, key) : requireVersion(bucket, key, versionId);
  if (source.size <= maxCopiedBytes) return source;
  throw new S3Error(
    'InvalidRequest',
    `The specified copy source is larger than the maximum allowable size for a copy source: ${maxCopiedBytes}`,
  );
}

/** `<bucket>/<encoded key>`, then `?versionId=<id>` for a version; a question mark of the key is encoded. */
function sourceNamed(
  header: string,
  bucket: Bucket,
): { key: string; versionId: string | undefined } {
  const [encoded = '', query = ''] = header.split('?');
  const source = decodeUri(encoded).replace(/^\//, '');
  const slash = source.indexOf('/');
  const key = source.slice(slash + 1);
  if (slash < 1 || key === '') {
    throw new S3Error('InvalidArgument', 'Copy Source must mention the source bucket and key');
  }
  const [, versionId] = /^versionId=(.+)$/.exec(query) ?? [];
  if (source.slice(0, slash) !== bucket.name || (versionId === undefined && query !== '')) {
    throw new S3Error('NotImplemented', 'The local S3 copies within a bucket only.');
  }
  return {
    key,
    versionId: versionId === undefined ? undefined : parseVersionId(decodeUri(versionId)),
  };
}

/** As for a read, only callers who may list the bucket learn that a key does not exist. */
function requireCurrent(context: RouteContext, key: string): ObjectRecord {
  const current = context.bucket.find(key);
  if (current !== undefined) return current;
  if (!context.isPermitted('s3:ListBucket')) throw new S3Error('AccessDenied');
  throw new S3Error('NoSuchKey', undefined, { Key: key });
}

function requireVersion(bucket: Bucket, key: string, versionId: string): ObjectRecord {
  const version = bucket.versionsOf(key).find((one) => one.versionId === versionId);
  if (version === undefined) {
    throw new S3Error('NoSuchVersion', undefined, { Key: key, VersionId: versionId });
  }
  if (!isDeleteMarker(version)) return version;
  throw new S3Error(
    'InvalidRequest',
    'The source of a copy request may not specifically refer to a delete marker by version id.',
  );
}

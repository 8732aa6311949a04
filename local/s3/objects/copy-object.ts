import type { HttpResponse } from '../../http/http.ts';
import type { Bucket } from '../bucket.ts';
import { checksumElement } from '../bodies/checksums.ts';
import { receiveBody } from '../bodies/receive-body.ts';
import { type RouteContext, xmlResponse } from '../protocol/route-context.ts';
import { S3Error } from '../protocol/s3-error.ts';
import { decodeUri } from '../protocol/s3-request.ts';
import { isDeleteMarker, parseVersionId } from '../versions/stored-version.ts';
import { type NewObject, type ObjectRecord, versionHeader } from './object-metadata.ts';

/** CopyObject of a version in the same bucket. The copy's ETag is its MD5, also if the source has parts. */
export async function copyObject(context: RouteContext): Promise<HttpResponse> {
  const { bucket, request, now } = context;
  const source = findSource(context);
  const record = await bucket.withDraft(async (draft) => {
    const body = { pieces: bucket.read(source), size: source.size };
    const received = await receiveBody(body, draft.write, source.checksum.algorithm);
    const copy: NewObject = {
      system: source.system,
      user: source.user,
      key: request.key,
      size: received.size,
      etag: received.md5,
      lastModified: now().toISOString(),
      checksum: received.checksum,
    };
    return bucket.put(draft, copy);
  });
  return xmlResponse(
    [
      'CopyObjectResult',
      [
        ['LastModified', record.lastModified],
        ['ETag', `"${record.etag}"`],
        ['ChecksumType', 'FULL_OBJECT'],
        [checksumElement(record.checksum.algorithm), record.checksum.value],
      ],
    ],
    { ...versionHeader(record), 'x-amz-copy-source-version-id': source.versionId },
  );
}

function findSource(context: RouteContext): ObjectRecord {
  const { auth, bucket, request } = context;
  const { key, versionId } = sourceNamed(auth.headers['x-amz-copy-source'] ?? '', bucket);
  context.requirePermission('s3:GetObjectVersion', { bucket: bucket.name, key });
  const record = requireSource(bucket, key, versionId);
  if (key !== request.key || record !== bucket.find(key)) return record;
  throw new S3Error(
    'InvalidRequest',
    "This copy request is illegal because it is trying to copy an object to itself without changing the object's metadata, storage class, website redirect location or encryption attributes.",
  );
}

/** `<bucket>/<encoded key>?versionId=<id>`; a question mark of the key is encoded. */
function sourceNamed(header: string, bucket: Bucket): { key: string; versionId: string } {
  const [encoded = '', query = ''] = header.split('?');
  const source = decodeUri(encoded).replace(/^\//, '');
  const slash = source.indexOf('/');
  const key = source.slice(slash + 1);
  if (slash < 1 || key === '') {
    throw new S3Error('InvalidArgument', 'Copy Source must mention the source bucket and key');
  }
  const [, versionId] = /^versionId=(.+)$/.exec(query) ?? [];
  if (versionId === undefined || source.slice(0, slash) !== bucket.name) {
    throw new S3Error('NotImplemented', 'The local S3 copies versions within a bucket only.');
  }
  return { key, versionId: parseVersionId(decodeUri(versionId)) };
}

function requireSource(bucket: Bucket, key: string, versionId: string): ObjectRecord {
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

import type { HttpResponse } from '../../http/http.ts';
import type { Bucket } from '../bucket.ts';
import { checksumElement, parseAlgorithm } from '../bodies/checksums.ts';
import { assertCopyable, writeCondition } from './conditions.ts';
import {
  type NewObject,
  type ObjectRecord,
  readMetadata,
  type StoredMetadata,
  versionHeader,
} from './object-metadata.ts';
import { requireObjectVersion } from './get-object.ts';
import { isDeleteMarker, NULL_VERSION } from '../versions/stored-version.ts';
import { parseVersionId } from '../versions/version-parameter.ts';
import { receiveBody } from '../bodies/receive-body.ts';
import { type RouteContext, xmlResponse } from '../protocol/route-context.ts';
import { S3Error } from '../protocol/s3-error.ts';
import { decodeUri } from '../signing/uri.ts';

/** CopyObject. The copy's ETag is its MD5, also if the source was uploaded in parts. */
export async function copyObject(context: RouteContext): Promise<HttpResponse> {
  const { auth, bucket, request, now } = context;
  const source = findSource(context);
  const metadata = copiedMetadata(context, source);
  const condition = writeCondition(auth.headers);
  const algorithm = auth.headers['x-amz-checksum-algorithm'];
  const record = await bucket.withDraft(async (draft) => {
    const received = await receiveBody(
      { pieces: source.bucket.read(source.record), size: source.record.size, trailers: new Map() },
      draft.write,
      algorithm === undefined ? source.record.checksum.algorithm : parseAlgorithm(algorithm),
    );
    const copy: NewObject = {
      ...metadata,
      key: request.key,
      size: received.size,
      etag: received.md5,
      lastModified: now().toISOString(),
      checksum: { ...received.checksum, type: 'FULL_OBJECT' },
    };
    return bucket.put(draft, copy, condition);
  });
  return xmlResponse(
    [
      'CopyObjectResult',
      [
        ['LastModified', record.lastModified],
        ['ETag', `"${record.etag}"`],
        ['ChecksumType', record.checksum.type],
        [checksumElement(record.checksum.algorithm), record.checksum.value],
      ],
    ],
    {
      ...versionHeader(record),
      ...(source.record.versionId !== NULL_VERSION && {
        'x-amz-copy-source-version-id': source.record.versionId,
      }),
    },
  );
}

interface CopySource {
  bucket: Bucket;
  record: ObjectRecord;
}

function findSource(context: RouteContext): CopySource {
  const { name, key, versionId } = sourceNamed(context.auth.headers['x-amz-copy-source'] ?? '');
  const bucket = context.bucketNamed(name);
  const action = versionId === undefined ? 's3:GetObject' : 's3:GetObjectVersion';
  context.requirePermission(action, { bucket: name, key });
  const record =
    versionId === undefined ? bucket.find(key) : requireSourceVersion(bucket, key, versionId);
  if (record === undefined) throw new S3Error('NoSuchKey', undefined, { Key: key });
  assertCopyable(record, context.auth.headers);
  return { bucket, record };
}

/** `<bucket>/<encoded key>`, with `?versionId=` for a version; a question mark of the key is encoded. */
function sourceNamed(header: string) {
  const [encoded = '', query] = header.split('?');
  const source = decodeUri(encoded).replace(/^\//, '');
  const slash = source.indexOf('/');
  const key = source.slice(slash + 1);
  const versionId = query?.replace(/^versionId=/, '');
  if (slash < 1 || key === '' || (query !== undefined && versionId === query)) {
    throw new S3Error('InvalidArgument', 'Copy Source must mention the source bucket and key');
  }
  return {
    name: source.slice(0, slash),
    key,
    versionId: versionId === undefined ? undefined : parseVersionId(decodeUri(versionId)),
  };
}

/** Unlike a read, a copy of a delete marker is an invalid request. */
function requireSourceVersion(bucket: Bucket, key: string, versionId: string): ObjectRecord {
  const [version] = bucket.versionsOf(key).filter((one) => one.versionId === versionId);
  if (version === undefined || !isDeleteMarker(version)) {
    return requireObjectVersion(bucket, key, versionId);
  }
  throw new S3Error(
    'InvalidRequest',
    'The source of a copy request may not specifically refer to a delete marker by version id.',
  );
}

function copiedMetadata(context: RouteContext, source: CopySource): StoredMetadata {
  const { headers } = context.auth;
  const directive = headers['x-amz-metadata-directive'] ?? 'COPY';
  if (headers['x-amz-tagging'] !== undefined) {
    throw new S3Error('NotImplemented', undefined, { Header: 'x-amz-tagging' });
  }
  const { system, user, tagCount } = source.record;
  if (directive === 'REPLACE') return { ...readMetadata(headers), tagCount };
  if (directive !== 'COPY') throw new S3Error('InvalidArgument', 'Unknown metadata directive.');
  const isCurrent = source.record === source.bucket.find(source.record.key);
  if (source.bucket === context.bucket && source.record.key === context.request.key && isCurrent) {
    throw new S3Error(
      'InvalidRequest',
      "This copy request is illegal because it is trying to copy an object to itself without changing the object's metadata, storage class, website redirect location or encryption attributes.",
    );
  }
  return { system, user, tagCount };
}

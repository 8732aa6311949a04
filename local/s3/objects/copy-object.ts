import type { HttpResponse } from '../../http/http.ts';
import type { Bucket } from '../bucket.ts';
import { checksumElement, parseAlgorithm } from '../bodies/checksums.ts';
import { assertCopyable, writeCondition } from './conditions.ts';
import { type ObjectRecord, readMetadata, type StoredMetadata } from './object-metadata.ts';
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
    const copy: ObjectRecord = {
      ...metadata,
      key: request.key,
      size: received.size,
      etag: received.md5,
      lastModified: now().toISOString(),
      checksum: { ...received.checksum, type: 'FULL_OBJECT' },
    };
    await bucket.put(draft, copy, condition);
    return copy;
  });
  return xmlResponse([
    'CopyObjectResult',
    [
      ['LastModified', record.lastModified],
      ['ETag', `"${record.etag}"`],
      ['ChecksumType', record.checksum.type],
      [checksumElement(record.checksum.algorithm), record.checksum.value],
    ],
  ]);
}

interface CopySource {
  bucket: Bucket;
  record: ObjectRecord;
}

function findSource(context: RouteContext): CopySource {
  const header = decodeUri(context.auth.headers['x-amz-copy-source'] ?? '').replace(/^\//, '');
  const slash = header.indexOf('/');
  const key = header.slice(slash + 1);
  if (slash < 1 || key === '' || /\?versionId=[^/]*$/.test(key)) {
    throw new S3Error('InvalidArgument', 'Copy Source must mention the source bucket and key');
  }
  const bucket = context.bucketNamed(header.slice(0, slash));
  context.requirePermission('s3:GetObject', { bucket: bucket.name, key });
  const record = bucket.find(key);
  if (record === undefined) throw new S3Error('NoSuchKey', undefined, { Key: key });
  assertCopyable(record, context.auth.headers);
  return { bucket, record };
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
  if (source.bucket === context.bucket && source.record.key === context.request.key) {
    throw new S3Error(
      'InvalidRequest',
      "This copy request is illegal because it is trying to copy an object to itself without changing the object's metadata, storage class, website redirect location or encryption attributes.",
    );
  }
  return { system, user, tagCount };
}

import type { HttpResponse } from '../../http/http.ts';
import type { Bucket } from '../bucket.ts';
import { checksumHeader } from '../bodies/checksums.ts';
import { type WriteCondition, writeCondition } from './conditions.ts';
import {
  type NewObject,
  type ObjectRecord,
  readMetadata,
  type StoredMetadata,
  versionHeader,
} from './object-metadata.ts';
import { type IncomingBody, incomingBody, receiveBody } from '../bodies/receive-body.ts';
import { emptyResponse, type RouteContext } from '../protocol/route-context.ts';

/** One write of an object. */
export interface ObjectWrite {
  key: string;
  metadata: StoredMetadata;
  condition: WriteCondition;
  now: () => Date;
}

/** PutObject. */
export async function putObject(context: RouteContext): Promise<HttpResponse> {
  const { request, auth, bucket, now } = context;
  const metadata = readMetadata(auth.headers);
  if (metadata.tagCount > 0) context.requirePermission('s3:PutObjectTagging');
  const condition = writeCondition(auth.headers);
  const body = incomingBody(request.body, auth);
  const record = await storeObject(bucket, { key: request.key, metadata, condition, now }, body);
  return emptyResponse(200, writtenHeaders(record));
}

/** Streams a body into a new version of an object, which is published atomically. */
export async function storeObject(
  bucket: Bucket,
  write: ObjectWrite,
  body: IncomingBody,
): Promise<ObjectRecord> {
  return bucket.withDraft(async (draft) => {
    const received = await receiveBody(body, draft.write);
    const object: NewObject = {
      ...write.metadata,
      key: write.key,
      size: received.size,
      etag: received.md5,
      lastModified: write.now().toISOString(),
      checksum: { ...received.checksum, type: 'FULL_OBJECT' },
    };
    return bucket.put(draft, object, write.condition);
  });
}

/** The response headers of a write. */
export function writtenHeaders(record: ObjectRecord): Record<string, string> {
  return {
    etag: `"${record.etag}"`,
    [checksumHeader(record.checksum.algorithm)]: record.checksum.value,
    'x-amz-checksum-type': record.checksum.type,
    'x-amz-server-side-encryption': 'AES256',
    ...versionHeader(record),
  };
}

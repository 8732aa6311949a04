import type { HttpResponse } from '../../http/http.ts';
import { crc32Headers } from '../bodies/checksums.ts';
import { readMetadata } from '../objects/object-metadata.ts';
import { incomingBody, receiveBody } from '../bodies/receive-body.ts';
import { emptyResponse, type RouteContext, xmlResponse } from '../protocol/route-context.ts';
import { S3Error } from '../protocol/s3-error.ts';
import { queryValue } from '../protocol/s3-request.ts';
import type { PartRecord, UploadRecord } from './upload-store.ts';

const MAX_PARTS = 10_000;

/** CreateMultipartUpload. */
export async function createUpload(context: RouteContext): Promise<HttpResponse> {
  const { auth, bucket, request, now } = context;
  const metadata = readMetadata(auth.headers);
  const upload = await bucket.uploads.create({
    key: request.key,
    initiatedAt: now().toISOString(),
    metadata,
  });
  return xmlResponse([
    'InitiateMultipartUploadResult',
    [
      ['Bucket', bucket.name],
      ['Key', upload.key],
      ['UploadId', upload.uploadId],
    ],
  ]);
}

/** UploadPart. */
export async function uploadPart(context: RouteContext): Promise<HttpResponse> {
  const { auth, bucket, request, now } = context;
  const upload = uploadOf(context);
  const partNumber = parsePartNumber(queryValue(request, 'partNumber') ?? '');
  const body = incomingBody(request.body, auth);
  return bucket.withDraft(async (draft) => {
    const received = await receiveBody(body, draft.write);
    const part: PartRecord = {
      partNumber,
      size: received.size,
      etag: received.md5,
      lastModified: now().toISOString(),
      crc32: received.crc32,
    };
    await bucket.uploads.putPart(upload, part, draft);
    return emptyResponse(200, {
      etag: `"${part.etag}"`,
      ...crc32Headers(part.crc32),
      'x-amz-server-side-encryption': 'AES256',
    });
  });
}

/** AbortMultipartUpload. */
export async function abortUpload(context: RouteContext): Promise<HttpResponse> {
  await context.bucket.uploads.remove(uploadOf(context));
  return emptyResponse(204);
}

/** The upload that a request names, or `NoSuchUpload`. */
export function uploadOf({ bucket, request }: RouteContext): UploadRecord {
  return bucket.uploads.get(queryValue(request, 'uploadId') ?? '', request.key);
}

/** A part number from 1 to 10,000, or `InvalidArgument`. */
export function parsePartNumber(text: string): number {
  const value = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (value >= 1 && value <= MAX_PARTS) return value;
  throw new S3Error(
    'InvalidArgument',
    'Part number must be an integer between 1 and 10000, inclusive',
  );
}

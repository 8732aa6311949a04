import { createHash } from 'node:crypto';
import type { HttpResponse } from '../../http/http.ts';
import type { Bucket } from '../bucket.ts';
import { bareEtag } from '../objects/conditions.ts';
import { parsePartNumber, uploadOf } from './multipart-upload.ts';
import type { Draft } from '../objects/object-files.ts';
import { type NewObject, versionHeader } from '../objects/object-metadata.ts';
import { incomingBody, receiveSmallBody } from '../bodies/receive-body.ts';
import { type RouteContext, xmlResponse } from '../protocol/route-context.ts';
import { S3Error } from '../protocol/s3-error.ts';
import type { PartRecord, UploadRecord } from './upload-store.ts';
import { childText, parseXml, type XmlElement } from '../protocol/xml.ts';
import { encodePath } from '../../signatures/sigv4.ts';

const MIN_PART_BYTES = 5 * 1024 * 1024;
const MAX_PARTS = 10_000;
const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** CompleteMultipartUpload: publishes the parts as one object in one step, then removes the upload. */
export async function completeUpload(context: RouteContext): Promise<HttpResponse> {
  const { auth, bucket, request, now } = context;
  const upload = uploadOf(context);
  const parts = chooseParts(bucket, upload, await readPartList(context));
  const record = await bucket.withDraft(async (draft) => {
    await joinParts(bucket, upload, parts, draft);
    const joined: NewObject = {
      ...upload.metadata,
      key: upload.key,
      size: parts.reduce((sum, { size }) => sum + size, 0),
      etag: multipartEtag(parts),
      lastModified: now().toISOString(),
    };
    bucket.uploads.get(upload.uploadId, upload.key);
    return bucket.put(draft, joined);
  });
  await bucket.uploads.remove(upload);
  return xmlResponse(
    [
      'CompleteMultipartUploadResult',
      [
        ['Location', `http://${auth.headers.host ?? ''}${encodePath(request.path)}`],
        ['Bucket', bucket.name],
        ['Key', record.key],
        ['ETag', `"${record.etag}"`],
      ],
    ],
    versionHeader(record),
  );
}

async function readPartList({ request, auth }: RouteContext): Promise<XmlElement[]> {
  const body = incomingBody(request.body, auth);
  const root = parseXml(await receiveSmallBody(body, MAX_BODY_BYTES));
  const parts = root.children.filter(({ name }) => name === 'Part');
  const isList = root.name === 'CompleteMultipartUpload' && parts.length === root.children.length;
  if (isList && parts.length > 0 && parts.length <= MAX_PARTS) return parts;
  throw new S3Error('MalformedXML');
}

function chooseParts(bucket: Bucket, upload: UploadRecord, listed: XmlElement[]): PartRecord[] {
  const stored = new Map(bucket.uploads.parts(upload).map((part) => [part.partNumber, part]));
  let before = 0;
  const chosen = listed.map((element) => {
    const partNumber = parsePartNumber(childText(element, 'PartNumber') ?? '');
    if (partNumber <= before) throw new S3Error('InvalidPartOrder');
    before = partNumber;
    const part = stored.get(partNumber);
    if (part === undefined || bareEtag(childText(element, 'ETag') ?? '') !== part.etag) {
      throw new S3Error('InvalidPart', undefined, { PartNumber: String(partNumber) });
    }
    assertPartChecksum(part, element);
    return part;
  });
  const small = chosen.slice(0, -1).find(({ size }) => size < MIN_PART_BYTES);
  if (small === undefined) return chosen;
  throw new S3Error('EntityTooSmall', undefined, {
    ProposedSize: String(small.size),
    MinSizeAllowed: String(MIN_PART_BYTES),
    PartNumber: String(small.partNumber),
  });
}

function assertPartChecksum({ crc32 }: PartRecord, element: XmlElement): void {
  const given = childText(element, 'ChecksumCRC32');
  if (given !== undefined && given !== crc32) throw new S3Error('InvalidPart');
}

/**
 * Writes all parts into the draft.
 *
 * Each part's MD5 is checked again: a part that was uploaded again meanwhile must not be used.
 */
async function joinParts(
  bucket: Bucket,
  upload: UploadRecord,
  parts: PartRecord[],
  draft: Draft,
): Promise<void> {
  for (const part of parts) {
    bucket.uploads.get(upload.uploadId, upload.key);
    const md5 = createHash('md5');
    for await (const piece of bucket.uploads.readPart(upload, part)) {
      md5.update(piece);
      await draft.write(piece);
    }
    if (md5.digest('hex') !== part.etag) throw new S3Error('InvalidPart');
  }
}

function multipartEtag(parts: PartRecord[]): string {
  const md5 = createHash('md5');
  for (const { etag } of parts) md5.update(Buffer.from(etag, 'hex'));
  return `${md5.digest('hex')}-${parts.length}`;
}

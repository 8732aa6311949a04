import { createHash } from 'node:crypto';
import type { HttpResponse } from '../../http/http.ts';
import type { Bucket } from '../bucket.ts';
import {
  algorithmOfHeader,
  type Checksum,
  checksumElement,
  checksumHeader,
  startDigest,
} from '../bodies/checksums.ts';
import { bareEtag, writeCondition } from '../objects/conditions.ts';
import { parsePartNumber, uploadOf } from './multipart-upload.ts';
import type { Draft } from '../objects/object-files.ts';
import { type NewObject, versionHeader } from '../objects/object-metadata.ts';
import { incomingBody, receiveSmallBody } from '../bodies/receive-body.ts';
import { type RouteContext, xmlResponse } from '../protocol/route-context.ts';
import { S3Error } from '../protocol/s3-error.ts';
import { encodePath } from '../signing/uri.ts';
import type { PartRecord, UploadRecord } from './upload-store.ts';
import { childText, parseXml, type XmlElement } from '../protocol/xml.ts';

const MIN_PART_BYTES = 5 * 1024 * 1024;
const MAX_PARTS = 10_000;
const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** CompleteMultipartUpload: publishes the parts as one object in one step, then removes the upload. */
export async function completeUpload(context: RouteContext): Promise<HttpResponse> {
  const { auth, bucket, request, now } = context;
  const upload = uploadOf(context);
  const condition = writeCondition(auth.headers);
  const parts = chooseParts(bucket, upload, await readPartList(context));
  const record = await bucket.withDraft(async (draft) => {
    const fullDigest = await joinParts(bucket, upload, parts, draft);
    const joined: NewObject = {
      ...upload.metadata,
      key: upload.key,
      size: parts.reduce((sum, { size }) => sum + size, 0),
      etag: multipartEtag(parts),
      lastModified: now().toISOString(),
      checksum: joinedChecksum(upload, parts, fullDigest),
    };
    assertClaims(auth.headers, joined);
    bucket.uploads.get(upload.uploadId, upload.key);
    return bucket.put(draft, joined, condition);
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
        [checksumElement(record.checksum.algorithm), record.checksum.value],
        ['ChecksumType', record.checksum.type],
      ],
    ],
    versionHeader(record),
  );
}

/** Checksum headers of this request are about the object, not about the XML body. */
async function readPartList({ request, auth }: RouteContext): Promise<XmlElement[]> {
  const own = Object.entries(auth.headers).filter(([name]) => !isChecksumHeader(name));
  const body = incomingBody(request.body, { ...auth, headers: Object.fromEntries(own) });
  const root = parseXml(await receiveSmallBody(body, MAX_BODY_BYTES));
  const parts = root.children.filter(({ name }) => name === 'Part');
  const isList = root.name === 'CompleteMultipartUpload' && parts.length === root.children.length;
  if (isList && parts.length > 0 && parts.length <= MAX_PARTS) return parts;
  throw new S3Error('MalformedXML');
}

function isChecksumHeader(name: string): boolean {
  return algorithmOfHeader(name) !== undefined;
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
    assertPartChecksum(upload, part, element);
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

function assertPartChecksum(upload: UploadRecord, part: PartRecord, element: XmlElement): void {
  const given = childText(element, checksumElement(part.checksum.algorithm));
  if (given !== undefined && given !== part.checksum.value) throw new S3Error('InvalidPart');
  if (given === undefined && upload.isChosen && upload.type === 'COMPOSITE') {
    throw new S3Error(
      'InvalidRequest',
      `The upload was created using a ${upload.algorithm.toLowerCase()} checksum. The complete request must include the checksum for each part. It was missing for part ${part.partNumber} in the request.`,
    );
  }
}

/**
 * Writes all parts into the draft and returns the digest of the whole object.
 *
 * Each part's MD5 is checked again: a part that was uploaded again meanwhile must not be used.
 */
async function joinParts(
  bucket: Bucket,
  upload: UploadRecord,
  parts: PartRecord[],
  draft: Draft,
): Promise<Buffer> {
  const digest = startDigest(upload.algorithm);
  for (const part of parts) {
    bucket.uploads.get(upload.uploadId, upload.key);
    const md5 = createHash('md5');
    for await (const piece of bucket.uploads.readPart(upload, part)) {
      md5.update(piece);
      digest.update(piece);
      await draft.write(piece);
    }
    if (md5.digest('hex') !== part.etag) throw new S3Error('InvalidPart');
  }
  return digest.digest();
}

function multipartEtag(parts: PartRecord[]): string {
  const md5 = createHash('md5');
  for (const { etag } of parts) md5.update(Buffer.from(etag, 'hex'));
  return `${md5.digest('hex')}-${parts.length}`;
}

function joinedChecksum(upload: UploadRecord, parts: PartRecord[], full: Buffer): Checksum {
  const { algorithm, type } = upload;
  if (type === 'FULL_OBJECT') return { algorithm, type, value: full.toString('base64') };
  const digest = startDigest(algorithm);
  for (const { checksum } of parts) digest.update(Buffer.from(checksum.value, 'base64'));
  return { algorithm, type, value: `${digest.digest().toString('base64')}-${parts.length}` };
}

function assertClaims(headers: Record<string, string>, record: NewObject): void {
  const size = headers['x-amz-mp-object-size'];
  if (size !== undefined && size !== String(record.size)) {
    throw new S3Error(
      'InvalidRequest',
      'The provided x-amz-mp-object-size does not match the size of the parts.',
    );
  }
  const { algorithm, value } = record.checksum;
  const claimed = headers[checksumHeader(algorithm)];
  if (claimed !== undefined && claimed !== value && claimed !== value.replace(/-\d+$/, '')) {
    throw new S3Error(
      'BadDigest',
      `The ${algorithm} you specified did not match the calculated checksum.`,
    );
  }
}

import type { HttpResponse } from '../../http/http.ts';
import { optional } from '../objects/list-objects.ts';
import { uploadOf } from './multipart-upload.ts';
import { type RouteContext, xmlResponse } from '../protocol/route-context.ts';
import { queryValue } from '../protocol/s3-request.ts';
import type { PartRecord, UploadRecord } from './upload-store.ts';
import type { XmlNode } from '../protocol/xml.ts';

/** S3's limit for one answer. */
const PAGE_SIZE = 1000;

/** ListMultipartUploads: by key, then by age. */
export async function listUploads({ bucket, request }: RouteContext): Promise<HttpResponse> {
  const prefix = queryValue(request, 'prefix') ?? '';
  const all = bucket.uploads.list().filter(({ key }) => key.startsWith(prefix));
  const page = all.slice(0, PAGE_SIZE);
  const last = page.length < all.length ? page.at(-1) : undefined;
  return xmlResponse([
    'ListMultipartUploadsResult',
    [
      ['Bucket', bucket.name],
      ...optional('NextKeyMarker', last?.key),
      ...optional('NextUploadIdMarker', last?.uploadId),
      ['Prefix', prefix],
      ['MaxUploads', PAGE_SIZE],
      ['IsTruncated', last !== undefined],
      ...page.map(uploadNode),
    ],
  ]);
}

function uploadNode({ key, uploadId, initiatedAt }: UploadRecord): XmlNode {
  return [
    'Upload',
    [
      ['Key', key],
      ['UploadId', uploadId],
      ['StorageClass', 'STANDARD'],
      ['Initiated', initiatedAt],
    ],
  ];
}

/** ListParts. */
export async function listParts(context: RouteContext): Promise<HttpResponse> {
  const { bucket } = context;
  const upload = uploadOf(context);
  const parts = bucket.uploads.parts(upload);
  const page = parts.slice(0, PAGE_SIZE);
  return xmlResponse([
    'ListPartsResult',
    [
      ['Bucket', bucket.name],
      ['Key', upload.key],
      ['UploadId', upload.uploadId],
      ['NextPartNumberMarker', page.at(-1)?.partNumber ?? 0],
      ['MaxParts', PAGE_SIZE],
      ['IsTruncated', page.length < parts.length],
      ...page.map(partNode),
    ],
  ]);
}

function partNode(part: PartRecord): XmlNode {
  return [
    'Part',
    [
      ['PartNumber', part.partNumber],
      ['LastModified', part.lastModified],
      ['ETag', `"${part.etag}"`],
      ['Size', part.size],
      ...optional('ChecksumCRC32', part.crc32),
    ],
  ];
}

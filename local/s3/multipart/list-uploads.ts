import type { HttpResponse } from '../../http/http.ts';
import { checksumElement } from '../bodies/checksums.ts';
import { keyEncoder, optional } from '../objects/list-objects.ts';
import { uploadOf } from './multipart-upload.ts';
import { countParameter, type RouteContext, xmlResponse } from '../protocol/route-context.ts';
import { queryValue } from '../protocol/s3-request.ts';
import { compareUtf8 } from '../objects/list-page.ts';
import type { PartRecord, UploadRecord } from './upload-store.ts';
import type { XmlNode } from '../protocol/xml.ts';

/** ListMultipartUploads: by key, then by age. */
export async function listUploads({ bucket, request }: RouteContext): Promise<HttpResponse> {
  const prefix = queryValue(request, 'prefix') ?? '';
  const keyMarker = queryValue(request, 'key-marker') ?? '';
  const idMarker = queryValue(request, 'upload-id-marker') ?? '';
  const maxUploads = countParameter(request, 'max-uploads', 1000);
  const encode = keyEncoder(request);
  const all = bucket.uploads.list().filter(({ key }) => key.startsWith(prefix));
  const left = all.slice(firstAfter(all, keyMarker, idMarker));
  const page = left.slice(0, maxUploads);
  const last = page.length < left.length ? page.at(-1) : undefined;
  return xmlResponse([
    'ListMultipartUploadsResult',
    [
      ['Bucket', bucket.name],
      ['KeyMarker', encode(keyMarker)],
      ['UploadIdMarker', idMarker],
      ...optional('NextKeyMarker', last && encode(last.key)),
      ...optional('NextUploadIdMarker', last?.uploadId),
      ['Prefix', encode(prefix)],
      ...optional('EncodingType', queryValue(request, 'encoding-type')),
      ['MaxUploads', maxUploads],
      ['IsTruncated', last !== undefined],
      ...page.map((upload) => uploadNode(upload, encode)),
    ],
  ]);
}

/** Markers name the last upload of the previous page; without an id, all uploads of that key are skipped. */
function firstAfter(all: UploadRecord[], keyMarker: string, idMarker: string): number {
  const marked = all.findIndex(({ key, uploadId }) => key === keyMarker && uploadId === idMarker);
  if (marked !== -1) return marked + 1;
  const next = all.findIndex(({ key }) => compareUtf8(key, keyMarker) > 0);
  return next === -1 ? all.length : next;
}

function uploadNode(upload: UploadRecord, encode: (text: string) => string): XmlNode {
  return [
    'Upload',
    [
      ['Key', encode(upload.key)],
      ['UploadId', upload.uploadId],
      ['StorageClass', 'STANDARD'],
      ['Initiated', upload.initiatedAt],
      ...checksumNodes(upload),
    ],
  ];
}

function checksumNodes({ isChosen, algorithm, type }: UploadRecord): XmlNode[] {
  if (!isChosen) return [];
  return [
    ['ChecksumAlgorithm', algorithm],
    ['ChecksumType', type],
  ];
}

/** ListParts. */
export async function listParts(context: RouteContext): Promise<HttpResponse> {
  const { bucket, request } = context;
  const upload = uploadOf(context);
  const marker = Number(queryValue(request, 'part-number-marker') ?? '0');
  const maxParts = countParameter(request, 'max-parts', 1000);
  const left = bucket.uploads.parts(upload).filter(({ partNumber }) => partNumber > marker);
  const page = left.slice(0, maxParts);
  return xmlResponse([
    'ListPartsResult',
    [
      ['Bucket', bucket.name],
      ['Key', upload.key],
      ['UploadId', upload.uploadId],
      ['PartNumberMarker', marker],
      ['NextPartNumberMarker', page.at(-1)?.partNumber ?? marker],
      ['MaxParts', maxParts],
      ['IsTruncated', page.length < left.length],
      ...checksumNodes(upload),
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
      [checksumElement(part.checksum.algorithm), part.checksum.value],
    ],
  ];
}

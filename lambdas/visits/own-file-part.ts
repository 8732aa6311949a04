import { attachmentDisposition } from '../../core/content/content-disposition.ts';
import { contentKey } from '../../core/content/content-keys.ts';
import { mediaType } from '../../core/content/media-type.ts';
import { zipLength } from '../../core/content/zip/write-archive.ts';
import type { ContentStore } from '../../core/ports.ts';
import type { OwnFileLink, OwnZipLink } from '../../core/visit/access/own-file-link.ts';
import { type PreviewDeps, shownVersion } from '../../core/visit/access/preview.ts';
import { isTooLarge, zipEntries, zipOf } from '../../core/visit/decide-zip.ts';
import { rangeAt } from '../../core/visit/file-place.ts';
import { type ContentMemory, loadContent } from '../../core/visit/manifest.ts';
import {
  type ByteRange,
  ifRangeHolds,
  lengthOf,
  readRange,
} from '../../core/visit/protocol/conditional-request.ts';
import type { ServingRecord } from '../../core/visit/serving-record.ts';
import { readStored } from '../../core/visit/zip-contents.ts';
import { notFoundPage } from '../../web/pages/visitor/refusal-pages.ts';
import type { EdgeRequest } from './edge-request.ts';
import { refusalResponse, type VisitResponse } from './response-parts.ts';
import { zipBytes, zipHeaders } from './zip-response.ts';

/** The dependencies for reading what a link gives. */
export interface PartDeps extends Pick<PreviewDeps, 'keptVersion'> {
  brand: string;
  content: Pick<ContentStore, 'get'>;
  contents: ContentMemory;
}

/** What a link gives: the head of the response, and its bytes. */
export interface Part {
  status: number;
  headers: Record<string, string>;
  size: number;
  content: () => AsyncGenerator<Uint8Array>;
}

/** A file, or the requested range of it. */
export function partOfFile(
  { content }: PartDeps,
  request: EdgeRequest,
  link: OwnFileLink,
): Part | VisitResponse {
  const range = rangeOf(request, link);
  if (range === 'unsatisfiable')
    return { status: 416, headers: { 'content-range': `bytes */${link.size}` } };
  const part = range === 'whole' ? undefined : range;
  return {
    status: part === undefined ? 200 : 206,
    headers: headersOf(link, part),
    size: part === undefined ? link.size : lengthOf(part),
    content: () => readPart(content, link, part),
  };
}

/** All files of a version that is still kept. */
export async function zipOfVersion(
  deps: PartDeps,
  site: ServingRecord,
  { version, name }: OwnZipLink,
): Promise<Part | VisitResponse> {
  const shown = await shownVersion(deps, site, version);
  const content = shown === 'ended' ? undefined : await loadContent(deps, shown);
  const zip = content && zipOf(content.files);
  if (shown === 'ended' || zip === undefined || isTooLarge(zip)) return missingFile(deps.brand);
  const files = zipEntries(zip.files);
  return {
    status: 200,
    headers: zipHeaders(name),
    size: zipLength(files.map(({ path, entry }) => ({ path, size: entry.size }))),
    content: () => zipBytes(deps, shown, files),
  };
}

/** The page for a file that does not exist any more. */
export function missingFile(brand: string): VisitResponse {
  return refusalResponse(404, notFoundPage({ brand, kind: 'file' }));
}

/** The bytes at a place do not change while a link to it works. */
function etagOf({ location, offset = 0 }: OwnFileLink): string {
  return `"${location}:${offset}"`;
}

function rangeOf({ conditions }: EdgeRequest, link: OwnFileLink) {
  const current = { etag: etagOf(link), lastModified: new Date(0) };
  const isSame = ifRangeHolds(conditions.ifRange, current);
  return readRange(isSame ? conditions.range : undefined, link.size);
}

/**
 * The file may have any type, but the browser saves it and does not run it. A streamed response has
 * no `Content-Length`.
 */
function headersOf(link: OwnFileLink, part: ByteRange | undefined) {
  const { name, size } = link;
  return {
    'content-type': mediaType(name),
    'content-disposition': attachmentDisposition(name),
    ...(part !== undefined && { 'content-range': `bytes ${part.first}-${part.last}/${size}` }),
    'content-security-policy': 'sandbox',
    'cache-control': 'private, no-store',
    'accept-ranges': 'bytes',
    etag: etagOf(link),
    'x-robots-tag': 'noindex',
  };
}

function readPart(
  content: Pick<ContentStore, 'get'>,
  { projectId, location, offset, size }: OwnFileLink,
  part: ByteRange = { first: 0, last: size - 1 },
): AsyncGenerator<Uint8Array> {
  const place = { key: contentKey(projectId, location), size, offset };
  const range = rangeAt(place, part) ?? part;
  return readStored({ key: place.key, range }, (key, piece) => content.get(key, piece));
}

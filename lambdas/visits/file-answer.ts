import { contentKey } from '../../core/content/content-keys.ts';
import { baseName } from '../../core/content/file-name.ts';
import { isActive } from '../../core/content/media-type.ts';
import type { PageHead } from '../../core/page-edits/page-head.ts';
import { inlineAs } from '../../core/projects/publishing/store-files.ts';
import { lengthOf } from '../../core/visit/protocol/byte-range.ts';
import {
  cacheControl,
  revalidated,
  secondsLeft,
  siteCacheControl,
} from '../../core/visit/protocol/cache-policy.ts';
import { isEncodable } from '../../core/visit/protocol/choose-encoding.ts';
import { type Decision, etagOf, type ServedFile } from '../../core/visit/decide-visit.ts';
import { placeIn } from '../../core/visit/manifest.ts';
import { isSingleFile, type ServingRecord } from '../../core/visit/serving-record.ts';
import {
  forOne,
  type PageEdit,
  siteHeaders,
  unchanged,
  unsatisfiable,
  type VisitAnswer,
} from './visit-answer.ts';

/** A file whole, in part, or unchanged. */
export function fileAnswer(
  site: ServingRecord,
  decision: Extract<Decision, { kind: 'file' | 'not-modified' }>,
  now: Date,
): VisitAnswer {
  const { file } = decision;
  const headers = fileHeaders(site, file, now);
  if (decision.kind === 'not-modified') return unchanged(headers, file.contentType);
  const { range } = decision;
  if (range === undefined) {
    const { rangeField } = decision;
    return wholeFile(site, { file, status: 200, headers, rangeField });
  }
  const { size } = file.entry;
  const part = {
    status: 206,
    headers: {
      ...typed(site, file, headers),
      'content-length': String(lengthOf(range)),
      'content-range': `bytes ${range.first}-${range.last}/${size}`,
    },
    stored: { key: keyOf(site, file), range },
  };
  // A piece is less than was asked for: an edge must not take it for more.
  return decision.isPiece === true ? forOne(part) : part;
}

/** A site's own page for what it has not; its validators would be those of another address. */
export function notFoundFile(site: ServingRecord, file: ServedFile, now: Date): VisitAnswer {
  const { etag: _, 'last-modified': __, ...headers } = fileHeaders(site, file, now);
  return forOne(wholeFile(site, { file, status: 404, headers }));
}

interface WholeFile {
  file: ServedFile;
  status: number;
  headers: Record<string, string>;
  rangeField?: string | undefined;
}

function wholeFile(
  site: ServingRecord,
  { file, status, headers, rangeField }: WholeFile,
): VisitAnswer {
  const { coding, head } = file;
  const { size } = file.entry;
  const own = typed(site, file, headers);
  if (size === 0) return { status, headers: { ...own, 'content-length': '0' }, text: '' };
  // To know how long it will be, HEAD would have to read the file.
  const isChanged = coding !== undefined || head !== undefined;
  return {
    status,
    headers: {
      ...own,
      ...(!isChanged && { 'content-length': String(size) }),
      ...(coding !== undefined && { 'content-encoding': coding }),
    },
    stored: { key: keyOf(site, file) },
    ...(coding !== undefined && { coding }),
    ...(head !== undefined && { edit: editOf(site, head, rangeField) }),
  };
}

function editOf(site: ServingRecord, head: PageHead, range: string | undefined): PageEdit {
  return { head, range, unsatisfiable: (size) => unsatisfiable(site, size) };
}

/** Fields of the site's own may say the type, so that they come after it. */
function typed(
  site: ServingRecord,
  file: ServedFile,
  headers: Record<string, string>,
): Record<string, string> {
  const own = { 'accept-ranges': 'bytes', 'content-type': file.contentType, ...headers };
  return site.home === null ? { ...own, ...rawHeaders(file.path, own['content-type']) } : own;
}

function keyOf(site: ServingRecord, { path, entry }: ServedFile): string {
  return contentKey(site.projectId, placeIn(site.store, path, entry));
}

/**
 * A file that its owner did not publish as a page runs nothing and belongs to no site, whoever opens
 * it: our own pages have the same address. An `<img>` of it is not concerned.
 */
function rawHeaders(path: string, contentType: string): Record<string, string> {
  return {
    'content-disposition': inlineAs(baseName(path)),
    ...(isActive(contentType) && { 'content-security-policy': 'sandbox' }),
  };
}

/** What a file's answers have in common, also one that says that nothing has changed (RFC 9110 §15.4.5). */
function fileHeaders(site: ServingRecord, file: ServedFile, now: Date): Record<string, string> {
  const { contentType, entry, fields = new Map<string, string>() } = file;
  const { 'x-robots-tag': ours, ...common } = siteHeaders(site);
  const { 'cache-control': wanted, 'x-robots-tag': theirs, ...own } = Object.fromEntries(fields);
  const robots = [ours, theirs].filter((one) => one !== undefined).join(', ');
  // Asked at every view, or an edge would give to navigations what is for the page alone.
  const isKept = isSingleFile(site) && site.disableDownloads;
  const kept = isKept ? revalidated : cacheControl(site, file.path, now);
  return {
    ...common,
    etag: etagOf(file),
    'last-modified': new Date(site.publishedAt).toUTCString(),
    ...(isEncodable(contentType, entry.size) && { vary: 'Accept-Encoding' }),
    ...own,
    ...(robots !== '' && { 'x-robots-tag': robots }),
    'cache-control':
      wanted === undefined ? kept : siteCacheControl(kept, wanted, secondsLeft(site, now)),
  };
}

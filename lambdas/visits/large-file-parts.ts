import { contentKey } from '../../core/content/content-keys.ts';
import { plusSeconds } from '../../core/instants.ts';
import type { MediaLinks } from '../../core/ports.ts';
import { allowOrigin } from '../../core/visit/cross-origin.ts';
import type { ServedFile } from '../../core/visit/decide-visit.ts';
import { type AddressedDecision, toLargeFileAddress } from '../../core/visit/large-file-address.ts';
import { fileLocation } from '../../core/visit/manifest.ts';
import { mediaLinkSeconds, withoutEdgeTtl } from '../../core/visit/protocol/cache-policy.ts';
import type { ServingRecord } from '../../core/visit/serving-record.ts';
import type { EdgeRequest } from './edge-request.ts';
import {
  fileResponse,
  previewResponse,
  privateRedirect,
  privateResponse,
  siteHeaders,
  type VisitResponse,
} from './response-parts.ts';

type LargeFileDecision = Extract<
  AddressedDecision,
  { kind: 'media' | 'to-large-file' | 'to-own-path' | 'stream' }
>;

export function isLargeFileDecision(decision: AddressedDecision): decision is LargeFileDecision {
  return ['media', 'to-large-file', 'to-own-path', 'stream'].includes(decision.kind);
}

/** What the gate answers about a file that is too large for it. */
export async function largeFileDecided(
  mediaLinks: MediaLinks,
  request: EdgeRequest,
  { site, decision }: { site: ServingRecord; decision: LargeFileDecision },
  now: Date,
): Promise<VisitResponse> {
  switch (decision.kind) {
    case 'media':
      return signedLinkResponse(mediaLinks, site, decision.file, now);
    case 'to-large-file': {
      const { file } = decision;
      const address = toLargeFileAddress({ hash: file.entry.hash, path: request.path });
      return openedRedirect(privateRedirect(site, address), file);
    }
    case 'to-own-path':
      return redirectToOwnPath(site, request);
    case 'stream':
      // A HEAD needs no bytes.
      return request.method === 'HEAD'
        ? fileResponse(site, { ...decision, kind: 'file' }, now)
        : leftToStreams(site);
  }
}

/** A redirect that pages of other origins may follow where they may read the file: browsers check each step. */
function openedRedirect(
  { headers, ...redirect }: VisitResponse,
  { isOpen, fields }: ServedFile,
): VisitResponse {
  const named = [...(fields ?? [])].filter(([name]) => name.startsWith('access-control-allow-'));
  const opening = { ...(isOpen === true && { [allowOrigin]: '*' }), ...Object.fromEntries(named) };
  return { ...redirect, headers: { ...headers, ...opening } };
}

/** A redirect to a signed link, for what no function can send. */
export async function signedLinkResponse(
  mediaLinks: MediaLinks,
  site: ServingRecord,
  file: ServedFile,
  now: Date,
): Promise<VisitResponse> {
  const key = contentKey(site.projectId, fileLocation(site.store, file.path, file.entry));
  return privateRedirect(site, await mediaLinks.sign(site.host, key, mediaLinkEnd(site, now)));
}

/** A link is valid for seconds, and never longer than the project. Signatures have whole seconds. */
function mediaLinkEnd({ expiresAt }: ServingRecord, now: Date): Date {
  const usual = plusSeconds(now, mediaLinkSeconds).getTime();
  const end = expiresAt === null ? usual : Math.min(usual, Date.parse(expiresAt));
  return new Date(Math.floor(end / 1000) * 1000);
}

/** A redirect to the address of the path's present content. */
export function redirectToOwnPath(
  site: ServingRecord,
  { path, query }: { path: string; query: string },
): VisitResponse {
  // Two slashes would begin the address of another site.
  const own = path.replace(/^\/+/, '/');
  return privateRedirect(site, query === '' ? own : `${own}?${query}`);
}

/**
 * What the gate answers where the streaming function must: the edge then asks that one, with the same
 * request. Nothing but the gate answers 416 at this address, so no failure of it leads there.
 */
function leftToStreams(site: ServingRecord): VisitResponse {
  return privateResponse({ status: 416, headers: siteHeaders(site) });
}

/**
 * The same response as caches may keep it. The edge asks about it at every view, because a response
 * that takes minutes may show a state that has changed. A browser keeps the file of a site that is
 * not public too, and asks at every view whether it may still show it.
 */
export function largeFileAudience(
  site: ServingRecord,
  isPreview: boolean,
  response: VisitResponse,
): VisitResponse {
  if (isPreview) return previewResponse(response);
  const { headers, status } = response;
  const requested = headers['cache-control'] ?? 'private, no-store';
  if (site.access === 'public') {
    return { ...response, headers: { ...headers, 'cache-control': withoutEdgeTtl(requested) } };
  }
  if (![200, 206, 304].includes(status) || requested.includes('no-store'))
    return privateResponse(response);
  return { ...response, headers: { ...headers, 'cache-control': 'private, no-cache' } };
}

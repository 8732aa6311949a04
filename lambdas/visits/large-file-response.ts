import type { NetworkBytes } from '../../core/analytics/traffic.ts';
import { CodedError } from '../../core/errors.ts';
import { countByAddress } from '../../core/limits/address-limits.ts';
import type { Counters } from '../../core/limits/counters.ts';
import type { MediaLinks } from '../../core/ports.ts';
import { decideVisit, sentBytes } from '../../core/visit/decide-visit.ts';
import {
  type AddressedDecision,
  decideAtAddress,
  readLargeFileAddress,
  withoutPieces,
} from '../../core/visit/large-file-address.ts';
import { applicableConditions, type LoadSiteDeps, loadSite } from '../../core/visit/load-site.ts';
import type { ServingRecord } from '../../core/visit/serving-record.ts';
import { readStored } from '../../core/visit/zip-contents.ts';
import { notFoundPage } from '../../web/pages/visitor/refusal-pages.ts';
import type { EdgeRequest } from './edge-request.ts';
import { largeFileAudience, redirectToOwnPath, signedLinkResponse } from './large-file-parts.ts';
import { withoutReports } from './former-tenant-response.ts';
import { ofWhole, wantedBytes } from './record-traffic.ts';
import { refusalPage } from './refusal-page.ts';
import {
  fileResponse,
  preconditionFailed,
  rangeNotSatisfiable,
  redirectToPreviewEnd,
  refusalResponse,
  type VisitResponse,
} from './response-parts.ts';
import { type StreamedResponse, takeStreamPlace, untilRead } from './stream-response.ts';

/** The dependencies of a streamed file. */
export interface LargeFileDeps extends LoadSiteDeps {
  brand: string;
  counters: Pick<Counters, 'count'>;
  mediaLinks: MediaLinks;
}

/** Streams that a client may begin in a minute, of all projects together: each keeps a function busy. */
const streamRate = { limit: 60, windowSeconds: 60 };

/**
 * A large file at its own address. The gate has decided before, and what it decided may be outdated, so
 * access and file are decided here again.
 */
export async function largeFileResponse(
  deps: LargeFileDeps,
  request: EdgeRequest,
  now: Date,
): Promise<StreamedResponse> {
  const address = readLargeFileAddress(request.path);
  if (address === undefined) return missingFile(deps.brand);
  const fileRequest = { ...request, path: address.path };
  const loaded = await loadSite(deps, fileRequest, now);
  const { site, files, refusal, isPreview } = loaded;
  if (refusal?.kind === 'preview-ended') return redirectToPreviewEnd();
  if (refusal !== undefined) {
    const at = { brand: deps.brand, domainId: request.domainId };
    const { status, page } = refusalPage(at, refusal, fileRequest.path);
    return withoutReports(refusalResponse(status, page), { site, decision: refusal }, now);
  }
  const conditions = applicableConditions(loaded, request.conditions);
  const decided = withoutPieces(decideVisit(site, files, { ...fileRequest, conditions }));
  const decision = decideAtAddress(decided, address.hash);
  const end = decision.kind === 'stream' ? await placeOf(deps, request, now) : nothing;
  const response =
    decision.kind === 'stream' && end === undefined
      ? await signedLinkResponse(deps.mediaLinks, site, decision.file, now)
      : await responseTo(deps, fileRequest, { site, decision }, now);
  const { stored, ...head } = largeFileAudience(site, isPreview, response);
  if (request.method === 'HEAD') return head;
  if (stored === undefined || end === undefined)
    return { ...head, site, elsewhere: bytesElsewhere(request, decision, head) };
  const range = stored.range ?? { first: 0, last: wholeLength(decision) - 1 };
  const bytes = readStored({ key: stored.key, range }, (key, part) => deps.content.get(key, part));
  return { ...head, site, bytes: untilRead(bytes, end) };
}

/** The page for a large file that does not exist. */
export function missingFile(brand: string): VisitResponse {
  return refusalResponse(404, notFoundPage({ brand, kind: 'file' }));
}

async function responseTo(
  { brand, mediaLinks }: LargeFileDeps,
  request: EdgeRequest,
  { site, decision }: { site: ServingRecord; decision: AddressedDecision },
  now: Date,
): Promise<VisitResponse> {
  const { kind } = decision;
  if (kind === 'stream') return fileResponse(site, { ...decision, kind: 'file' }, now);
  if (kind === 'media') return signedLinkResponse(mediaLinks, site, decision.file, now);
  // A whole file that is small enough for the gate: there is one way to send it.
  if (kind === 'not-modified' || (kind === 'file' && decision.range !== undefined))
    return fileResponse(site, decision, now);
  if (kind === 'precondition-failed') return preconditionFailed(site);
  if (kind === 'unsatisfiable') return rangeNotSatisfiable(site, decision.size);
  if (kind === 'missing' || kind === 'not-found-page') return missingFile(brand);
  return redirectToOwnPath(site, request);
}

/** What is sent after a response without a stored file: by the edge, which has it, or by the link of a decision to send one. */
function bytesElsewhere(
  request: EdgeRequest,
  decision: AddressedDecision,
  { headers }: Pick<VisitResponse, 'headers'>,
): NetworkBytes {
  if (decision.kind === 'not-modified')
    return { sent: ofWhole(request, sentBytes(decision.file), headers['etag']), offered: 0 };
  const isLinked = decision.kind === 'media' || decision.kind === 'stream';
  const { range } = request.viewer;
  return { sent: 0, offered: isLinked ? wantedBytes(range, decision.file.entry.size) : 0 };
}

function wholeLength(decision: AddressedDecision): number {
  return decision.kind === 'stream' ? sentBytes(decision.file) : 0;
}

const nothing = async () => {};

/** Takes a place for a stream, if this client may keep another function busy. */
async function placeOf(
  { counters }: LargeFileDeps,
  { address, requestId, method }: EdgeRequest,
  now: Date,
): Promise<(() => Promise<void>) | undefined> {
  if (method === 'HEAD') return nothing;
  const counted = { name: 'streams', rule: streamRate, what: 'large files' };
  try {
    await countByAddress(counters, { address, requestId }, counted, now);
    return await takeStreamPlace(counters, address, now);
  } catch (error) {
    if (error instanceof CodedError && error.code === 'RATE_LIMITED') return undefined;
    throw error;
  }
}

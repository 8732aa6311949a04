import { networkId } from '../../core/analytics/hit.ts';
import { trafficMeter, type TrafficQueue } from '../../core/analytics/traffic.ts';
import { isShownAsText, shownBytesOf } from '../../core/content/text-file.ts';
import { sentBytes } from '../../core/visit/decide-visit.ts';
import { lengthOf, readRange } from '../../core/visit/protocol/conditional-request.ts';
import type { RotatingSecret } from '../../core/secrets/rotating-secret.ts';
import type { ServingRecord } from '../../core/visit/serving-record.ts';
import { logger } from '../shared/logger.ts';
import type { VisitOutcome } from './response-parts.ts';
import type { EdgeRequest } from './edge-request.ts';
import type { UrlResult } from './send-response.ts';

/** Records sent bytes of a site. A failure to count never affects the response. */
export type RecordTraffic = (
  request: Pick<EdgeRequest, 'address'>,
  site: Pick<ServingRecord, 'ownerId' | 'projectId'> | undefined,
  bytes: number,
) => Promise<void>;

/** Collects in memory, and sends a message for each few megabytes of an account or of a temporary project. */
export function trafficRecorder(queue: TrafficQueue, secret: RotatingSecret): RecordTraffic {
  const meter = trafficMeter();
  return async ({ address }, site, bytes) => {
    if (site === undefined || bytes <= 0) return;
    const { ownerId, projectId } = site;
    const now = new Date();
    const network = networkId({ countedFor: ownerId ?? projectId, address }, secret.current, now);
    const collected = meter({ ownerId, projectId, network, bytes }, now);
    if (collected === undefined) return;
    await queue
      .send(collected)
      .catch((error: unknown) => logger.error('bytes were not counted', { error: String(error) }));
  };
}

/**
 * The edge may cache smaller files; bytes that it sends without asking the gate are not counted
 * (decision 0144).
 */
const uncountedBytes = 64 * 1024;

/** Whether the edge must revalidate the response at each request, so that its bytes are counted. */
export function isAlwaysCounted({ decision }: Pick<VisitOutcome, 'decision'>): boolean {
  return 'file' in decision && sentBytes(decision.file) > uncountedBytes;
}

/**
 * The bytes that a visitor gets because of a response of the gate. A 304 counts too, because the
 * edge then sends its copy, unless the visitor has one. `viewer` has the visitor's own headers;
 * other fields of the request may be the edge's.
 */
export function visitorBytes(
  request: Pick<EdgeRequest, 'viewer' | 'conditions'>,
  { decision, site }: Pick<VisitOutcome, 'decision' | 'site'>,
  { body = '', isBase64Encoded, headers }: Pick<UrlResult, 'body' | 'isBase64Encoded' | 'headers'>,
): number {
  if (request.viewer.method === 'HEAD') return 0;
  const inBody = Buffer.byteLength(body, isBase64Encoded === true ? 'base64' : 'utf8');
  if (decision.kind === 'not-modified') return ofWhole(request, sentBytes(decision.file), headers);
  if (decision.kind === 'single-file-page' && body === '')
    return ofWhole(request, shownBytes(decision, site), headers);
  // No edge keeps what clears a browser of its former tenant: it sends the whole body on, whatever the visitor has.
  const isKept = headers['clear-site-data'] === undefined;
  const isWhole =
    isKept &&
    decision.kind === 'file' &&
    decision.range === undefined &&
    decision.rangeField === undefined;
  // A date for which the gate sends the file after all has no copy behind it.
  return isWhole ? ofWhole({ ...request, conditions: {} }, inBody, headers) : inBody;
}

/** The bytes of a file that its page shows as text; the edge may send its copy of such a page too. */
function shownBytes(
  { path, entry }: Extract<VisitOutcome['decision'], { kind: 'single-file-page' }>,
  site: VisitOutcome['site'],
): number {
  const { size } = entry;
  const isText = site !== undefined && isShownAsText(site.type, { path, size });
  return isText ? Math.min(size, shownBytesOf(path)) : 0;
}

/** The headers by which a visitor's copy of a file is compared, as they are sent; without one, no copy is the same by it. */
export type SentValidators = Readonly<
  Partial<Record<'etag' | 'last-modified', string | undefined>>
>;

/**
 * The bytes that a visitor gets of a file of `size` bytes that the edge or storage has. Only what browsers send is taken
 * for a copy or a part: others read a field in another spelling each in their own way, and may send the whole file.
 */
export function ofWhole(
  { viewer, conditions }: Pick<EdgeRequest, 'viewer' | 'conditions'>,
  size: number,
  { etag, 'last-modified': lastModified }: SentValidators,
): number {
  const { ifNoneMatch, ifRange, range } = viewer;
  const hasCopy = etag !== undefined && (ifNoneMatch === etag || ifNoneMatch === `W/${etag}`);
  // The edge revalidates by ETag only, so a condition with only a date comes from a visitor who has
  // a copy.
  const isForDate =
    conditions.ifNoneMatch === undefined && conditions.ifModifiedSince !== undefined;
  if (hasCopy || (isForDate && ifNoneMatch === undefined)) return 0;
  const isPart = ifRange === undefined || ifRange === etag || ifRange === lastModified;
  return isPart ? wantedBytes(range, size) : size;
}

/** The bytes that a visitor gets of a file of `size` bytes with this `Range`; of one that browsers do not send, all. */
export function wantedBytes(field: string | undefined, size: number): number {
  const range = /^bytes=\d*-\d*$/.test(field ?? '') ? readRange(field, size) : 'whole';
  if (range === 'unsatisfiable') return 0;
  return range === 'whole' ? size : lengthOf(range);
}

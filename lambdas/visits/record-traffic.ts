import { networkId } from '../../core/analytics/hit.ts';
import { trafficMeter, type TrafficQueue } from '../../core/analytics/traffic.ts';
import { sentBytes } from '../../core/visit/decide-visit.ts';
import { readRange } from '../../core/visit/protocol/conditional-request.ts';
import type { RotatingSecret } from '../../core/secrets/rotating-secret.ts';
import type { SiteFile } from '../../core/visit/route-visit.ts';
import type { ServingRecord } from '../../core/visit/serving-record.ts';
import { logger } from '../shared/logger.ts';
import type { VisitOutcome } from './build-response.ts';
import type { EdgeRequest } from './edge-request.ts';
import type { UrlResult } from './send-response.ts';

/** Records bytes that were sent for a site. A response is never lost because it cannot be counted. */
export type RecordTraffic = (
  request: Pick<EdgeRequest, 'address'>,
  site: Pick<ServingRecord, 'ownerId'> | undefined,
  bytes: number,
) => Promise<void>;

/** Collects in memory, and sends a message for each few megabytes of an account. */
export function trafficRecorder(queue: TrafficQueue, secret: RotatingSecret): RecordTraffic {
  const meter = trafficMeter();
  return async ({ address }, site, bytes) => {
    const ownerId = site?.ownerId ?? null;
    if (ownerId === null || bytes <= 0) return;
    const now = new Date();
    const network = networkId({ countedFor: ownerId, address }, secret.current, now);
    const collected = meter({ ownerId, network, bytes }, now);
    if (collected === undefined) return;
    await queue
      .send(collected)
      .catch((error: unknown) => logger.error('bytes were not counted', { error: String(error) }));
  };
}

/** Smaller files are kept at the edge, and what it sends by itself is not counted (decision 0144). */
const uncountedBytes = 64 * 1024;

/** Whether the edge must ask the gate at each request for what it keeps, so that its bytes are counted. */
export function isAlwaysCounted({ decision }: Pick<VisitOutcome, 'decision'>): boolean {
  return 'file' in decision && sentBytes(decision.file) > uncountedBytes;
}

/**
 * The bytes that a visitor gets by a response of the gate. After a 304 the edge sends its copy, and after
 * a link storage does. Whether a browser asks or the edge is not known here: a 304 counts as the file.
 */
export function visitorBytes(
  { method, conditions }: Pick<EdgeRequest, 'method' | 'conditions'>,
  { decision }: Pick<VisitOutcome, 'decision'>,
  { body = '', isBase64Encoded }: Pick<UrlResult, 'body' | 'isBase64Encoded'>,
): number {
  if (method === 'HEAD') return 0;
  if (decision.kind === 'media') return linkedBytes(decision.file, conditions.range);
  if (decision.kind === 'not-modified') return sentBytes(decision.file);
  return isBase64Encoded === true ? Math.floor(body.length * 0.75) : Buffer.byteLength(body);
}

/** The bytes of a file that storage or the edge sends, whole or of the range that was asked for. */
export function linkedBytes(
  { entry: { size } }: Pick<SiteFile, 'entry'>,
  asked: string | undefined,
): number {
  const range = readRange(asked, size);
  return typeof range === 'object' ? range.last - range.first + 1 : size;
}

import { daySeconds } from '../../contract/limits.ts';
import { plusSeconds } from '../instants.ts';
import type { Refusal } from './refuse-visit.ts';
import type { FetchMetadata } from './route-visit.ts';
import type { ServingRecord } from './serving-record.ts';

/** For this long after a change of access, browsers without access delete what they kept of the site. */
const forgettingSeconds = 90 * daySeconds;

/**
 * Whether a browser that gets no access now may keep pages that it got before the site's access
 * changed: in the cache of a service worker, in storage, or in its own cache.
 */
export function mayKeepPages(
  site: Pick<ServingRecord, 'accessChangedAt'> | null | undefined,
  decision: { kind: string },
  now: Date,
): boolean {
  if (decision.kind !== ('locked' satisfies Refusal['kind'])) return false;
  const changedAt = site?.accessChangedAt;
  return changedAt !== undefined && now < plusSeconds(new Date(changedAt), forgettingSeconds);
}

/**
 * Whether a refusal makes the browser delete them: only in a page that a person opens. In a frame of
 * another site the browser sends no cookie of ours, so that visitors with access get a refusal too.
 */
export function mustForgetPages(
  site: Pick<ServingRecord, 'accessChangedAt'> | undefined,
  decision: { kind: string },
  { fetch, now }: { fetch: Pick<FetchMetadata, 'dest'>; now: Date },
): boolean {
  return fetch.dest === 'document' && mayKeepPages(site, decision, now);
}

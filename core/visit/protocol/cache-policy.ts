import type { ProjectId } from '../../../contract/fields.ts';
import { isHtml } from '../../content/media-type.ts';
import { hasHashedName } from './hashed-name.ts';
import type { ServingRecord } from '../serving-record.ts';

/** How long an edge may answer for us without asking, in seconds, whatever the project's expiry. */
const assetSeconds = 300;
/** Seconds that an answer may be under way; without them an edge would keep it past the expiry. */
const marginSeconds = 2;
const yearSeconds = 365 * 24 * 3600;

/** Without it CloudFront answers with what it has when we fail, also past a project's expiry. */
const neverStale = 'stale-if-error=0';

/** Kept by an edge, asked for at every view. */
export const revalidated = `public, max-age=0, must-revalidate, ${neverStale}`;

/**
 * Cache-Control for a file of a site that anybody may view.
 *
 * A page is asked for again at every view, so that views are counted and nothing is stale; the
 * edge keeps its body and gets a 304. What a page loads may be kept for minutes, never past the
 * project's expiry.
 */
export function cacheControl(site: Pick<ServingRecord, 'expiresAt'>, path: string, now: Date) {
  const left = secondsLeft(site, now);
  if (isHtml(path)) return revalidated;
  const shared = Math.min(assetSeconds, left);
  return hasHashedName(path)
    ? `public, max-age=${Math.min(yearSeconds, left)}, s-maxage=${shared}, immutable, ${neverStale}`
    : `public, max-age=0, s-maxage=${shared}, must-revalidate, ${neverStale}`;
}

/**
 * The same where the site says itself how long browsers keep a file. The edge keeps it no longer
 * than before, and a page is asked for at every view all the same.
 */
export function siteCacheControl(ours: string, wanted: string, secondsLeft: number): string {
  const directives = new Set(wanted.split(/,\s*/));
  if (directives.has('no-store')) return 'private, no-store';
  if (!ours.startsWith('public') || ours === revalidated) return ours;
  const [stated = ''] = [...directives].filter((one) => one.startsWith('max-age='));
  const asked = directives.has('no-cache') ? 0 : Number(stated.slice('max-age='.length));
  const seconds = Math.min(asked, yearSeconds, secondsLeft);
  const then = directives.has('immutable') && seconds > 0 ? 'immutable' : 'must-revalidate';
  if (directives.has('private')) return `private, max-age=${seconds}, ${then}`;
  const [shared = 's-maxage=0'] = /s-maxage=\d+/.exec(ours) ?? [];
  return `public, max-age=${seconds}, ${shared}, ${then}, ${neverStale}`;
}

/** What took the gate longer than this to answer is not kept by the edge without asking again. */
const freshMs = 300;
/** After this no answer that the edge may keep can be of a state that changed before: it was made, and it has arrived. */
export const straggleMs = 1000;

/**
 * A link to a large file is followed at once, and whoever holds it needs nothing else: what keeps
 * visitors out waits until every link from before is over.
 */
export const mediaLinkSeconds = 5;

/**
 * Cache-Control of an answer that took `tookMs` to make, from reading the site to its last byte.
 *
 * A slow answer may be of a state that has changed since, and reach the edge after it was told to
 * forget the project.
 */
export function cacheControlAfter(cacheControl: string, tookMs: number): string {
  return tookMs <= freshMs ? cacheControl : cacheControl.replace(/s-maxage=\d+/, 's-maxage=0');
}

/** The tag under which an edge keeps everything of a project, so that one call removes it all. */
export function cacheTag(projectId: ProjectId): string {
  return `p-${projectId}`;
}

/** Seconds until the project's end, less than a year; none where it is over. */
export function secondsLeft(site: Pick<ServingRecord, 'expiresAt'>, now: Date): number {
  if (site.expiresAt === null) return yearSeconds;
  const seconds = Math.floor((Date.parse(site.expiresAt) - now.getTime()) / 1000);
  return Math.max(0, seconds - marginSeconds);
}

import { daySeconds } from '../../../contract/limits.ts';
import type { ProjectId } from '../../../contract/fields.ts';
import { isHtml } from '../../content/media-type.ts';
import type { ServingRecord } from '../serving-record.ts';

/** How long the edge may serve an asset without revalidating it, in seconds. */
const assetSeconds = 300;
/**
 * The transfer time of a response; without it the edge would keep a response past the project's
 * expiry.
 */
const marginSeconds = 2;
const yearSeconds = 365 * daySeconds;

/** Without it CloudFront serves what it has when we fail, even past a project's expiry. */
const neverStale = 'stale-if-error=0';

/** Whoever keeps a copy revalidates it at every view: the metadata of objects that storage sends. */
export const storedCacheControl = `max-age=0, must-revalidate, ${neverStale}`;

/** The edge keeps a copy and revalidates it at every view. */
export const revalidateAlways = `public, ${storedCacheControl}`;

/**
 * Cache-Control for a file of a site that anybody may view.
 *
 * A page is revalidated at every view, so that views are counted and nothing is stale; the edge keeps
 * its body and gets a 304. Assets may be kept for minutes, but never past the project's expiry, and
 * not before `edgeFrom`: until then nothing would make the edge forget them.
 */
export function cacheControl(
  site: Pick<ServingRecord, 'expiresAt' | 'edgeFrom'>,
  path: string,
  now: Date,
) {
  const left = secondsLeft(site, now);
  if (isHtml(path)) return revalidateAlways;
  const isKept = site.edgeFrom !== undefined && Date.parse(site.edgeFrom) <= now.getTime();
  const shared = isKept ? Math.min(assetSeconds, left) : 0;
  return hasHashedName(path)
    ? `public, max-age=${Math.min(yearSeconds, left)}, s-maxage=${shared}, immutable, ${neverStale}`
    : `public, max-age=0, s-maxage=${shared}, must-revalidate, ${neverStale}`;
}

/**
 * The same where the site itself sets how long browsers keep a file. The edge keeps it no longer than
 * before, and pages are still revalidated at every view.
 */
export function siteCacheControl(ours: string, requested: string, secondsLeft: number): string {
  const directives = new Set(requested.split(/,\s*/));
  if (directives.has('no-store')) return 'private, no-store';
  if (!ours.startsWith('public') || ours === revalidateAlways) return ours;
  const [maxAge = ''] = [...directives].filter((one) => one.startsWith('max-age='));
  const browserSeconds = directives.has('no-cache') ? 0 : Number(maxAge.slice('max-age='.length));
  const seconds = Math.min(browserSeconds, yearSeconds, secondsLeft);
  const suffix = directives.has('immutable') && seconds > 0 ? 'immutable' : 'must-revalidate';
  if (directives.has('private')) return `private, max-age=${seconds}, ${suffix}`;
  const [shared = 's-maxage=0'] = /s-maxage=\d+/.exec(ours) ?? [];
  return `public, max-age=${seconds}, ${shared}, ${suffix}, ${neverStale}`;
}

/** The edge must revalidate a response that took the gate longer than this. */
const maxCacheableMs = 300;
/** This long after a change, no response with the earlier state can reach the edge and be cached any more. */
export const staleResponseMs = 1000;

/** Cache-Control for an edge that must ask at every view, because nothing can be invalidated there. */
export function withoutEdgeTtl(cacheControl: string): string {
  return cacheControl.replace(/s-maxage=\d+/, 's-maxage=0');
}

/**
 * Cache-Control of a response that took `tookMs` to make, from reading the site to its last byte.
 *
 * A slow response may show a state that has changed since, and reach the edge after the project's
 * invalidation.
 */
export function cacheControlAfter(cacheControl: string, tookMs: number): string {
  return tookMs <= maxCacheableMs ? cacheControl : withoutEdgeTtl(cacheControl);
}

/** The cache tag of everything of a project, so that one call invalidates all of it. */
export function cacheTag(projectId: ProjectId): string {
  return `p-${projectId}`;
}

/** Seconds until the project's expiry, at most a year; 0 once it has expired. */
export function secondsLeft(site: Pick<ServingRecord, 'expiresAt'>, now: Date): number {
  if (site.expiresAt === null) return yearSeconds;
  const seconds = Math.floor((Date.parse(site.expiresAt) - now.getTime()) / 1000);
  return Math.max(0, seconds - marginSeconds);
}

/** A possible hash before the extension, or before two (`app.B_Sbv6Hq.lean.js`). */
const base64UrlHash = /[.-]([A-Za-z0-9_-]{8})(?:\.[a-z]{1,5})?\.[a-z0-9]+$/;

const hexadecimalHash = /[.-]([0-9a-f]{8,64})(?:\.[a-z]{1,5})?\.[a-z0-9]+$/;

/**
 * Whether a file's name contains a hash of its content, as bundlers write it: eight
 * letters of base64url (Vite, Rollup) or base32 (esbuild), or hexadecimal digits (webpack, Parcel).
 *
 * A word or a date that is mistaken for a hash would be cached for a year after a change. The rules
 * are therefore strict, and miss one hash in twenty.
 */
export function hasHashedName(path: string): boolean {
  return (
    isHexadecimalHash(hashCandidate(hexadecimalHash, path)) ||
    isBase64UrlHash(hashCandidate(base64UrlHash, path))
  );
}

function hashCandidate(shape: RegExp, path: string): string {
  return shape.exec(path)?.[1] ?? '';
}

function isHexadecimalHash(token: string): boolean {
  return /\d/.test(token) && /[a-f]/.test(token);
}

function isBase64UrlHash(token: string): boolean {
  const upper = token.match(/[A-Z]/g)?.length ?? 0;
  if (upper === 0) return false;
  if (/^[A-Z2-7]+$/.test(token)) return upper < token.length;
  return /[a-z]/.test(token) && (upper > 2 || /\d/.test(token));
}

import { daySeconds } from '../../contract/limits.ts';
import type { Instant } from '../../contract/fields.ts';
import { hasExpired, instant, plusSeconds } from '../instants.ts';
import type { RateLimitRule } from '../limits/sliding-window.ts';
import type { ServingRecord } from '../visit/serving-record.ts';
import type { Project } from './project.ts';
import { purgeDueAt } from './removal/purge.ts';

/**
 * How many project states of one account may enter the edge's cache. Each costs up to three
 * invalidations when it changes: one at the change, one a minute later, and one more for a change
 * of access between them. Beyond this limit a project is served without the edge's cache until a
 * place is free.
 */
export const edgePlaceRules: readonly RateLimitRule[] = [
  { limit: 15, windowSeconds: 3600 },
  { limit: 40, windowSeconds: daySeconds },
];

/**
 * For this time after a change the edge caches nothing of the project, so further changes need no
 * purge of their own.
 */
const quietSeconds = 60;
/** More than the difference between clocks plus the time of a write. */
const marginSeconds = 10;

/**
 * Whether the edge may cache files of this state of a project. Pure.
 *
 * Only files of sites that anybody may view are cached, from `edgeFrom` on and never past the
 * expiry. Pages do not count: the edge revalidates them at every view. A rest does not count either,
 * because it ends without a change.
 */
export function mayHaveCopies(project: Project, now: Date): boolean {
  const { edgeFrom } = project;
  if (edgeFrom === undefined || !isKeptAtEdge(project) || hasExpired(project, now)) return false;
  return edgeFrom <= instant(plusSeconds(now, marginSeconds));
}

function isKeptAtEdge(project: Project): boolean {
  const { ownerId, version, domainId, status, access } = project;
  const { archivedAt, takedown, suspendedAt, removingAt } = project;
  return (
    ownerId !== null &&
    version > 0 &&
    domainId === null &&
    status === 'public' &&
    access === 'public' &&
    [archivedAt, takedown, suspendedAt, removingAt].every((since) => since === null) &&
    !isPageAlone(project)
  );
}

function isPageAlone({ type, fileCount, retained }: Project): boolean {
  return type === 'html' && fileCount === 1 && retained === undefined;
}

/** The parts of a change that tell what the edge may cache, and what it must forget. */
export interface EdgeParts {
  /** See `ProjectChange`. */
  purgeAt: Instant | undefined;
  wantsEdgePlace: boolean;
  edgeFrom: Instant | undefined;
}

/**
 * The edge parts of a change that visitors see. Pure. An unused place is kept for the project's new
 * state.
 */
export function edgePartsOf(before: Project | undefined, after: Project, now: Date): EdgeParts {
  const hasCopies = before !== undefined && mayHaveCopies(before, now);
  const unused = hasCopies ? undefined : before?.edgeFrom;
  const isTakedown = before?.takedown === null && after.takedown !== null;
  return {
    purgeAt: hasCopies || isTakedown ? purgeDueAt(now) : undefined,
    edgeFrom: unused && laterOf(unused, quietUntil(before, now)),
    wantsEdgePlace: unused === undefined && isKeptAtEdge(after),
  };
}

/**
 * A project after a change that visitors see, with its new `edgeFrom`, and what the edge must
 * forget. Pure.
 */
export function atEdge(before: Project, changed: Project, now: Date) {
  const { edgeFrom, ...parts } = edgePartsOf(before, changed, now);
  return { after: { ...changed, edgeFrom }, ...parts };
}

/** The part of a change that depends on a reserved place. */
interface PlacedChange {
  before: Project | undefined;
  after: Project;
  at: Instant;
  site: ServingRecord | undefined;
}

/** The change with the place that was reserved for its new state. Pure. */
export function withEdgePlace<Change extends PlacedChange>(change: Change, place: Date): Change {
  const { before, after, at, site } = change;
  const edgeFrom = laterOf(instant(place), quietUntil(before, new Date(at)));
  return {
    ...change,
    after: { ...after, edgeFrom },
    site: site && { ...site, edgeFrom },
  };
}

/** Whether a project that becomes visible without a change, by a claim or an import, needs a place. */
export function wantsFirstPlace(project: Project): boolean {
  return project.edgeFrom === undefined && isKeptAtEdge(project);
}

/** When the edge may begin to cache; at once for an address that shows nothing yet. */
function quietUntil(before: Project | undefined, now: Date): Instant {
  const isFirst = before === undefined || before.version === 0;
  return instant(isFirst ? now : plusSeconds(now, quietSeconds));
}

function laterOf(one: Instant, other: Instant): Instant {
  return one > other ? one : other;
}

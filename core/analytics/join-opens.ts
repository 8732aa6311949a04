import type { RecordedHit } from './recorded-hit.ts';

/** A hit with its outcome. */
export interface JoinedHit extends RecordedHit {
  outcome: 'open' | NonNullable<RecordedHit['reason']>;
}

/**
 * The outcome of each visit, newest first. An open confirms the latest unconfirmed visit of the same
 * visitor to the same path, at or before the open. An open without such a visit, for example after a
 * prefetch that was not stored, is a row of its own. Pure.
 */
export function joinOpens(
  visits: readonly RecordedHit[],
  opens: readonly RecordedHit[],
): JoinedHit[] {
  const waiting = new Map<string, RecordedHit[]>();
  for (const visit of visits.toSorted(oldestFirst)) {
    if (confirmable.has(visit.reason)) waitingVisits(waiting, visit).push(visit);
  }
  const confirmed = new Map<RecordedHit, RecordedHit>();
  const unmatched: JoinedHit[] = [];
  for (const open of opens.toSorted(oldestFirst)) {
    const visit = takeMatchingVisit(open, waitingVisits(waiting, open));
    if (visit === undefined) unmatched.push({ ...open, outcome: open.reason ?? 'open' });
    else confirmed.set(visit, open);
  }
  const joined = visits.map((visit) => withOutcome(visit, confirmed.get(visit)));
  return [...joined, ...unmatched].toSorted((a, b) => oldestFirst(b, a));
}

/** Reasons of visits that an open may confirm. */
const confirmable = new Set<RecordedHit['reason']>(['unconfirmed', 'owner', 'excess', 'prefetch']);

function withOutcome(visit: RecordedHit, open: RecordedHit | undefined): JoinedHit {
  if (open !== undefined) return { ...visit, outcome: open.reason ?? 'open' };
  return { ...visit, outcome: visit.reason ?? 'unconfirmed' };
}

/** A visitor's own request comes before a prefetch. */
function takeMatchingVisit(open: RecordedHit, waiting: RecordedHit[]): RecordedHit | undefined {
  const fits = (visit: RecordedHit) =>
    visit.at <= open.at && (visit.reason === 'excess' || isByOwner(visit) === isByOwner(open));
  const requested = waiting.findLastIndex((visit) => visit.reason !== 'prefetch' && fits(visit));
  const at =
    requested >= 0
      ? requested
      : waiting.findLastIndex((visit) => visit.at <= open.at && visit.reason === 'prefetch');
  return at < 0 ? undefined : waiting.splice(at, 1)[0];
}

/** Whether the owner made it. Unknown for a visit beyond the caps, whose reason was replaced. */
function isByOwner({ reason }: RecordedHit): boolean {
  return reason === 'owner';
}

function waitingVisits(waiting: Map<string, RecordedHit[]>, { visitor, path }: RecordedHit) {
  const key = `${visitor} ${path}`;
  const list = waiting.get(key) ?? [];
  waiting.set(key, list);
  return list;
}

/** Sort key: instant, then id, so that the order is always the same. */
export function hitKey({ at, id }: Pick<RecordedHit, 'at' | 'id'>): string {
  return `${at}#${id}`;
}

function oldestFirst(a: RecordedHit, b: RecordedHit): number {
  const [first, second] = [hitKey(a), hitKey(b)];
  if (first === second) return 0;
  return first < second ? -1 : 1;
}

import type { RecordedHit } from './recorded-hit.ts';

/** A hit with what it came to. */
export interface JoinedHit extends RecordedHit {
  outcome: 'open' | NonNullable<RecordedHit['reason']>;
}

/**
 * What became of each visit, newest first. An open confirms the latest visit of the same visitor to
 * the same path at or before it that no other has confirmed; one for which there is none, as after
 * a prefetch that was not kept, stands for itself. Pure.
 */
export function joinOpens(
  visits: readonly RecordedHit[],
  opens: readonly RecordedHit[],
): JoinedHit[] {
  const waiting = new Map<string, RecordedHit[]>();
  for (const visit of visits.toSorted(oldestFirst)) {
    if (confirmable.has(visit.reason)) listOf(waiting, visit).push(visit);
  }
  const confirmed = new Map<RecordedHit, RecordedHit>();
  const alone: JoinedHit[] = [];
  for (const open of opens.toSorted(oldestFirst)) {
    const visit = takeFor(open, listOf(waiting, open));
    if (visit === undefined) alone.push({ ...open, outcome: open.reason ?? 'open' });
    else confirmed.set(visit, open);
  }
  const joined = visits.map((visit) => outcomeOf(visit, confirmed.get(visit)));
  return [...joined, ...alone].toSorted((a, b) => oldestFirst(b, a));
}

/** What a browser may have asked for. */
const confirmable = new Set<RecordedHit['reason']>(['unconfirmed', 'owner', 'excess', 'prefetch']);

function outcomeOf(visit: RecordedHit, open: RecordedHit | undefined): JoinedHit {
  if (open !== undefined) return { ...visit, outcome: open.reason ?? 'open' };
  return { ...visit, outcome: visit.reason ?? 'unconfirmed' };
}

/** A request that somebody made goes before one that a browser made by itself. */
function takeFor(open: RecordedHit, waiting: RecordedHit[]): RecordedHit | undefined {
  const fits = (visit: RecordedHit) =>
    visit.at <= open.at && (visit.reason === 'excess' || isOwners(visit) === isOwners(open));
  const asked = waiting.findLastIndex((visit) => visit.reason !== 'prefetch' && fits(visit));
  const at =
    asked >= 0
      ? asked
      : waiting.findLastIndex((visit) => visit.at <= open.at && visit.reason === 'prefetch');
  return at < 0 ? undefined : waiting.splice(at, 1)[0];
}

/** Of a visit in excess nobody knows any more whose it was. */
function isOwners({ reason }: RecordedHit): boolean {
  return reason === 'owner';
}

function listOf(waiting: Map<string, RecordedHit[]>, { visitor, path }: RecordedHit) {
  const key = `${visitor} ${path}`;
  const list = waiting.get(key) ?? [];
  waiting.set(key, list);
  return list;
}

/** By instant, then by id, so that the order is the same at every reading. */
export function hitKey({ at, id }: Pick<RecordedHit, 'at' | 'id'>): string {
  return `${at}#${id}`;
}

function oldestFirst(a: RecordedHit, b: RecordedHit): number {
  const [first, second] = [hitKey(a), hitKey(b)];
  if (first === second) return 0;
  return first < second ? -1 : 1;
}

import type { Counters } from '../limits/counters.ts';
import type { Hit } from './hit.ts';

/** A person does not open more pages of one project in a minute. */
const openRate = { limit: 120, windowSeconds: 60 };

/**
 * So many opens of one network, project and minute in one delivery need no counter, which would cost as
 * much as all else about a lonely open. Deliveries are at least seconds apart unless they are full.
 */
const uncounted = 10;

/** What is needed to limit opens. */
export interface LimitOpensDeps {
  counters: Pick<Counters, 'count'>;
}

/**
 * Which hits of a delivery have to be counted against the limit of opens: those of a network that sent
 * more than ten of one project in a minute. Pure.
 */
export function findManyOpens(hits: readonly Hit[]): ReadonlySet<Hit> {
  const groups = new Map<string, Hit[]>();
  for (const hit of hits) {
    if (hit.kind !== 'open') continue;
    const name = `${keyOf(hit)} ${hit.at.slice(0, 16)}`;
    groups.set(name, [...(groups.get(name) ?? []), hit]);
  }
  return new Set([...groups.values()].filter((group) => group.length > uncounted).flat());
}

/**
 * Whether one of many opens may be counted: about 120 of one project by one network in a minute may. A
 * message that is delivered again uses up another place of its network, which matters only to a
 * network that is at its limit.
 */
export async function isWithinOpenRate({ counters }: LimitOpensDeps, hit: Hit): Promise<boolean> {
  const { limit, windowSeconds } = openRate;
  return (await counters.count(keyOf(hit), windowSeconds, new Date(hit.at))) <= limit;
}

function keyOf({ projectId, network, visitor }: Hit): string {
  return `opens#${projectId}#${network ?? visitor}`;
}

import type { Counters } from '../limits/counters.ts';
import type { Hit } from './hit.ts';

/** A person does not open more pages of one project in a minute. */
const openRate = { limit: 120, windowSeconds: 60 };

/** What is needed to limit opens. */
export interface LimitOpensDeps {
  counters: Pick<Counters, 'count'>;
}

/** The opens among hits, by project, network and minute: those that have a limit together. */
export function groupOpens(hits: readonly Hit[]): Hit[][] {
  const groups = new Map<string, Hit[]>();
  for (const hit of hits) {
    if (hit.kind !== 'open') continue;
    const name = `${limitKey(hit)} ${hit.at.slice(0, 16)}`;
    groups.set(name, [...(groups.get(name) ?? []), hit]);
  }
  return [...groups.values()];
}

/**
 * The opens of one group that may be counted: at most 120 opens of one project by one network in a minute
 * may. They take their places with one write. A message that is delivered again uses up another place of its
 * network, which matters only to a network that is at its limit.
 */
export async function admitOpens({ counters }: LimitOpensDeps, group: readonly Hit[]) {
  const [first] = group;
  if (first === undefined) return [];
  const { limit, windowSeconds } = openRate;
  const now = new Date(first.at);
  const events = await counters.count(limitKey(first), windowSeconds, now, group.length);
  const before = events - group.length;
  return group.slice(0, Math.max(0, limit - before));
}

function limitKey({ projectId, network, visitor }: Hit): string {
  return `opens#${projectId}#${network ?? visitor}`;
}

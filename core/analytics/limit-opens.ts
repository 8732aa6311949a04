import type { Counters } from '../limits/counters.ts';
import type { Hit } from './hit.ts';

/** A person does not open more pages of one project in a minute. */
const openRate = { limit: 120, windowSeconds: 60 };

/** What is needed to limit opens. */
export interface LimitOpensDeps {
  counters: Pick<Counters, 'count'>;
}

/**
 * Whether a hit may be counted: at most 120 opens of one project by one network in a minute may. A
 * message that is delivered again uses up another place of its network, which matters only to a
 * network that is at its limit.
 */
export async function isWithinOpenRate({ counters }: LimitOpensDeps, hit: Hit): Promise<boolean> {
  if (hit.kind !== 'open') return true;
  const key = `opens#${hit.projectId}#${hit.network ?? hit.visitor}`;
  const { limit, windowSeconds } = openRate;
  return (await counters.count(key, windowSeconds, new Date(hit.at))) <= limit;
}

import type { HitQueue } from '../core/analytics/hit.ts';

/** Hands hits over to be counted, as messages of a queue. */
export function hitQueue(sendMessage: (body: string) => Promise<void>): HitQueue {
  return { send: (hit) => sendMessage(JSON.stringify(hit)) };
}

import type { HitQueue } from '../../core/analytics/hit.ts';
import type { PasswordAlerts } from '../../core/visit/access/wrong-tries.ts';

/** Hands hits over to be counted, as messages of a queue. */
export function hitQueue(sendMessage: (body: string) => Promise<void>): HitQueue {
  return { send: (hit) => sendMessage(JSON.stringify(hit)) };
}

/** Hands over what owners are to be told of; whoever counts hits sends their mail. */
export function alertQueue(sendMessage: (body: string) => Promise<void>): PasswordAlerts {
  return { send: (alert) => sendMessage(JSON.stringify(alert)) };
}

import type { TrafficQueue } from '../../core/analytics/traffic.ts';
import type { HitQueue } from '../../core/analytics/hit.ts';
import type { PasswordAlerts } from '../../core/visit/access/wrong-tries.ts';

/** Sends hits to the queue of the counting function. */
export function hitQueue(sendMessage: (body: string) => Promise<void>): HitQueue {
  return { send: (hit) => sendMessage(JSON.stringify(hit)) };
}

/** Sends traffic through the queue of hits. */
export function trafficQueue(sendMessage: (body: string) => Promise<void>): TrafficQueue {
  return { send: (traffic) => sendMessage(JSON.stringify(traffic)) };
}

/** Sends owners' password alerts through the queue of hits; its function sends the mail. */
export function alertQueue(sendMessage: (body: string) => Promise<void>): PasswordAlerts {
  return { send: (alert) => sendMessage(JSON.stringify(alert)) };
}

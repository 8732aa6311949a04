import { alertQueue, hitQueue, trafficQueue } from '../../adapters/sqs/hit-queue.ts';
import { signedCalls } from '../../adapters/signed-calls/signed-calls.ts';
import { signedMessages } from '../../adapters/signed-calls/signed-services.ts';
import type { HitQueue } from '../../core/analytics/hit.ts';
import type { TrafficQueue } from '../../core/analytics/traffic.ts';
import type { PasswordAlerts } from '../../core/visit/access/wrong-tries.ts';
import { awsEnvironment, setting } from './settings.ts';

/** A page waits until its visit is in the queue: three tries take at most two seconds together. */
const patience = { connectMs: 300, silenceMs: 500, totalMs: 600 };

/** The queue of hits of this installation. */
export function deployedHitQueue(): HitQueue {
  return hitQueue(messages());
}

/** The same queue, for sent bytes. */
export function deployedTrafficQueue(): TrafficQueue {
  return trafficQueue(messages());
}

/** The same queue, for alerts to owners. */
export function deployedAlertQueue(): PasswordAlerts {
  return alertQueue(messages());
}

function messages() {
  return signedMessages(signedCalls(awsEnvironment(), patience), setting('HITS_QUEUE_URL'));
}

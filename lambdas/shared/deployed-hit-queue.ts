import { signedCalls } from '../../adapters/signed-calls/signed-calls.ts';
import { signedMessages } from '../../adapters/signed-calls/signed-services.ts';
import type { HitQueue } from '../../core/analytics/hit.ts';
import type { TrafficQueue } from '../../core/analytics/traffic.ts';
import type { PasswordAlerts } from '../../core/visit/access/wrong-tries.ts';
import { awsEnvironment, setting } from './settings.ts';

/** A page waits until its visit is in the queue: three tries take at most two seconds together. */
const patience = { connectMs: 300, silenceMs: 500, totalMs: 600 };

/** The queue of the counting function of this installation: of hits, of sent bytes, and of alerts, which it mails to owners. */
export function deployedHitQueue(): HitQueue & TrafficQueue & PasswordAlerts {
  const send = signedMessages(signedCalls(awsEnvironment(), patience), setting('HITS_QUEUE_URL'));
  return { send: (message: object) => send(JSON.stringify(message)) };
}

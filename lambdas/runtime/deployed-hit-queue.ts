import { hitQueue } from '../../adapters/hit-queue.ts';
import { signedCalls } from '../../adapters/signed-calls.ts';
import { signedMessages } from '../../adapters/signed-services.ts';
import type { HitQueue } from '../../core/analytics/hit.ts';
import { awsEnvironment, setting } from './settings.ts';

/** A page waits for its visit to be handed over: three tries may take no longer than two seconds together. */
const patience = { connectMs: 300, silenceMs: 500, totalMs: 600 };

/** The queue of hits of this deployment. */
export function deployedHitQueue(): HitQueue {
  const calls = signedCalls(awsEnvironment(), patience);
  return hitQueue(signedMessages(calls, setting('HITS_QUEUE_URL')));
}

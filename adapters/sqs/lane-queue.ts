import type { StartLane } from '../../core/webhooks/webhook.ts';
import { sendJob } from './send-job.ts';

/** Passes lines of deliveries to their sender through SQS. */
export function laneQueue(url: string): StartLane {
  return ({ webhookId, subject }, delaySeconds = 0) =>
    sendJob(url, JSON.stringify({ webhookId, subject }), { tenant: webhookId, delaySeconds });
}

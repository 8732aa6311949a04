import type { JobQueue } from '../../core/uploads/job.ts';

/** Sends jobs to workers through SQS. */
export function uploadQueue(url: string): JobQueue {
  return {
    async send({ projectId, store }, accountId) {
      // Imported on first use: few requests send a job.
      const { sendJob } = await import('./send-job.ts');
      await sendJob(url, JSON.stringify({ projectId, store }), { tenant: accountId });
    },
  };
}

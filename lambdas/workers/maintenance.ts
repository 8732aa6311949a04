import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import type { AccountId } from '../../contract/fields.ts';
import type { PlanCheckTime } from '../../core/projects/history/account-history.ts';
import { settlePlanTime } from '../../core/projects/history/check-plan.ts';
import { resumeTrim } from '../../core/projects/history/hold-history.ts';
import { resumeUpload } from '../../core/projects/publishing/publish-upload.ts';
import { removeRemains, removeStored, sweep } from '../../core/projects/removal/sweep.ts';
import { remainsOf, StreamEvent } from './expired-rows.ts';
import type { JobKey } from '../../core/uploads/job.ts';
import { logger } from '../shared/logger.ts';
import { once } from '../shared/once.ts';
import { planMailer } from './plan-mailer.ts';
import { projectServices } from '../shared/project-services.ts';
import { redactFailures } from '../shared/redact-failures.ts';

/** What is left undone with so little time remaining is the next minute's work. */
const reserveMs = 5000;

const services = once(() => {
  const own = { ...projectServices(), planMailer: planMailer() };
  return {
    ...own,
    resumeUpload: (key: JobKey, now: Date) => resumeUpload(own, key, now),
    settlePlanTime: (time: PlanCheckTime, now: Date) => settlePlanTime(own, time, now),
    resumeTrim: (accountId: AccountId, now: Date) => resumeTrim(own, accountId, now),
  };
});

/** Every minute: what is due is done. From the table's stream: what DynamoDB let expire goes wholly. */
export const handler = middy<unknown, unknown>()
  .use(injectLambdaContext(logger))
  .use(redactFailures())
  .handler(async (event: unknown, context: Context) => {
    const expired = StreamEvent.safeParse(event);
    if (expired.success) return removeExpiredRows(expired.data);
    const result = await sweep(
      services(),
      new Date(),
      () => context.getRemainingTimeInMillis() < reserveMs,
    );
    logger.info('swept', { ...result });
    if (result.failures > 0) throw new Error(`${result.failures} things could not be removed`);
    return result;
  });

async function removeExpiredRows(event: StreamEvent): Promise<void> {
  for (const remains of remainsOf(event)) {
    if (remains.kind === 'intent') {
      await removeStored(services(), remains.projectId, remains.store);
    } else {
      await removeRemains(services(), remains);
    }
  }
}

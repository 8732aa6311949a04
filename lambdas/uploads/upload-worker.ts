import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import middy from '@middy/core';
import * as z from 'zod';
import { ProjectId } from '../../contract/fields.ts';
import { StoreId } from '../../core/content/content-keys.ts';
import { publishUpload } from '../../core/projects/publishing/publish-upload.ts';
import { logger } from '../shared/logger.ts';
import { once } from '../shared/once.ts';
import { projectServices } from '../shared/project-services.ts';
import { redactFailures } from '../shared/redact-failures.ts';

const Job = z.object({ projectId: ProjectId, store: StoreId });
/** What we read of an SQS event. */
const QueueEvent = z.object({ Records: z.array(z.object({ body: z.string() })) });

const services = once(projectServices);

/** Publishes uploads that their requests had no time for. */
export const handler = middy<unknown, void>()
  .use(injectLambdaContext(logger))
  .use(redactFailures())
  .handler(async (event: unknown) => {
    for (const { body } of QueueEvent.parse(event).Records) {
      const job = Job.parse(JSON.parse(body));
      await publishUpload(services(), job);
      logger.info('published', { ...job, rss: process.memoryUsage.rss() });
    }
  });

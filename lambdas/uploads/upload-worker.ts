import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import middy from '@middy/core';
import * as z from 'zod';
import { counterTable } from '../../adapters/dynamodb/counter-table.ts';
import { documentClient } from '../../adapters/dynamodb/document-client.ts';
import { mailNotices } from '../../adapters/dynamodb/projects/mail-notices.ts';
import { ProjectId } from '../../contract/fields.ts';
import { StoreId } from '../../core/content/content-keys.ts';
import { publishQueuedUpload } from '../../core/projects/publishing/publish-queued-upload.ts';
import { logger, redactFailures } from '../shared/logger.ts';
import { lazy } from '../shared/lazy.ts';
import { projectServices } from '../shared/project-services.ts';
import { setting } from '../shared/settings.ts';

const Job = z.object({ projectId: ProjectId, store: StoreId });
/** The part of an SQS event that we use. */
const QueueEvent = z.object({ Records: z.array(z.object({ body: z.string() })) });

const services = lazy(() => ({
  ...projectServices(),
  counters: counterTable(documentClient(), setting('COUNTERS_TABLE')),
  notices: mailNotices(documentClient(), setting('PROJECTS_TABLE')),
}));

/** Publishes uploads that are too large to publish within a request. */
export const handler = middy<unknown, void>()
  .use(injectLambdaContext(logger))
  .use(redactFailures())
  .handler(async (event: unknown) => {
    for (const { body } of QueueEvent.parse(event).Records) {
      const job = Job.parse(JSON.parse(body));
      await publishQueuedUpload(services(), job);
      logger.info('published', { ...job, rss: process.memoryUsage.rss() });
    }
  });

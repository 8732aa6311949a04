import * as cdk from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { SlipwayFunction } from '../functions/function.ts';
import { SourceQueue } from './source-queue.ts';

/** Workers at once: each holds tens of megabytes, and a new account may run ten functions in all. */
const WORKERS = 5;

/** Uploads that a worker is to publish, and those that it could not. */
export class UploadQueue extends SourceQueue {
  constructor(scope: Construct, id: string) {
    super(scope, id, {
      visibilityTimeout: cdk.Duration.minutes(16),
      retentionPeriod: cdk.Duration.days(1),
      tries: 3,
      urlVariable: 'UPLOAD_QUEUE_URL',
    });
  }

  /** Gives the function every upload, one at a time. */
  workWith(fn: SlipwayFunction): void {
    this.feed(fn, 'Worker', { batchSize: 1, maxConcurrency: WORKERS });
  }
}

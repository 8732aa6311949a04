import * as cdk from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { SlipwayFunction } from '../functions/function.ts';
import { SourceQueue } from './source-queue.ts';

/** Hits counted together: one write of the counters for many of them. */
const BATCH = 500;
/** The least that SQS allows; more would only make transactions meet each other. */
const COUNTERS = 2;

/** Visits and opens that are to be counted, and those that could not be. */
export class HitQueue extends SourceQueue {
  constructor(scope: Construct, id: string) {
    super(scope, id, {
      // Six times the counter's own limit, as AWS advises where batches wait for others.
      visibilityTimeout: cdk.Duration.minutes(6),
      retentionPeriod: cdk.Duration.days(4),
      tries: 5,
      urlVariable: 'HITS_QUEUE_URL',
    });
  }

  /** Gives the function every hit, many at a time. */
  countWith(fn: SlipwayFunction): void {
    this.feed(fn, 'Counter', {
      batchSize: BATCH,
      maxBatchingWindow: cdk.Duration.seconds(1),
      maxConcurrency: COUNTERS,
      reportBatchItemFailures: true,
    });
  }
}

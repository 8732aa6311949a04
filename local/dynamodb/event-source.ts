import * as z from 'zod';
import type { Resource } from '../http/http.ts';
import { StartError } from '../start-error.ts';
import { parsePattern, type Pattern } from './filter-criteria.ts';

const Properties = z.strictObject({
  EventSourceArn: z.string().regex(/:table\/[^/]+\/stream\//, 'must be the stream of a table'),
  FunctionName: z.string(),
  StartingPosition: z.enum(['TRIM_HORIZON', 'LATEST']),
  Enabled: z.boolean().default(true),
  BatchSize: z.int().default(100),
  BisectBatchOnFunctionError: z.boolean().default(false),
  MaximumRetryAttempts: z.int().default(-1),
  MaximumRecordAgeInSeconds: z.int().default(-1),
  FunctionResponseTypes: z.array(z.literal('ReportBatchItemFailures')).default([]),
  FilterCriteria: z
    .strictObject({ Filters: z.array(z.strictObject({ Pattern: z.string() })) })
    .optional(),
  DestinationConfig: z
    .strictObject({ OnFailure: z.strictObject({ Destination: z.string() }) })
    .optional(),
  // Timing and parallelism: locally every batch is delivered at once, one after the other.
  MaximumBatchingWindowInSeconds: z.unknown().optional(),
  ParallelizationFactor: z.unknown().optional(),
  Tags: z.unknown().optional(),
});

/** One `AWS::Lambda::EventSourceMapping` from a table's stream to a function, read. */
export interface EventSource {
  id: string;
  tableName: string;
  streamArn: string;
  functionArn: string;
  startingPosition: 'TRIM_HORIZON' | 'LATEST';
  enabled: boolean;
  batchSize: number;
  bisect: boolean;
  /** -1 tries for as long as the record is young enough. */
  maxRetries: number;
  maxAgeSeconds: number;
  reportsItemFailures: boolean;
  patterns: Pattern[];
  /** ARN of the queue that batches go to which the function could not process. */
  onFailure: string | undefined;
}

/** Reads an event source mapping; a property that is not understood stops the start. */
export function eventSourceOf(resource: Resource): EventSource {
  const parsed = Properties.safeParse(resource.properties);
  if (!parsed.success) {
    throw new StartError(
      `${resource.type} ${resource.logicalId}: ${z.prettifyError(parsed.error)}`,
    );
  }
  const properties = parsed.data;
  return {
    id: resource.logicalId,
    tableName: properties.EventSourceArn.split(/:table\/|\/stream\//)[1] ?? '',
    streamArn: properties.EventSourceArn,
    functionArn: properties.FunctionName,
    startingPosition: properties.StartingPosition,
    enabled: properties.Enabled,
    batchSize: properties.BatchSize,
    bisect: properties.BisectBatchOnFunctionError,
    maxRetries: properties.MaximumRetryAttempts,
    maxAgeSeconds: properties.MaximumRecordAgeInSeconds,
    reportsItemFailures: properties.FunctionResponseTypes.length > 0,
    patterns: (properties.FilterCriteria?.Filters ?? []).map(({ Pattern }) =>
      parsePattern(Pattern),
    ),
    onFailure: properties.DestinationConfig?.OnFailure.Destination,
  };
}

import * as z from 'zod';
import { isRecord, StartError } from '../errors.ts';
import { parseProperties, type Resource } from '../assembly/resource.ts';

const Properties = z.strictObject({
  EventSourceArn: z.string().regex(/:table\/[^/]+\/stream\//, 'must be the stream of a table'),
  FunctionName: z.string(),
  StartingPosition: z.enum(['TRIM_HORIZON', 'LATEST']),
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
  // Locally, batches are delivered immediately.
  MaximumBatchingWindowInSeconds: z.unknown().optional(),
});

/** A parsed `AWS::Lambda::EventSourceMapping` from a table's stream to a function. */
export interface StreamSource {
  id: string;
  tableName: string;
  streamArn: string;
  functionArn: string;
  startingPosition: 'TRIM_HORIZON' | 'LATEST';
  batchSize: number;
  bisect: boolean;
  /** -1 retries until the record is too old. */
  maxRetries: number;
  maxAgeSeconds: number;
  reportsItemFailures: boolean;
  patterns: Pattern[];
  /** ARN of the queue for batches that the function could not process. */
  onFailure: string | undefined;
}

/** Parses an event source mapping; an unknown property stops the start. */
export function parseStreamSource(resource: Resource): StreamSource {
  const properties = parseProperties(resource, Properties);
  return {
    id: resource.logicalId,
    tableName: properties.EventSourceArn.split(/:table\/|\/stream\//)[1] ?? '',
    streamArn: properties.EventSourceArn,
    functionArn: properties.FunctionName,
    startingPosition: properties.StartingPosition,
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

/** A pattern that a record must match, as in `FilterCriteria`. */
export type Pattern = Record<string, unknown>;

const COMPARISONS: Record<string, (operand: unknown, value: unknown) => boolean> = {
  prefix: (operand, value) => typeof value === 'string' && value.startsWith(String(operand)),
};

function matchesRule(rule: unknown, value: unknown): boolean {
  if (!isRecord(rule)) return rule === value;
  return Object.entries(rule).every(
    ([name, operand]) => COMPARISONS[name]?.(operand, value) === true,
  );
}

function checkRule(rule: unknown): void {
  const unknown = isRecord(rule)
    ? Object.keys(rule).find((name) => !(name in COMPARISONS))
    : undefined;
  if (unknown === undefined) return;
  throw new StartError(`The local cloud does not know the filter rule ${unknown}.`);
}

function checkPattern(pattern: Pattern): void {
  for (const part of Object.values(pattern)) {
    if (isRecord(part)) checkPattern(part);
    else if (Array.isArray(part)) part.forEach(checkRule);
    else throw new StartError('A filter pattern must hold lists of values.');
  }
}

/** Parses the JSON of one filter; an unknown rule stops the start. */
export function parsePattern(text: string): Pattern {
  const pattern: unknown = JSON.parse(text);
  if (!isRecord(pattern)) throw new StartError(`A filter pattern must be an object: ${text}`);
  checkPattern(pattern);
  return pattern;
}

/** Whether the record has, for each key of the pattern, one of the listed values. */
export function matchesPattern(pattern: Pattern, record: unknown): boolean {
  return Object.entries(pattern).every(([key, part]) => {
    const value = isRecord(record) ? record[key] : undefined;
    if (isRecord(part)) return matchesPattern(part, value);
    return Array.isArray(part) && part.some((rule) => matchesRule(rule, value));
  });
}

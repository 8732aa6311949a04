import { join } from 'node:path';
import * as z from 'zod';
import type { Clock } from '../time/clock.ts';
import type { Resource } from '../assembly/resource.ts';
import type { Iam } from '../iam/iam.ts';
import { type StateFile, stateFile } from '../state/state-file.ts';
import { startEngineProcess } from './engine-process.ts';
import { DYNAMODB, type Engine, engineAt, EngineError } from './engine.ts';
import { type ExpiryIndex, expiryIndexes } from './expiry-index.ts';
import type { StreamSource } from './stream-source.ts';
import { type PartitionLimits, partitionMeter } from './partition-limits.ts';
import { startPermissionProxy } from './permission-proxy.ts';
import { type StreamReader, streamReader } from './stream-reader.ts';
import { createTable, Item, keyText, parseTable, type Table } from './tables.ts';

export interface DynamoDbOptions {
  stateDir: string;
  clock: Clock;
  iam: Iam;
  /** Every `AWS::DynamoDB::Table` with its physical name. */
  tables: { resource: Resource; name: string }[];
  /** What each partition key may use in a second; no limit by default. */
  partitionLimits?: PartitionLimits | undefined;
  onCall(operation: string, table: string): void;
  onCapacity(kind: 'read' | 'write', units: number): void;
  /** Called with the tables that a request may have changed. */
  onWritten(tables: string[]): void;
}

/** The tables of the templates. */
export interface LocalDynamoDb {
  /** The services that functions call. */
  url: string;
  /** The engine itself, for callers whose permissions nobody checks. */
  engineUrl: string;
  /** Deletes expired items; true if any was deleted. */
  sweep(): Promise<boolean>;
  streamReader(source: StreamSource): Promise<StreamReader>;
  /** Every row of every table. */
  rows(): Promise<Record<string, Item[]>>;
  close(): Promise<void>;
}

const Page = z.object({ Items: z.array(Item).default([]), LastEvaluatedKey: Item.optional() });

/** Starts the engine and creates the templates' tables; rows survive restarts. */
export async function startDynamoDb(options: DynamoDbOptions): Promise<LocalDynamoDb> {
  const { stateDir, clock } = options;
  const file = (name: string) => join(stateDir, 'dynamodb', name);
  const swept = stateFile(file('swept.json'), SweptKeys, []);
  const checkpoints = stateFile(file('streams.json'), z.record(z.string(), z.string()), {});
  const tables: Table[] = options.tables.map(({ resource, name }) => parseTable(resource, name));
  const process = await startEngineProcess(stateDir);
  const engine = engineAt(process.url);
  try {
    for (const table of tables) await createTable(engine, table);
    const expiries = expiryIndexes(engine, tables);
    const meter = meterOf(options.partitionLimits);
    const proxy = await startPermissionProxy({
      ...options,
      tables,
      meter,
      engineUrl: process.url,
      onKeysWritten: (keys) => expiries.add(keys),
    });
    return {
      url: proxy.url,
      engineUrl: process.url,
      async sweep() {
        let deleted = 0;
        for (const table of tables) {
          deleted += await sweepTable({
            engine,
            table,
            expiries: expiries.of(table),
            clock,
            swept,
          });
        }
        return deleted > 0;
      },
      streamReader: (source) =>
        streamReader({ ...source, mappingId: source.id, engine, checkpoints, swept }),
      rows: () => allRows(engine, tables),
      async close() {
        await proxy.close();
        await process.close();
      },
    };
  } catch (error) {
    await process.close();
    throw error;
  }
}

async function allRows(engine: Engine, tables: readonly Table[]): Promise<Record<string, Item[]>> {
  const scanned = tables.map(async ({ name }) => [name, await scan(engine, name)] as const);
  return Object.fromEntries(await Promise.all(scanned));
}

async function scan(engine: Engine, TableName: string): Promise<Item[]> {
  const items: Item[] = [];
  let start: Item | undefined;
  do {
    const input = { TableName, ...(start && { ExclusiveStartKey: start }) };
    const page = await engine.call(`${DYNAMODB}.Scan`, input, Page);
    items.push(...page.Items);
    start = page.LastEvaluatedKey;
  } while (start !== undefined);
  return items;
}

function meterOf(limits: PartitionLimits | undefined) {
  return limits && partitionMeter(limits, () => Date.now());
}

/**
 * The items that the sweep deletes, recorded before it does. Their stream records must say that
 * DynamoDB itself removed them, which the engine cannot know.
 */
const SweptKeys = z.array(z.string());

/** DynamoDB does not delete items that expired more than five years ago. */
const FIVE_YEARS_SECONDS = 5 * 365 * 24 * 3600;

function expiryExpression(attribute: string, nowSeconds: number) {
  return {
    ExpressionAttributeNames: { '#ttl': attribute },
    ExpressionAttributeValues: {
      ':now': { N: String(nowSeconds) },
      ':oldest': { N: String(nowSeconds - FIVE_YEARS_SECONDS) },
      ':number': { S: 'N' },
    },
  };
}

const IS_DUE = 'attribute_type(#ttl, :number) AND #ttl BETWEEN :oldest AND :now';

async function deleteIfDue(engine: Engine, input: Record<string, unknown>): Promise<boolean> {
  try {
    await engine.call(
      `${DYNAMODB}.DeleteItem`,
      { ...input, ConditionExpression: IS_DUE },
      z.unknown(),
    );
    return true;
  } catch (error) {
    if (error instanceof EngineError && error.type === 'ConditionalCheckFailedException')
      return false;
    throw error;
  }
}

interface SweepOptions {
  engine: Engine;
  table: Table;
  /** Undefined for a table whose rows do not expire. */
  expiries: ExpiryIndex | undefined;
  clock: Clock;
  swept: StateFile<string[]>;
}

/** Rows whose expiry is remembered until their streams are read. */
const maxSwept = 1000;

/** Deletes the expired items of a table; returns how many. */
async function sweepTable(options: SweepOptions): Promise<number> {
  const { engine, table, expiries, clock, swept } = options;
  if (table.ttlAttribute === undefined || expiries === undefined) return 0;
  const nowSeconds = Math.floor(clock.now().getTime() / 1000);
  const base = { TableName: table.name, ...expiryExpression(table.ttlAttribute, nowSeconds) };
  let deleted = 0;
  for (const Key of await expiries.between(nowSeconds - FIVE_YEARS_SECONDS, nowSeconds)) {
    const text = keyText(table.name, Key);
    const others = swept.read().filter((one) => !one.endsWith(text));
    if (table.hasStream) swept.write([...others, text].slice(-maxSwept));
    if (await deleteIfDue(engine, { ...base, Key })) deleted += 1;
    else if (table.hasStream) swept.write(swept.read().filter((one) => one !== text));
    expiries.add(Key);
  }
  return deleted;
}

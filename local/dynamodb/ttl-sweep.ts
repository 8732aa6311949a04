import * as z from 'zod';
import type { Clock } from '../time/clock.ts';
import { keyText } from './item.ts';
import type { StateFile } from '../state/state-file.ts';
import { DYNAMODB, type Engine, EngineError } from './engine.ts';
import type { ExpiryIndex } from './expiry-index.ts';
import type { Table } from './tables.ts';

/**
 * The items that the sweep deletes, recorded before it does. Their stream records must say that
 * DynamoDB itself removed them, which the engine cannot know.
 */
export const SweptKeys = z.array(z.string());

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

/** What a sweep of a table needs. */
export interface SweepOptions {
  engine: Engine;
  table: Table;
  /** Undefined for a table whose rows do not expire. */
  expiries: ExpiryIndex | undefined;
  clock: Clock;
  swept: StateFile<string[]>;
}

/** Deletes the expired items of a table; returns how many. */
export async function sweepTable(options: SweepOptions): Promise<number> {
  const { engine, table, expiries, clock, swept } = options;
  if (table.ttlAttribute === undefined || expiries === undefined) return 0;
  const nowSeconds = Math.floor(clock.now().getTime() / 1000);
  const base = { TableName: table.name, ...expiryExpression(table.ttlAttribute, nowSeconds) };
  let deleted = 0;
  for (const Key of await expiries.between(nowSeconds - FIVE_YEARS_SECONDS, nowSeconds)) {
    const text = keyText(table.name, Key);
    if (table.hasStream) swept.write([...swept.read(), text]);
    if (await deleteIfDue(engine, { ...base, Key })) deleted += 1;
    else if (table.hasStream) swept.write(swept.read().filter((one) => one !== text));
    expiries.add(Key);
  }
  return deleted;
}

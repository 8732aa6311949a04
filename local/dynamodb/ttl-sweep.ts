import * as z from 'zod';
import type { Clock } from '../time/clock.ts';
import type { StateFile } from '../state/state-file.ts';
import { DYNAMODB, type Engine, EngineError } from './engine.ts';
import type { Table } from './tables.ts';

/** An item or a key, in DynamoDB's own JSON. */
export const Item = z.record(z.string(), z.unknown());
export type Item = z.infer<typeof Item>;

/**
 * The items that the sweep deletes, recorded before it does. Their stream records must say that
 * DynamoDB itself removed them, which the engine cannot know.
 */
export const SweptKeys = z.array(z.string());

const Page = z.object({ Items: z.array(Item).default([]), LastEvaluatedKey: Item.optional() });

/** DynamoDB does not delete items that expired more than five years ago. */
const FIVE_YEARS_SECONDS = 5 * 365 * 24 * 3600;

/** An item's key as one string. */
export function keyText(tableName: string, key: Item): string {
  return `${tableName} ${JSON.stringify(Object.entries(key).toSorted(([a], [b]) => (a < b ? -1 : 1)))}`;
}

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

/** Deletes the expired items of a table; returns how many. */
export async function sweepTable(
  engine: Engine,
  table: Table,
  clock: Clock,
  swept: StateFile<string[]>,
): Promise<number> {
  if (table.ttlAttribute === undefined) return 0;
  const due = expiryExpression(table.ttlAttribute, Math.floor(clock.now().getTime() / 1000));
  const base = { TableName: table.name, ...due };
  let deleted = 0;
  let start: Item | undefined;
  do {
    const input = { ...base, FilterExpression: IS_DUE, ...(start && { ExclusiveStartKey: start }) };
    const page = await engine.call(`${DYNAMODB}.Scan`, input, Page);
    for (const item of page.Items) {
      const Key = Object.fromEntries(table.keyNames.map((name) => [name, item[name]]));
      const text = keyText(table.name, Key);
      if (table.hasStream) swept.write([...swept.read(), text]);
      if (await deleteIfDue(engine, { ...base, Key })) deleted += 1;
      else if (table.hasStream) swept.write(swept.read().filter((one) => one !== text));
    }
    start = page.LastEvaluatedKey;
  } while (start !== undefined);
  return deleted;
}

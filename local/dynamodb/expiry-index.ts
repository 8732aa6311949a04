import * as z from 'zod';
import { DYNAMODB, type Engine } from './engine.ts';
import { Item, keyText, type Table } from './tables.ts';
import { keyIn, type WrittenKey } from './written-keys.ts';

/** When the rows of a table expire. */
export type ExpiryIndex = ReturnType<typeof expiryIndex>;

/** The limit of one call (DynamoDB quota). */
const keysOfOneCall = 100;

const Page = z.object({ Items: z.array(Item).default([]), LastEvaluatedKey: Item.optional() });
const Batch = z.object({
  Responses: z.record(z.string(), z.array(Item)),
  UnprocessedKeys: z.record(z.string(), z.object({ Keys: z.array(Item) })).default({}),
});
const Seconds = z.object({ N: z.string().transform(Number) });

function expiryReader(engine: Engine, { name, keyNames }: Table, ttlAttribute: string) {
  const names = [...keyNames, ttlAttribute].map((attribute, index) => [`#n${index}`, attribute]);
  const attributes = {
    ProjectionExpression: names.map(([placeholder]) => placeholder).join(', '),
    ExpressionAttributeNames: Object.fromEntries(names),
  };
  return {
    async *all() {
      let start: Item | undefined;
      do {
        const from = start && { ExclusiveStartKey: start };
        const input = { TableName: name, ...attributes, ...from };
        const page = await engine.call(`${DYNAMODB}.Scan`, input, Page);
        yield page.Items;
        start = page.LastEvaluatedKey;
      } while (start !== undefined);
    },
    async some(Keys: readonly Item[]) {
      const input = { RequestItems: { [name]: { Keys, ConsistentRead: true, ...attributes } } };
      const found = await engine.call(`${DYNAMODB}.BatchGetItem`, input, Batch);
      return {
        rows: found.Responses[name] ?? [],
        unprocessed: found.UnprocessedKeys[name]?.Keys ?? [],
      };
    },
  };
}

/**
 * Reads the table once, and then only rows that are written: the engine sorts the whole table for each page
 * of a scan.
 */
export function expiryIndex(engine: Engine, table: Table, ttlAttribute: string) {
  const reader = expiryReader(engine, table, ttlAttribute);
  const expiries = new Map<string, { key: Item; seconds: number }>();
  const written = new Map<string, Item>();
  let loading: Promise<void> | undefined;
  let reading = Promise.resolve();

  const add = (key: Item) => void written.set(keyText(table.name, key), key);
  const remember = (rows: readonly Item[]) => {
    for (const row of rows) {
      const key = keyIn(table, row);
      const { data } = Seconds.safeParse(row[ttlAttribute]);
      if (data !== undefined) expiries.set(keyText(table.name, key), { key, seconds: data.N });
    }
  };
  const load = async () => {
    for await (const rows of reader.all()) remember(rows);
  };
  const readWritten = async () => {
    while (written.size > 0) {
      const some = [...written].slice(0, keysOfOneCall);
      const { rows, unprocessed } = await reader.some(some.map(([, key]) => key));
      for (const [text, key] of some) {
        expiries.delete(text);
        // A row that was written again meanwhile has a new object here, and stays to be read again.
        if (written.get(text) === key) written.delete(text);
      }
      remember(rows);
      for (const key of unprocessed) add(key);
    }
  };

  return {
    /** To be called with the key of each row that was written. */
    add,
    /** The keys of rows that expire between two instants, in seconds since 1970, both inclusive. */
    async between(fromSeconds: number, toSeconds: number) {
      // A table that could not be read is read again by the next sweep.
      loading ??= load().catch((error: unknown) => {
        loading = undefined;
        throw error;
      });
      await loading;
      // Of two sweeps at once, the second waits for what the first one reads.
      reading = reading.catch(() => undefined).then(readWritten);
      await reading;
      return [...expiries.values()].flatMap(({ key, seconds }) =>
        seconds >= fromSeconds && seconds <= toSeconds ? [key] : [],
      );
    },
  };
}

/** The indexes of the tables whose rows expire, by name. */
export function expiryIndexes(engine: Engine, tables: readonly Table[]) {
  const indexes = new Map<string, ExpiryIndex>();
  for (const table of tables) {
    const { name, ttlAttribute } = table;
    if (ttlAttribute !== undefined) indexes.set(name, expiryIndex(engine, table, ttlAttribute));
  }
  return {
    of: (table: Table) => indexes.get(table.name),
    add(keys: readonly WrittenKey[]): void {
      for (const { table, key } of keys) indexes.get(table)?.add(key);
    },
  };
}

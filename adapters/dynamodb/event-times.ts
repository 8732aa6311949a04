import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { backOff } from '../../core/back-off.ts';
import { findRow } from './read-rows.ts';
import { update, write } from './writes.ts';

/** The row of a limit that knows when each event was. */
export const EventTimes = z.object({ times: z.array(z.number()), revision: z.number() });

/** Where such a row is. */
export interface EventRow {
  table: string;
  key: Record<string, string>;
}

/**
 * A limit allows only a few events, so a writer that keeps losing soon finds that none is allowed
 * any more.
 */
const raceTries = 40;

/** The times in a row; none if it does not exist. */
export async function readEventTimes(
  client: DynamoDBDocumentClient,
  { table, key }: EventRow,
): Promise<z.infer<typeof EventTimes>> {
  const found = await findRow(client, table, key, (row) => EventTimes.parse(row));
  return found ?? { times: [], revision: 0 };
}

/**
 * Writes the times that `next` makes of those in a row. Each concurrent change of the row calls it again; if it
 * returns none, nothing is written. False if other writers were faster every time.
 */
export async function changeEventTimes(
  client: DynamoDBDocumentClient,
  row: EventRow,
  next: (times: readonly number[]) => { times: number[]; ttl?: number } | undefined,
): Promise<boolean> {
  for (let tries = 1; tries <= raceTries; tries += 1) {
    const { times, revision: seen } = await readEventTimes(client, row);
    const changed = next(times);
    if (changed === undefined) return true;
    const change = update(row.table, row.key, {
      set: { ...changed, revision: seen + 1 },
      when: 'attribute_not_exists(revision) OR revision = :seen',
      values: { seen },
    });
    if (await write(client, change)) return true;
    await backOff(tries);
  }
  return false;
}

import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { AccountId, Instant } from '../../../contract/fields.ts';
import { epochSeconds, plusSeconds } from '../../../core/instants.ts';
import { nextPlaceAt, withPlace } from '../../../core/limits/sliding-window.ts';
import { edgePlaceRules } from '../../../core/projects/edge-copies.ts';
import { backOff } from '../../../core/back-off.ts';
import { findRow } from '../read-rows.ts';
import { update, write } from '../writes.ts';

/** The row with the times at which projects of an account may enter the edge's cache. */
const edgePlacesKey = (accountId: AccountId) => ({ pk: `ACCOUNT#${accountId}`, sk: 'EDGE' });

/** The row with these times. */
export const EdgePlaces = z.object({ times: z.array(z.number()), revision: z.number() });

/** Few writers compete for one account's row, because its requests are limited. */
const raceTries = 40;

/** The account that needs a place, and a check whether the write with that place happened. */
export interface EdgePlaceUse<T> {
  table: string;
  accountId: AccountId;
  at: Instant;
  write: (place: Date) => Promise<T>;
  isWritten: (outcome: T) => boolean;
}

/**
 * Writes with the account's next place at the edge: now, or when its limit allows one again. Exact
 * under concurrency. If the write is refused, its place is released.
 */
export async function writeWithEdgePlace<T>(
  client: DynamoDBDocumentClient,
  { table, accountId, at, write, isWritten }: EdgePlaceUse<T>,
): Promise<T> {
  const now = new Date(at);
  let place = now;
  await changePlaces(client, { table, accountId }, (times) => {
    place = nextPlaceAt(times, edgePlaceRules, now);
    return withPlace(times, edgePlaceRules, place);
  });
  const outcome = await write(place);
  if (!isWritten(outcome)) {
    await changePlaces(client, { table, accountId }, (times) => {
      const index = times.indexOf(place.getTime());
      return index < 0 ? undefined : times.toSpliced(index, 1);
    });
  }
  return outcome;
}

async function changePlaces(
  client: DynamoDBDocumentClient,
  { table, accountId }: { table: string; accountId: AccountId },
  next: (times: readonly number[]) => number[] | undefined,
): Promise<void> {
  for (let tries = 1; tries <= raceTries; tries += 1) {
    const found = await findRow(client, table, edgePlacesKey(accountId), (row) =>
      EdgePlaces.parse(row),
    );
    const { times, revision } = found ?? { times: [], revision: 0 };
    const changed = next(times);
    if (changed === undefined) return;
    if (await write(client, placesUpdate(table, accountId, { times: changed, revision }))) return;
    await backOff(tries);
  }
  throw new Error(`places at the edge of ${accountId} were changed in ${raceTries} tries`);
}

function placesUpdate(
  TableName: string,
  accountId: AccountId,
  { times, revision: seen }: z.infer<typeof EdgePlaces>,
) {
  const last = new Date(times.at(-1) ?? 0);
  const longest = Math.max(...edgePlaceRules.map(({ windowSeconds }) => windowSeconds));
  const ttl = epochSeconds(plusSeconds(last, longest));
  return update(TableName, edgePlacesKey(accountId), {
    set: { times, revision: seen + 1, ttl },
    when: 'attribute_not_exists(revision) OR revision = :seen',
    values: { seen },
  });
}

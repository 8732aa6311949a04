import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { AccountId, Instant } from '../../../contract/fields.ts';
import { epochSeconds, plusSeconds } from '../../../core/instants.ts';
import { nextPlaceAt, withPlace } from '../../../core/limits/sliding-window.ts';
import { edgePlaceRules } from '../../../core/projects/edge-copies.ts';
import { changeEventTimes } from '../event-times.ts';

/** The row with the times at which projects of an account may enter the edge's cache. */
const edgePlacesKey = (accountId: AccountId) => ({ pk: `ACCOUNT#${accountId}`, sk: 'EDGE' });

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
  const row = { table, key: edgePlacesKey(accountId) };
  const isDecided = await changeEventTimes(client, row, (before) => {
    const times = next(before);
    return times && { times, ttl: placesEnd(times) };
  });
  if (!isDecided) throw new Error(`places at the edge of ${accountId} were changed in every try`);
}

function placesEnd(times: readonly number[]): number {
  const last = new Date(times.at(-1) ?? 0);
  const longest = Math.max(...edgePlaceRules.map(({ windowSeconds }) => windowSeconds));
  return epochSeconds(plusSeconds(last, longest));
}

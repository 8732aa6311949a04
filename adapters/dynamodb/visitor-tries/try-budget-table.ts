import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { epochSeconds, plusSeconds } from '../../../core/instants.ts';
import {
  choosePlace,
  type PlaceChoice,
  placesOf,
  type TryBudgets,
  type TryPlaces,
  type TryReservation,
  type TrySchedule,
} from '../../../core/limits/try-budget.ts';
import { backOff } from '../../../core/back-off.ts';
import { readRow } from '../read-rows.ts';
import { update, write } from '../writes.ts';

/** Concurrent tries may choose the same place; in each round at least one of them succeeds. */
const maxAttempts = 20;
/** The wait for a visitor whose attempts all failed. */
const busySeconds = 2;

/** `p0`, `p1`, … are the places, each with the epoch milliseconds at which it was taken. */
const placeName = (place: number) => `p${place}`;
const OptionalNumber = z.number().optional().catch(undefined);

/**
 * Budgets of tries in DynamoDB; a row expires by TTL an hour after the window of its last place.
 */
export function tryBudgetTable(client: DynamoDBDocumentClient, table: string): TryBudgets {
  return {
    async reserve(key, schedule, now) {
      for (let turn = 1; turn <= maxAttempts; turn += 1) {
        const places = await read(client, table, key, schedule);
        const choice = choosePlace(places, schedule, now, Math.random());
        if (choice.kind === 'none') return { ...choice, kind: 'refused' };
        if (await takePlace(client, table, { key, choice, schedule, now })) {
          return { kind: 'reserved', reservation: reservationOf(key, choice, now) };
        }
        await backOff(turn);
      }
      return { kind: 'refused', freeAt: plusSeconds(now, busySeconds), newestAt: now };
    },
    async release(reservation) {
      await write(client, releasePlace(table, reservation));
    },
    async keep({ key, place, reservedAt }) {
      const kept = { add: { running: -1 }, ...isAt(placeName(place), reservedAt) };
      await write(client, update(table, { key }, kept));
    },
  };
}

type Chosen = Exclude<PlaceChoice, { kind: 'none' }>;

async function read(
  client: DynamoDBDocumentClient,
  table: string,
  key: string,
  schedule: TrySchedule,
): Promise<TryPlaces> {
  const row = (await readRow(client, table, { key })) ?? {};
  return {
    reservedAt: Array.from({ length: placesOf(schedule) }, (_, place) =>
      OptionalNumber.parse(row[placeName(place)]),
    ),
    lastWaitedAt: OptionalNumber.parse(row['lastWaitedAt']),
    running: OptionalNumber.parse(row['running']) ?? 0,
  };
}

/** False if another try took this place, or any place with a wait, since the row was read. */
function takePlace(
  client: DynamoDBDocumentClient,
  table: string,
  taking: { key: string; choice: Chosen; schedule: TrySchedule; now: Date },
): Promise<boolean> {
  const { key, choice, schedule, now } = taking;
  const waits = choice.kind === 'waited';
  const previousWait = waits ? choice.lastWaitedAt : undefined;
  const unwaited =
    previousWait === undefined ? 'attribute_not_exists(lastWaitedAt)' : 'lastWaitedAt = :seen';
  const place = placeName(choice.place);
  const at = now.getTime();
  const change = update(
    table,
    { key },
    {
      set: {
        [place]: at,
        ttl: epochSeconds(plusSeconds(now, schedule.windowSeconds + 3600)),
        ...(waits && { lastWaitedAt: at }),
      },
      add: { running: 1 },
      when: `(attribute_not_exists(${place}) OR ${place} <= :over)${waits ? ` AND ${unwaited}` : ''}`,
      values: { over: at - schedule.windowSeconds * 1000, seen: previousWait },
    },
  );
  return write(client, change);
}

function reservationOf(key: string, choice: Chosen, reservedAt: Date): TryReservation {
  const { place } = choice;
  if (choice.kind === 'free') return { key, place, reservedAt, waits: false };
  return { key, place, reservedAt, waits: true, waitedBefore: choice.lastWaitedAt };
}

/** Releases only what this try took; another try may have taken the place since then. */
function releasePlace(table: string, { key, place, reservedAt, ...rest }: TryReservation) {
  const before = rest.waits ? rest.waitedBefore : undefined;
  const own = isAt(placeName(place), reservedAt);
  return update(
    table,
    { key },
    {
      remove: [placeName(place), ...(rest.waits && before === undefined ? ['lastWaitedAt'] : [])],
      set: { lastWaitedAt: before },
      add: { running: -1 },
      ...own,
      when: `${own.when}${rest.waits ? ' AND lastWaitedAt = :at' : ''}`,
    },
  );
}

/** Nobody else has taken the place since then. */
function isAt(place: string, reservedAt: Date) {
  return { when: `${place} = :at`, values: { at: reservedAt.getTime() } };
}

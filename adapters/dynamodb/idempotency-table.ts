import { idempotencyKeptSeconds } from '../../contract/limits.ts';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod';
import { Bytes, Instant } from '../../contract/fields.ts';
import {
  type ResponseStore,
  type StoredState,
  leaseSeconds,
} from '../../core/idempotency/response-store.ts';
import { epochSeconds, instant, plusSeconds } from '../../core/instants.ts';
import { readRow } from './read-rows.ts';
import { put, remove, update, write } from './writes.ts';

const Times = z.object({ endsAt: Instant, leaseEndsAt: Instant });
/** A stored response, or a request that runs. */
export const ResponseRow = z.object({
  mark: z.string(),
  leaseEndsAt: Instant,
  sealed: z.optional(Bytes),
});

/**
 * Stored responses for idempotency keys, in the counters table; rows expire by TTL an hour after
 * they end.
 */
export function idempotencyTable(client: DynamoDBDocumentClient, table: string): ResponseStore {
  const isHeldBy = (holder: string) => ({ when: 'holder = :holder', values: { holder } });
  return {
    async begin(row, claim, now) {
      try {
        await client.send(new PutCommand(claimPut(table, row, claim, now)));
        return { state: 'begun' };
      } catch (error) {
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
        return parseFound(unmarshall(error.Item ?? {}));
      }
    },
    async peek(row, now) {
      const item = await readRow(client, table, keyOf(row));
      if (item === undefined) return undefined;
      const { endsAt, leaseEndsAt } = Times.parse(item);
      const nowText = instant(now);
      const isOver = endsAt <= nowText || (item['sealed'] === undefined && leaseEndsAt <= nowText);
      return isOver ? undefined : parseFound(item);
    },
    async keep(row, holder, sealed) {
      await write(client, update(table, keyOf(row), { set: { sealed }, ...isHeldBy(holder) }));
    },
    async release(row, holder) {
      await write(client, remove(table, keyOf(row), isHeldBy(holder)));
    },
  };
}

function keyOf(row: string) {
  return { key: `idempotency#${row}` };
}

/**
 * A key is free if it has no row, a row that has ended, a row whose holder crashed, or our own row,
 * because the SDK may send this write twice.
 */
const isFree = [
  'attribute_not_exists(#key)',
  'endsAt <= :now',
  '(attribute_not_exists(sealed) AND leaseEndsAt <= :now AND mark = :mark)',
  'holder = :holder',
].join(' OR ');

function claimPut(
  TableName: string,
  row: string,
  claim: { mark: string; holder: string },
  now: Date,
) {
  const endsAt = plusSeconds(now, idempotencyKeptSeconds);
  const Item = {
    ...keyOf(row),
    ...claim,
    leaseEndsAt: instant(plusSeconds(now, leaseSeconds)),
    endsAt: instant(endsAt),
    ttl: epochSeconds(plusSeconds(endsAt, 3600)),
  };
  const values = { now: instant(now), ...claim };
  return put(TableName, Item, { when: isFree, values, returnsRow: true }).Put;
}

function parseFound(item: unknown): Exclude<StoredState, { state: 'begun' }> {
  const { mark, leaseEndsAt, sealed } = ResponseRow.parse(item);
  return sealed === undefined
    ? { state: 'running', mark, leaseEndsAt }
    : { state: 'answered', mark, sealed };
}

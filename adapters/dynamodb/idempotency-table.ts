import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  GetCommand,
  type DynamoDBDocumentClient,
  PutCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod';
import { Bytes, Instant } from '../../contract/fields.ts';
import {
  type AnswerStore,
  type Found,
  keptSeconds,
  leaseSeconds,
} from '../../core/idempotency/answer-store.ts';
import { epochSeconds, instant, plusSeconds } from '../../core/instants.ts';
import { unlessLost } from './document-client.ts';

const Times = z.object({ endsAt: Instant, leaseEndsAt: Instant });
const Row = z.object({ mark: z.string(), leaseEndsAt: Instant, sealed: Bytes.optional() });

/** Answers to repeat, in the counters table; rows leave by TTL an hour after they stopped to count. */
export function idempotencyTable(client: DynamoDBDocumentClient, table: string): AnswerStore {
  const at = (row: string) => ({ TableName: table, Key: keyOf(row) });
  return {
    async begin(row, claim, now) {
      try {
        await client.send(new PutCommand({ TableName: table, ...claiming(row, claim, now) }));
        return { state: 'begun' };
      } catch (error) {
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
        return found(unmarshall(error.Item ?? {}));
      }
    },
    async look(row, now) {
      const { Item } = await client.send(new GetCommand({ ...at(row), ConsistentRead: true }));
      if (Item === undefined) return undefined;
      const { endsAt, leaseEndsAt } = Times.parse(Item);
      const nowText = instant(now);
      const isOver = endsAt <= nowText || (Item['sealed'] === undefined && leaseEndsAt <= nowText);
      return isOver ? undefined : found(Item);
    },
    async keep(row, holder, sealed) {
      const update = new UpdateCommand({
        ...at(row),
        UpdateExpression: 'SET sealed = :sealed',
        ConditionExpression: 'holder = :holder',
        ExpressionAttributeValues: { ':holder': holder, ':sealed': sealed },
      });
      await unlessLost(client.send(update));
    },
    async release(row, holder) {
      const removal = new DeleteCommand({
        ...at(row),
        ConditionExpression: 'holder = :holder',
        ExpressionAttributeValues: { ':holder': holder },
      });
      await unlessLost(client.send(removal));
    },
  };
}

function keyOf(row: string) {
  return { key: `idempotency#${row}` };
}

/** Free: no row, one a day old, one whose holder crashed, or our own, when the SDK sends this twice. */
const isFree = [
  'attribute_not_exists(#key)',
  'endsAt <= :now',
  '(attribute_not_exists(sealed) AND leaseEndsAt <= :now AND mark = :mark)',
  'holder = :holder',
].join(' OR ');

function claiming(row: string, claim: { mark: string; holder: string }, now: Date) {
  const endsAt = plusSeconds(now, keptSeconds);
  return {
    Item: {
      ...keyOf(row),
      ...claim,
      leaseEndsAt: instant(plusSeconds(now, leaseSeconds)),
      endsAt: instant(endsAt),
      ttl: epochSeconds(plusSeconds(endsAt, 3600)),
    },
    ConditionExpression: isFree,
    ExpressionAttributeNames: { '#key': 'key' },
    ExpressionAttributeValues: {
      ':now': instant(now),
      ':mark': claim.mark,
      ':holder': claim.holder,
    },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
  };
}

function found(item: unknown): Exclude<Found, { state: 'begun' }> {
  const { mark, leaseEndsAt, sealed } = Row.parse(item);
  return sealed === undefined
    ? { state: 'running', mark, leaseEndsAt }
    : { state: 'answered', mark, sealed };
}

import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { instant } from '../core/instants.ts';
import type { ProjectStore } from '../core/ports.ts';
import { unlessLost } from './dynamodb.ts';
import { due, intentKey, IntentRow, intentRow } from './project-rows.ts';

type Intents = Pick<
  ProjectStore,
  'begin' | 'intent' | 'leaseIntent' | 'postponeIntent' | 'seizeIntent' | 'endIntent'
>;

/** Uploads that are being stored, in DynamoDB. */
export function intentRepository(client: DynamoDBDocumentClient, table: string): Intents {
  const get: Intents['intent'] = async (intent) => {
    const { Item } = await client.send(
      new GetCommand({ TableName: table, Key: intentKey(intent), ConsistentRead: true }),
    );
    return Item === undefined ? undefined : IntentRow.parse(Item);
  };
  const update = (
    intent: Parameters<Intents['intent']>[0],
    UpdateExpression: string,
    ExpressionAttributeValues: Record<string, unknown>,
    condition = 'attribute_exists(pk)',
  ) =>
    unlessLost(
      client.send(
        new UpdateCommand({
          TableName: table,
          Key: intentKey(intent),
          UpdateExpression,
          ConditionExpression: condition,
          ExpressionAttributeValues,
        }),
      ),
    );
  return {
    async begin(intent) {
      await client.send(
        new PutCommand({
          TableName: table,
          Item: intentRow(intent),
          // The same intent again is the client's own retry after an answer that was lost.
          ConditionExpression: 'attribute_not_exists(pk) OR startedAt = :startedAt',
          ExpressionAttributeValues: { ':startedAt': intent.startedAt },
        }),
      );
    },
    intent: get,
    async leaseIntent(intent, at, until) {
      const leased = await update(
        intent,
        'SET leasedUntil = :until',
        { ':at': at, ':until': until },
        'attribute_exists(pk) AND attribute_not_exists(seizedAt) AND (attribute_not_exists(leasedUntil) OR leasedUntil <= :at)',
      );
      return leased ? get(intent) : undefined;
    },
    async postponeIntent(intent, sweepAt) {
      const { dueAt } = due(intent.projectId, sweepAt);
      await update(intent, 'SET dueAt = :dueAt', { ':dueAt': dueAt });
    },
    seizeIntent: (intent, now) => update(intent, 'SET seizedAt = :now', { ':now': instant(now) }),
    async endIntent(intent) {
      await client.send(new DeleteCommand({ TableName: table, Key: intentKey(intent) }));
    },
  };
}

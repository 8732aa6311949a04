import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { instant } from '../../../core/instants.ts';
import type { ProjectStore } from '../../../core/ports.ts';
import { unlessLost } from '../document-client.ts';
import { due, intentKey, IntentRow, intentRow } from './project-rows.ts';

type Intents = Pick<
  ProjectStore,
  'begin' | 'intent' | 'leaseIntent' | 'postponeIntent' | 'seizeIntent' | 'endIntent'
>;

type Key = Parameters<Intents['intent']>[0];

interface Change {
  set: string;
  values: Record<string, unknown>;
  when?: string;
}

/** Uploads that are being stored, in DynamoDB. */
export function intentRepository(client: DynamoDBDocumentClient, table: string): Intents {
  const get: Intents['intent'] = async (intent) => {
    const { Item } = await client.send(
      new GetCommand({ TableName: table, Key: intentKey(intent), ConsistentRead: true }),
    );
    return Item === undefined ? undefined : IntentRow.parse(Item);
  };
  const update = (intent: Key, change: Change) =>
    unlessLost(client.send(updateCommand(table, intent, change)));
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
      const leased = await update(intent, {
        set: 'leasedUntil = :until',
        values: { ':at': at, ':until': until },
        when: 'attribute_not_exists(seizedAt) AND (attribute_not_exists(leasedUntil) OR leasedUntil <= :at)',
      });
      return leased ? get(intent) : undefined;
    },
    async postponeIntent(intent, sweepAt) {
      const { dueAt } = due(intent.projectId, sweepAt);
      await update(intent, { set: 'dueAt = :dueAt', values: { ':dueAt': dueAt } });
    },
    seizeIntent: (intent, now) =>
      update(intent, { set: 'seizedAt = :now', values: { ':now': instant(now) } }),
    async endIntent(intent) {
      await client.send(new DeleteCommand({ TableName: table, Key: intentKey(intent) }));
    },
  };
}

function updateCommand(TableName: string, intent: Key, { set, values, when }: Change) {
  return new UpdateCommand({
    TableName,
    Key: intentKey(intent),
    UpdateExpression: `SET ${set}`,
    ConditionExpression: ['attribute_exists(pk)', ...(when === undefined ? [] : [when])].join(
      ' AND ',
    ),
    ExpressionAttributeValues: values,
  });
}

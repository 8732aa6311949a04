import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  PutCommand,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { WebhookId } from '../../../contract/operations/webhooks.ts';
import { epochSeconds, instant, plusSeconds } from '../../../core/instants.ts';
import {
  Delivery,
  type DeliveryId,
  type DeliveryStore,
  deliveriesOf,
  keptSeconds,
} from '../../../core/webhooks/delivery.ts';
import type { AccountEvent, LaneKey } from '../../../core/webhooks/webhook.ts';
import { deleteRows, retryOnConflict, tryConditionalWrite } from '../document-client.ts';
import { rowParser, withoutNulls } from '../null-fields.ts';
import { dueShardOf } from '../projects/project-rows.ts';
import { queryRows, readRow } from '../read-rows.ts';
import { writeTransaction } from '../transaction.ts';
import { readWebhooks } from './webhook-table.ts';

const partition = (webhookId: WebhookId) => `WEBHOOK#${webhookId}`;
const waitingPrefix = (subject: string) => `WAITING#${subject}#`;

const laneKey = ({ webhookId, subject }: LaneKey) => ({
  pk: partition(webhookId),
  sk: `LANE#${subject}`,
});
const waitingKey = ({ webhookId, subject, id }: LaneKey & { id: DeliveryId }) => ({
  pk: partition(webhookId),
  sk: waitingPrefix(subject) + id,
});
const doneKey = (webhookId: WebhookId, id: DeliveryId) => ({
  pk: partition(webhookId),
  sk: `DONE#${id}`,
});

/** A line that has deliveries. */
export const LaneRow = z.object({ added: z.int() });

const parseDelivery = rowParser(Delivery);

/** The tables of deliveries and of webhooks. */
export interface EventTables {
  projects: string;
  accounts: string;
}

/**
 * The parts of a transaction that make events true: a delivery for each webhook that wants one, at the end of its
 * line. Reads the webhooks of the account if there are events.
 */
export async function eventParts(
  client: DynamoDBDocumentClient,
  tables: EventTables,
  events: readonly AccountEvent[],
) {
  const [first] = events;
  if (first === undefined) return [];
  const { webhooks } = await readWebhooks(client, tables.accounts, first.accountId);
  return deliveryParts(tables.projects, deliveriesOf(webhooks, events));
}

/** Writes one row with its events: alone, where no webhook wants them. False if its condition failed. */
export async function writeWithEvents(
  client: DynamoDBDocumentClient,
  tables: EventTables,
  { Update, events }: { Update: RowUpdate; events: readonly AccountEvent[] },
): Promise<boolean> {
  const parts = await eventParts(client, tables, events);
  if (parts.length === 0)
    return retryOnConflict(() => tryConditionalWrite(client.send(new UpdateCommand(Update))));
  return (await writeTransaction(client, [['row', { Update }], ...parts])).size === 0;
}

type RowUpdate = UpdateCommandInput & { UpdateExpression: string };

/** The parts of a transaction that add deliveries. Each line is one part: a transaction has one part for a row. */
export function deliveryParts(TableName: string, deliveries: readonly Delivery[]) {
  const lanes = new Map<string, Delivery[]>();
  for (const one of deliveries) {
    const name = `${one.webhookId} ${one.subject}`;
    lanes.set(name, [...(lanes.get(name) ?? []), one]);
  }
  return [
    ...deliveries.map((one) => {
      const Item = deliveryRow(waitingKey(one), one);
      return ['delivery', { Put: { TableName, Item } }] as const;
    }),
    ...[...lanes.values()].flatMap((ofLane) => {
      const [first] = ofLane;
      return first === undefined ? [] : [lanePart(TableName, first, ofLane.length)];
    }),
  ];
}

function lanePart(TableName: string, first: Delivery, added: number) {
  const Update = {
    TableName,
    Key: laneKey(first),
    UpdateExpression:
      'SET dueAt = if_not_exists(dueAt, :dueAt), dueShard = :dueShard ADD added :added',
    ExpressionAttributeValues: {
      ':dueAt': first.createdAt,
      ':dueShard': dueShardOf(first.webhookId),
      ':added': added,
    },
  };
  return ['lane', { Update }] as const;
}

function deliveryRow(key: { pk: string; sk: string }, delivery: Delivery) {
  const { lastAttempt, ...others } = delivery;
  const ttl = epochSeconds(plusSeconds(new Date(delivery.createdAt), keptSeconds));
  return { ...key, ...withoutNulls(others), ...(lastAttempt !== null && { lastAttempt }), ttl };
}

/** Deliveries in DynamoDB, in the table of projects: one transaction writes them with what they are about. */
export function deliveryTable(client: DynamoDBDocumentClient, TableName: string): DeliveryStore {
  const query = (webhookId: WebhookId, prefix: string, isNewestFirst: boolean, limit: number) =>
    queryRows(
      client,
      {
        TableName,
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
        ExpressionAttributeValues: { ':pk': partition(webhookId), ':prefix': prefix },
        ScanIndexForward: !isNewestFirst,
        ConsistentRead: true,
      },
      limit,
    );
  return {
    ...laneTable(client, TableName),
    async add(delivery) {
      await writeTransaction(client, deliveryParts(TableName, [delivery]));
    },
    async list(webhookId, limit) {
      const found = await Promise.all([
        query(webhookId, 'WAITING#', true, limit),
        query(webhookId, 'DONE#', true, limit),
      ]);
      const all = found.flat().map(parseDelivery);
      return all.toSorted((a, b) => (a.id < b.id ? 1 : -1)).slice(0, limit);
    },
    async find(webhookId, id) {
      const row = await readRow(client, TableName, doneKey(webhookId, id));
      return row && parseDelivery(row);
    },
    async first({ webhookId, subject }) {
      const [row] = await query(webhookId, waitingPrefix(subject), false, 1);
      return row && parseDelivery(row);
    },
    async update(delivery) {
      const Item = deliveryRow(waitingKey(delivery), delivery);
      const put = new PutCommand({ TableName, Item, ConditionExpression: 'attribute_exists(pk)' });
      await tryConditionalWrite(client.send(put));
    },
    async finish(delivery) {
      const { webhookId, id } = delivery;
      const isWaiting = { ConditionExpression: 'attribute_exists(pk)' };
      const Item = deliveryRow(doneKey(webhookId, id), delivery);
      await writeTransaction(client, [
        ['waiting', { Delete: { TableName, Key: waitingKey(delivery), ...isWaiting } }],
        ['done', { Put: { TableName, Item } }],
      ]);
    },
  };
}

type Lanes = Pick<DeliveryStore, 'postpone' | 'lease' | 'release' | 'end' | 'removeAll'>;

/** The lines that have deliveries. */
function laneTable(client: DynamoDBDocumentClient, TableName: string): Lanes {
  const update = (key: LaneKey, set: string, when: string, values: object) =>
    retryOnConflict(() =>
      tryConditionalWrite(
        client.send(
          new UpdateCommand({
            TableName,
            Key: laneKey(key),
            UpdateExpression: set,
            ConditionExpression: when,
            ExpressionAttributeValues: { ...values },
          }),
        ),
      ),
    );
  const read = async (key: LaneKey) => {
    const row = await readRow(client, TableName, laneKey(key));
    return row && LaneRow.parse(row).added;
  };
  return {
    postpone: (key, now, until) =>
      update(key, 'SET dueAt = :until', 'dueAt <= :now', { ':until': until, ':now': instant(now) }),
    async lease(key, now, until) {
      const isFree =
        'attribute_exists(pk) AND (attribute_not_exists(leasedUntil) OR leasedUntil <= :now)';
      const values = { ':until': until, ':now': instant(now) };
      const set = 'SET leasedUntil = :until, dueAt = :until';
      return (await update(key, set, isFree, values)) ? read(key) : undefined;
    },
    async release(key, dueAt) {
      const set = 'SET dueAt = :dueAt REMOVE leasedUntil';
      await update(key, set, 'attribute_exists(pk)', { ':dueAt': dueAt });
    },
    async end(key, added) {
      const removal = new DeleteCommand({
        TableName,
        Key: laneKey(key),
        ConditionExpression: 'attribute_not_exists(pk) OR added = :added',
        ExpressionAttributeValues: { ':added': added },
      });
      const isEnded = await retryOnConflict(() => tryConditionalWrite(client.send(removal)));
      return isEnded ? undefined : read(key);
    },
    removeAll: (webhookId) => removeAll(client, TableName, webhookId),
  };
}

async function removeAll(
  client: DynamoDBDocumentClient,
  TableName: string,
  webhookId: WebhookId,
): Promise<void> {
  const rows = await queryRows(client, {
    TableName,
    KeyConditionExpression: 'pk = :pk',
    ProjectionExpression: 'pk, sk',
    ExpressionAttributeValues: { ':pk': partition(webhookId) },
  });
  await deleteRows(client, TableName, rows);
}

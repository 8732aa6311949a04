import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { Instant } from '../../../contract/fields.ts';
import type { WebhookId } from '../../../contract/operations/webhooks.ts';
import { epochSeconds, instant, plusSeconds } from '../../../core/instants.ts';
import {
  Delivery,
  type DeliveryId,
  type DeliveryStore,
  deliveriesOf,
  keptSeconds,
  maxListed,
} from '../../../core/webhooks/delivery.ts';
import type { AccountEvent, LaneKey } from '../../../core/webhooks/webhook.ts';
import { deleteRows } from '../document-client.ts';
import { rowParser, withoutNulls } from '../null-fields.ts';
import { dueShardOf } from '../projects/project-rows.ts';
import { findRow, partitionRows } from '../read-rows.ts';
import { writeTransaction } from '../transaction.ts';
import { type Change, exists, put, remove, update, write } from '../writes.ts';
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
  change: ReturnType<typeof update>,
  events: readonly AccountEvent[],
): Promise<boolean> {
  const parts = await eventParts(client, tables, events);
  if (parts.length === 0) return write(client, change);
  return (await writeTransaction(client, [['row', change], ...parts])).size === 0;
}

/** The parts of a transaction that add deliveries. Each line is one part: a transaction has one part for a row. */
export function deliveryParts(TableName: string, deliveries: readonly Delivery[]) {
  const lanes = new Map<string, Delivery[]>();
  for (const one of deliveries) {
    const name = `${one.webhookId} ${one.subject}`;
    lanes.set(name, [...(lanes.get(name) ?? []), one]);
  }
  return [
    ...deliveries.map(
      (one) => ['delivery', put(TableName, deliveryRow(waitingKey(one), one))] as const,
    ),
    ...[...lanes.values()].flatMap((ofLane) => {
      const [first] = ofLane;
      return first === undefined ? [] : [lanePart(TableName, first, ofLane.length)];
    }),
  ];
}

function lanePart(TableName: string, first: Delivery, added: number) {
  const change = {
    set: { dueShard: dueShardOf(first.webhookId) },
    setOnce: { dueAt: first.createdAt },
    add: { added },
  };
  return ['lane', update(TableName, laneKey(first), change)] as const;
}

function deliveryRow(key: { pk: string; sk: string }, delivery: Delivery) {
  const { lastAttempt, ...others } = delivery;
  const ttl = epochSeconds(plusSeconds(new Date(delivery.createdAt), keptSeconds));
  return { ...key, ...withoutNulls(others), ...(lastAttempt !== null && { lastAttempt }), ttl };
}

/** Deliveries in DynamoDB, in the table of projects: one transaction writes them with what they are about. */
export function deliveryTable(client: DynamoDBDocumentClient, TableName: string): DeliveryStore {
  const newest = newestRows(client, TableName);
  const firstOf = async ({ webhookId, subject }: LaneKey) => {
    const waiting = { pk: partition(webhookId), prefix: waitingPrefix(subject) };
    const [row] = await partitionRows(client, TableName, waiting, 1);
    return row && parseDelivery(row);
  };
  return {
    ...laneTable(client, TableName),
    async add(delivery) {
      await writeTransaction(client, deliveryParts(TableName, [delivery]));
    },
    async list(webhookId, limit) {
      const found = await Promise.all([
        newest(webhookId, 'WAITING#', limit),
        newest(webhookId, 'DONE#', limit),
      ]);
      const all = found.flat().map(parseDelivery);
      return all.toSorted((a, b) => (a.id < b.id ? 1 : -1)).slice(0, limit);
    },
    find: (webhookId, id) => findRow(client, TableName, doneKey(webhookId, id), parseDelivery),
    first: firstOf,
    async bringForward(webhookId, id, dueAt) {
      const listed = (await newest(webhookId, 'WAITING#', maxListed)).map(parseDelivery);
      const found = listed.find((one) => one.id === id);
      const first = found && (await firstOf(found));
      if (first !== undefined) await makeDue(client, TableName, first, dueAt);
      return first !== undefined;
    },
    async update(delivery) {
      const Item = deliveryRow(waitingKey(delivery), delivery);
      await write(client, put(TableName, Item, exists));
    },
    async move(delivery, subject) {
      await writeTransaction(client, [
        ['waiting', remove(TableName, waitingKey(delivery), exists)],
        ...deliveryParts(TableName, [{ ...delivery, subject }]),
      ]);
    },
    async finish(delivery) {
      const { webhookId, id } = delivery;
      const Item = deliveryRow(doneKey(webhookId, id), delivery);
      await writeTransaction(client, [
        ['waiting', remove(TableName, waitingKey(delivery), exists)],
        ['done', put(TableName, Item)],
      ]);
    },
  };
}

/** The last rows of a webhook whose sort keys begin so. */
function newestRows(client: DynamoDBDocumentClient, TableName: string) {
  return (webhookId: WebhookId, prefix: string, limit: number) => {
    const query = { pk: partition(webhookId), prefix, isNewestFirst: true };
    return partitionRows(client, TableName, query, limit);
  };
}

/** Lets the first delivery of a line, and the line, be sent now. */
async function makeDue(
  client: DynamoDBDocumentClient,
  TableName: string,
  first: Delivery,
  dueAt: Instant,
): Promise<void> {
  const earlier = { set: { nextAttemptAt: dueAt }, ...exists };
  await write(client, update(TableName, waitingKey(first), earlier));
  // A sender that has the line sends it anyway.
  const when = 'dueAt > :dueAt AND (attribute_not_exists(leasedUntil) OR leasedUntil <= :dueAt)';
  await write(client, update(TableName, laneKey(first), { set: { dueAt }, when }));
}

type Lanes = Pick<DeliveryStore, 'postpone' | 'lease' | 'release' | 'end' | 'removeAll'>;

function laneTable(client: DynamoDBDocumentClient, TableName: string): Lanes {
  const change = (key: LaneKey, changes: Change) =>
    write(client, update(TableName, laneKey(key), changes));
  const read = (key: LaneKey) =>
    findRow(client, TableName, laneKey(key), (row) => LaneRow.parse(row).added);
  return {
    postpone: (key, now, dueAt) =>
      change(key, { set: { dueAt }, when: 'dueAt <= :now', values: { now: instant(now) } }),
    async lease(key, now, until) {
      const isLeased = await change(key, {
        set: { leasedUntil: until, dueAt: until },
        when: 'attribute_exists(pk) AND (attribute_not_exists(leasedUntil) OR leasedUntil <= :now)',
        values: { now: instant(now) },
      });
      return isLeased ? read(key) : undefined;
    },
    async release(key, dueAt) {
      await change(key, { set: { dueAt }, remove: ['leasedUntil'], ...exists });
    },
    async end(key, added) {
      const isSame = { when: 'attribute_not_exists(pk) OR added = :added', values: { added } };
      return (await write(client, remove(TableName, laneKey(key), isSame))) ? undefined : read(key);
    },
    removeAll: (webhookId) => removeAll(client, TableName, webhookId),
  };
}

async function removeAll(
  client: DynamoDBDocumentClient,
  TableName: string,
  webhookId: WebhookId,
): Promise<void> {
  const rows = await partitionRows(client, TableName, { pk: partition(webhookId), only: 'pk, sk' });
  await deleteRows(client, TableName, rows);
}

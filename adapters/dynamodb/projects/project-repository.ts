import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { ProjectId } from '../../../contract/fields.ts';
import { StoreId } from '../../../core/content/content-keys.ts';
import { instant } from '../../../core/instants.ts';
import type { DroppedItem, DueItem, ProjectStore } from '../../../core/ports.ts';
import { addressAvailability } from '../../../core/projects/addresses/address-availability.ts';
import type { Publication } from '../../../core/projects/project.ts';
import { readAddressHolder } from './address-table.ts';
import { droppedVersions } from './dropped-versions.ts';
import { deleteRows } from '../document-client.ts';
import { metaKey } from './project-keys.ts';
import {
  dueIndex,
  intentKey,
  IntentRow,
  intentRow,
  claimKey,
  DueKey,
  purgeKey,
  dropShards,
  dueShards,
} from './project-rows.ts';
import type { ProjectTables } from './change-parts.ts';
import { projectReader } from './project-reader.ts';
import { publishParts, type PublishingTables } from './project-writes.ts';
import { findRow, partitionRows, queryPages } from '../read-rows.ts';
import { writeTransaction } from '../transaction.ts';
import { type Change, put, remove, update, write } from '../writes.ts';

/** Projects in DynamoDB. */
export function projectRepository(
  client: DynamoDBDocumentClient,
  tables: ProjectTables & Partial<PublishingTables>,
): ProjectStore {
  return {
    ...projectReader(client, tables.projects),
    ...intentRepository(client, tables.projects),
    ...droppedVersions(client, tables.projects),
    async publish(publication) {
      const { counters } = tables;
      if (counters === undefined)
        throw new Error('publishing without an account needs the table of counters');
      return publish(client, { ...tables, counters }, publication);
    },
    async deletePurge(projectId, now) {
      const isDue = { when: 'dueAt <= :now', values: { now: instant(now) } };
      await write(client, remove(tables.projects, purgeKey(projectId), isDue));
    },
    async checkAvailability(host, requester, now) {
      return addressAvailability(
        await readAddressHolder(client, tables.sites, host),
        requester,
        now,
      ).kind;
    },
    listDue: (now) => dueItems(client, tables.projects, now),
    listDueDrops: (now) => dueDrops(client, tables.projects, now),
    async releaseHost(host, projectId) {
      const isOwn = { when: 'projectId = :projectId', values: { projectId } };
      await write(client, remove(tables.sites, { host }, isOwn));
    },
    async removeRows(projectId, claimHash) {
      const others = await rowsBeside(client, tables.projects, projectId);
      if (claimHash !== undefined) others.push(claimKey(claimHash));
      await deleteRows(client, tables.projects, others);
      await write(client, remove(tables.projects, metaKey(projectId)));
    },
  };
}

type Intents = Pick<
  ProjectStore,
  'createIntent' | 'getIntent' | 'leaseIntent' | 'postponeIntent' | 'seizeIntent' | 'deleteIntent'
>;

function intentRepository(client: DynamoDBDocumentClient, table: string): Intents {
  const get: Intents['getIntent'] = (intent) =>
    findRow(client, table, intentKey(intent), (row) => IntentRow.parse(row));
  const change = (
    intent: Parameters<typeof get>[0],
    { when = 'attribute_exists(pk)', ...changes }: Change,
  ) => write(client, update(table, intentKey(intent), { ...changes, when }));
  return {
    async createIntent(intent) {
      const { startedAt } = intent;
      // An equal intent comes from the SDK's own retry after a lost response.
      const when = 'attribute_not_exists(pk) OR startedAt = :startedAt';
      const isDone = await write(
        client,
        put(table, intentRow(intent), { when, values: { startedAt } }),
      );
      if (!isDone) throw new Error('an intent with this key exists already');
    },
    getIntent: get,
    async leaseIntent(intent, at, leasedUntil) {
      const isLeased = await change(intent, {
        set: { leasedUntil },
        when: 'attribute_exists(pk) AND attribute_not_exists(seizedAt) AND (attribute_not_exists(leasedUntil) OR leasedUntil <= :at)',
        values: { at },
      });
      return isLeased ? get(intent) : undefined;
    },
    async postponeIntent(intent, sweepAt) {
      await change(intent, { set: { dueAt: sweepAt } });
    },
    seizeIntent: (intent, now) => change(intent, { set: { seizedAt: instant(now) } }),
    async deleteIntent(intent) {
      await write(client, remove(table, intentKey(intent)));
    },
  };
}

/** One transaction. Only the address may exist already; the other rows are new. */
async function publish(
  client: DynamoDBDocumentClient,
  tables: PublishingTables,
  publication: Publication,
) {
  const unmet = await writeTransaction(client, publishParts(tables, publication));
  if (unmet.size === 0) return 'published';
  if (unmet.has('intent')) return 'intent-gone';
  if (unmet.has('site') || unmet.has('slug-issued')) return 'slug-taken';
  throw new Error(
    `unexpected failed conditions for a new project: ${[...unmet.keys()].join(', ')}`,
  );
}

async function* dueItems(
  client: DynamoDBDocumentClient,
  table: string,
  now: Date,
): AsyncGenerator<DueItem> {
  for await (const keys of dueKeys(client, table, { now, shards: dueShards })) {
    yield* keys.map(toDueItem);
  }
}

async function* dueDrops(
  client: DynamoDBDocumentClient,
  table: string,
  now: Date,
): AsyncGenerator<DroppedItem> {
  for await (const keys of dueKeys(client, table, { now, shards: dropShards })) {
    for (const key of keys) {
      if (key.kind !== 'row') continue;
      const { projectId, sk } = key;
      yield { kind: 'drop', projectId, version: Number(sk.split('#')[1]) };
    }
  }
}

/** Each minute begins with another shard: what no run has time for is not always the same. */
async function* dueKeys(
  client: DynamoDBDocumentClient,
  table: string,
  { now, shards }: { now: Date; shards: readonly string[] },
): AsyncGenerator<z.infer<typeof DueKey>[]> {
  const first = Math.floor(now.getTime() / 60_000) % shards.length;
  for (const shard of [...shards.slice(first), ...shards.slice(0, first)]) {
    const pages = queryPages(client, {
      TableName: table,
      IndexName: dueIndex,
      KeyConditionExpression: 'dueShard = :shard AND dueAt <= :now',
      ExpressionAttributeValues: { ':shard': shard, ':now': instant(now) },
    });
    for await (const rows of pages) yield z.array(DueKey).parse(rows);
  }
}

function toDueItem(key: z.infer<typeof DueKey>): DueItem {
  if (key.kind !== 'row') return key;
  const { projectId, sk } = key;
  const [kind = '', name = '', id = ''] = sk.split('#');
  switch (kind) {
    case 'INTENT':
      return { kind: 'intent', projectId, store: StoreId.parse(name) };
    case 'ERASURE':
      return { kind: 'erasure', projectId };
    case 'NOTICE':
      return {
        kind: 'notice',
        projectId,
        ...((name === 'share' || name === 'upload') && { link: { kind: name, id } }),
      };
    case 'PURGE':
      return { kind: 'purge', projectId };
    default:
      return { kind: 'project', projectId };
  }
}

/**
 * Keys of the rows that are deleted before the project's own row. A purge is deleted when it is
 * done. An intent stays for the sweep, because files of an upload may arrive after the project's
 * prefix was emptied.
 */
async function rowsBeside(
  client: DynamoDBDocumentClient,
  table: string,
  projectId: ProjectId,
): Promise<Record<string, unknown>[]> {
  const own = metaKey(projectId);
  const isStaying = (sk: string) =>
    sk === own.sk || sk === purgeKey(projectId).sk || sk.startsWith('INTENT#');
  const keys = await partitionRows(client, table, { pk: own.pk, only: 'pk, sk' });
  return keys.filter(({ sk }) => !isStaying(String(sk)));
}

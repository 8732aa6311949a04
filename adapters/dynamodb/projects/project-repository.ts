import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  PutCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { ProjectId } from '../../../contract/fields.ts';
import { StoreId } from '../../../core/content/content-keys.ts';
import { instant } from '../../../core/instants.ts';
import type { DroppedItem, DueItem, ProjectStore } from '../../../core/ports.ts';
import { addressAvailability } from '../../../core/projects/addresses/address-availability.ts';
import type { Publication } from '../../../core/projects/project.ts';
import { readAddressHolder } from './address-table.ts';
import { droppedVersions } from './dropped-versions.ts';
import { tryConditionalWrite } from '../document-client.ts';
import { metaKey } from './project-keys.ts';
import {
  dueAttributes,
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
import { queryPages, queryRows, readRow } from '../read-rows.ts';
import { writeTransaction } from '../transaction.ts';

/** Projects in DynamoDB. */
export function projectRepository(
  client: DynamoDBDocumentClient,
  tables: ProjectTables & Partial<PublishingTables>,
): ProjectStore {
  const remove = async (Key: Record<string, unknown>) => {
    await client.send(new DeleteCommand({ TableName: tables.projects, Key }));
  };
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
    deletePurge: (projectId, now) => endPurge(client, tables.projects, projectId, now),
    async checkAvailability(host, requester, now) {
      return addressAvailability(
        await readAddressHolder(client, tables.sites, host),
        requester,
        now,
      ).kind;
    },
    listDue: (now) => dueItems(client, tables.projects, now),
    listDueDrops: (now) => dueDrops(client, tables.projects, now),
    releaseHost: (host, projectId) => releaseHost(client, tables.sites, host, projectId),
    async removeRows(projectId, claimHash) {
      const others = await rowsBeside(client, tables.projects, projectId);
      if (claimHash !== undefined) others.push(claimKey(claimHash));
      await Promise.all(others.map(remove));
      await remove(metaKey(projectId));
    },
  };
}

type Intents = Pick<
  ProjectStore,
  'createIntent' | 'getIntent' | 'leaseIntent' | 'postponeIntent' | 'seizeIntent' | 'deleteIntent'
>;

type IntentKey = Parameters<Intents['getIntent']>[0];

interface IntentChange {
  set: string;
  values: Record<string, unknown>;
  when?: string;
}

/** Intents in DynamoDB. */
function intentRepository(client: DynamoDBDocumentClient, table: string): Intents {
  const get: Intents['getIntent'] = async (intent) => {
    const row = await readRow(client, table, intentKey(intent));
    return row === undefined ? undefined : IntentRow.parse(row);
  };
  const update = (intent: IntentKey, change: IntentChange) =>
    tryConditionalWrite(client.send(updateCommand(table, intent, change)));
  return {
    async createIntent(intent) {
      await client.send(
        new PutCommand({
          TableName: table,
          Item: intentRow(intent),
          // An equal intent comes from the SDK's own retry after a lost response.
          ConditionExpression: 'attribute_not_exists(pk) OR startedAt = :startedAt',
          ExpressionAttributeValues: { ':startedAt': intent.startedAt },
        }),
      );
    },
    getIntent: get,
    async leaseIntent(intent, at, until) {
      const leased = await update(intent, {
        set: 'leasedUntil = :until',
        values: { ':at': at, ':until': until },
        when: 'attribute_not_exists(seizedAt) AND (attribute_not_exists(leasedUntil) OR leasedUntil <= :at)',
      });
      return leased ? get(intent) : undefined;
    },
    async postponeIntent(intent, sweepAt) {
      const { dueAt } = dueAttributes(intent.projectId, sweepAt);
      await update(intent, { set: 'dueAt = :dueAt', values: { ':dueAt': dueAt } });
    },
    seizeIntent: (intent, now) =>
      update(intent, { set: 'seizedAt = :now', values: { ':now': instant(now) } }),
    async deleteIntent(intent) {
      await client.send(new DeleteCommand({ TableName: table, Key: intentKey(intent) }));
    },
  };
}

function updateCommand(TableName: string, intent: IntentKey, { set, values, when }: IntentChange) {
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

async function endPurge(
  client: DynamoDBDocumentClient,
  TableName: string,
  projectId: ProjectId,
  now: Date,
): Promise<void> {
  const removal = new DeleteCommand({
    TableName,
    Key: purgeKey(projectId),
    ConditionExpression: 'dueAt <= :now',
    ExpressionAttributeValues: { ':now': instant(now) },
  });
  await tryConditionalWrite(client.send(removal));
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

async function releaseHost(
  client: DynamoDBDocumentClient,
  table: string,
  host: string,
  projectId: ProjectId,
): Promise<void> {
  await tryConditionalWrite(
    client.send(
      new DeleteCommand({
        TableName: table,
        Key: { host },
        ConditionExpression: 'projectId = :projectId',
        ExpressionAttributeValues: { ':projectId': projectId },
      }),
    ),
  );
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
  const keys = await queryRows(client, {
    TableName: table,
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': own.pk },
    ProjectionExpression: 'pk, sk',
    ConsistentRead: true,
  });
  return keys.filter(({ sk }) => !isStaying(String(sk)));
}

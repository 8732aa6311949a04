import { DeleteCommand, type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { ProjectId } from '../../../contract/fields.ts';
import { StoreId } from '../../../core/content/content-keys.ts';
import { instant } from '../../../core/instants.ts';
import type { DueItem, ProjectStore } from '../../../core/ports.ts';
import { addressAvailability } from '../../../core/projects/addresses/address.ts';
import type { Publication } from '../../../core/projects/project.ts';
import { readHolder } from './address-table.ts';
import { unlessLost } from '../document-client.ts';
import {
  byDue,
  claimKey,
  dropKey,
  DueKey,
  metaKey,
  purgeKey,
  readVersion,
  shards,
} from './project-rows.ts';
import type { ProjectTables } from './change-parts.ts';
import { intentRepository } from './intent-repository.ts';
import { projectReader } from './project-reader.ts';
import { publishParts, type PublishingTables } from './project-writes.ts';
import { queryRows, readRow } from '../read-rows.ts';
import { transact } from '../transaction.ts';

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
    async publish(publication) {
      const { counters } = tables;
      if (counters === undefined) throw new Error('only uploads without an account publish so');
      return publish(client, { ...tables, counters }, publication);
    },
    ...intentRepository(client, tables.projects),
    endPurge: (projectId, now) => endPurge(client, tables.projects, projectId, now),
    async dropped(projectId, version) {
      const item = await readRow(client, tables.projects, dropKey(projectId, version));
      return item === undefined ? undefined : readVersion(item);
    },
    endDrop: (projectId, version) => remove(dropKey(projectId, version)),
    async availability(host, claimant, now) {
      return addressAvailability(await readHolder(client, tables.sites, host), claimant, now).kind;
    },
    due: (now) => due(client, tables.projects, now),
    releaseHost: (host, projectId) => releaseHost(client, tables.sites, host, projectId),
    async removeRows(projectId, claimHash) {
      const others = await rowsBeside(client, tables.projects, projectId);
      if (claimHash !== undefined) others.push(claimKey(claimHash));
      await Promise.all(others.map(remove));
      await remove(metaKey(projectId));
    },
  };
}

/** One transaction; a first version's rows are fresh but for its address. */
async function publish(
  client: DynamoDBDocumentClient,
  tables: PublishingTables,
  publication: Publication,
) {
  const unmet = await transact(client, publishParts(tables, publication));
  if (unmet.size === 0) return 'published';
  if (unmet.has('intent')) return 'intent-gone';
  if (unmet.has('site') || unmet.has('issued')) return 'slug-taken';
  throw new Error(`a new project met ${[...unmet.keys()].join(', ')} of its own`);
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
  await unlessLost(client.send(removal));
}

async function* due(
  client: DynamoDBDocumentClient,
  table: string,
  now: Date,
): AsyncGenerator<DueItem> {
  for (const shard of shards) {
    let from: Record<string, unknown> | undefined;
    do {
      const page = await client.send(
        new QueryCommand({
          TableName: table,
          IndexName: byDue,
          KeyConditionExpression: 'dueShard = :shard AND dueAt <= :now',
          ExpressionAttributeValues: { ':shard': shard, ':now': instant(now) },
          ExclusiveStartKey: from,
        }),
      );
      yield* z
        .array(DueKey)
        .parse(page.Items ?? [])
        .map(dueItem);
      from = page.LastEvaluatedKey;
    } while (from !== undefined);
  }
}

function dueItem(key: z.infer<typeof DueKey>): DueItem {
  if (key.kind !== 'row') return key;
  const { projectId, sk } = key;
  const [kind = '', name = ''] = sk.split('#');
  switch (kind) {
    case 'INTENT':
      return { kind: 'intent', projectId, store: StoreId.parse(name) };
    case 'DROP':
      return { kind: 'drop', projectId, version: Number(name) };
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
  await unlessLost(
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
 * Keys of all rows of a project that go before its own. A purge goes when it is done; an intent
 * stays for the sweep, because bytes of an upload may arrive after the project's prefix was emptied.
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

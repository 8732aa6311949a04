import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { ProjectId } from '../contract/fields.ts';
import { instant } from '../core/instants.ts';
import type { DueItem, ProjectStore } from '../core/ports.ts';
import { Project, type Publication } from '../core/projects/project.ts';
import { backOff, cancellation, unlessLost } from './dynamodb.ts';
import {
  byExpiry,
  claimKey,
  claimRow,
  DueKey,
  intentKey,
  intentRow,
  intentVersion,
  metaKey,
  ProjectRow,
  projectRow,
  shards,
  siteRow,
  versionRow,
} from './project-rows.ts';

/** The tables that hold projects and the addresses they are served at. */
export interface ProjectTables {
  projects: string;
  sites: string;
}

const conflictTries = 8;

/** Projects in DynamoDB. */
export function projectRepository(
  client: DynamoDBDocumentClient,
  tables: ProjectTables,
): ProjectStore {
  return {
    async begin(intent) {
      await client.send(
        new PutCommand({
          TableName: tables.projects,
          Item: intentRow(intent),
          ConditionExpression: 'attribute_not_exists(pk)',
        }),
      );
    },
    publish: (publication) => publish(client, tables, publication),
    async endIntent(intent) {
      await client.send(new DeleteCommand({ TableName: tables.projects, Key: intentKey(intent) }));
    },
    async get(projectId) {
      const { Item } = await client.send(
        new GetCommand({
          TableName: tables.projects,
          Key: metaKey(projectId),
          ConsistentRead: true,
        }),
      );
      return Item === undefined ? undefined : Project.parse(ProjectRow.parse(Item));
    },
    due: (now) => due(client, tables.projects, now),
    claimForRemoval: (projectId, now) => claimForRemoval(client, tables.projects, projectId, now),
    async releaseHost(host, projectId) {
      await unlessLost(
        client.send(
          new DeleteCommand({
            TableName: tables.sites,
            Key: { host },
            ConditionExpression: 'projectId = :projectId',
            ExpressionAttributeValues: { ':projectId': projectId },
          }),
        ),
      );
    },
    removeRows: (projectId, claimHash) => removeRows(client, tables.projects, projectId, claimHash),
  };
}

/**
 * One transaction: the address, the project, its version and its claim appear and the intent
 * goes, or nothing changes.
 */
async function publish(
  client: DynamoDBDocumentClient,
  tables: ProjectTables,
  publication: Publication,
) {
  const command = new TransactWriteCommand({ TransactItems: publishItems(tables, publication) });
  for (let tries = 1; ; tries += 1) {
    try {
      await client.send(command);
      return 'published';
    } catch (error) {
      const reasons = cancellation(error);
      if (reasons === undefined) throw error;
      if (reasons[0] === 'ConditionalCheckFailed') return 'slug-taken';
      if (reasons[1] === 'ConditionalCheckFailed') return 'intent-gone';
      if (tries === conflictTries || !reasons.includes('TransactionConflict')) throw error;
      await backOff(tries);
    }
  }
}

function publishItems(tables: ProjectTables, publication: Publication) {
  const { project, version, site } = publication;
  const put = (TableName: string, Item: Record<string, unknown>, key = 'pk') => ({
    Put: { TableName, Item, ConditionExpression: `attribute_not_exists(${key})` },
  });
  const claim =
    project.claimHash === undefined
      ? []
      : [put(tables.projects, claimRow(publication, project.claimHash))];
  return [
    put(tables.sites, siteRow(site), 'host'),
    {
      Delete: {
        TableName: tables.projects,
        Key: intentKey({ projectId: project.id, version: version.version }),
        ConditionExpression: 'attribute_exists(pk)',
      },
    },
    put(tables.projects, projectRow(project)),
    put(tables.projects, versionRow(project.id, version)),
    ...claim,
  ];
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
          IndexName: byExpiry,
          KeyConditionExpression: 'expShard = :shard AND expiresAt <= :now',
          ExpressionAttributeValues: { ':shard': shard, ':now': instant(now) },
          ExclusiveStartKey: from,
        }),
      );
      for (const item of z.array(DueKey).parse(page.Items ?? [])) {
        const version = intentVersion(item.sk);
        yield version === undefined
          ? { kind: 'project', projectId: item.pk }
          : { kind: 'intent', projectId: item.pk, version };
      }
      from = page.LastEvaluatedKey;
    } while (from !== undefined);
  }
}

/** The index lags and a claim may come in the last second: the row itself decides. */
async function claimForRemoval(
  client: DynamoDBDocumentClient,
  table: string,
  projectId: ProjectId,
  now: Date,
): Promise<boolean> {
  return unlessLost(
    client.send(
      new UpdateCommand({
        TableName: table,
        Key: metaKey(projectId),
        UpdateExpression: 'SET removingAt = :now',
        ConditionExpression: 'expiresAt <= :now',
        ExpressionAttributeValues: { ':now': instant(now) },
      }),
    ),
  );
}

async function removeRows(
  client: DynamoDBDocumentClient,
  table: string,
  projectId: ProjectId,
  claimHash: string | undefined,
): Promise<void> {
  const remove = (Key: Record<string, unknown>) =>
    client.send(new DeleteCommand({ TableName: table, Key }));
  const own = metaKey(projectId);
  const { Items } = await client.send(
    new QueryCommand({
      TableName: table,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': own.pk },
      ProjectionExpression: 'pk, sk',
      ConsistentRead: true,
    }),
  );
  const others = (Items ?? []).filter((row) => row['sk'] !== own.sk);
  if (claimHash !== undefined) others.push(claimKey(claimHash));
  await Promise.all(others.map(remove));
  await remove(own);
}

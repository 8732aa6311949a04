import { type DynamoDBDocumentClient, GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { Instant, type ProjectId } from '../contract/fields.ts';
import type { ProjectStore } from '../core/ports.ts';
import type { Version } from '../core/projects/project.ts';
import { metaKey, readProject, readVersion, versionKey } from './project-rows.ts';

/** Projects and their versions in DynamoDB, to be read. */
export function projectReader(
  client: DynamoDBDocumentClient,
  table: string,
): Pick<ProjectStore, 'get' | 'isRemovalDue' | 'version' | 'versions'> {
  return {
    async get(projectId) {
      const item = await readRow(client, table, metaKey(projectId));
      return item === undefined ? undefined : readProject(item);
    },
    async isRemovalDue(projectId, now) {
      const item = await readRow(client, table, metaKey(projectId));
      const removal = Removal.safeParse(item).data;
      return removal !== undefined && Date.parse(removal.dueAt) <= now.getTime();
    },
    async version(projectId, version) {
      const item = await readRow(client, table, versionKey(projectId, version));
      return item === undefined ? undefined : readVersion(item);
    },
    versions: (projectId) => versions(client, table, projectId),
  };
}

const Removal = z.object({ removingAt: Instant, dueAt: Instant });

/** One row as it is now. */
export async function readRow(
  client: DynamoDBDocumentClient,
  TableName: string,
  Key: Record<string, unknown>,
) {
  const { Item } = await client.send(new GetCommand({ TableName, Key, ConsistentRead: true }));
  return Item;
}

/** Newest first; a page of DynamoDB has 1 MB at most. */
async function versions(
  client: DynamoDBDocumentClient,
  table: string,
  projectId: ProjectId,
): Promise<Version[]> {
  const found: Version[] = [];
  let from: Record<string, unknown> | undefined;
  do {
    const page = await client.send(
      new QueryCommand({
        TableName: table,
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :versions)',
        ExpressionAttributeValues: { ':pk': metaKey(projectId).pk, ':versions': 'VERSION#' },
        ScanIndexForward: false,
        ConsistentRead: true,
        ExclusiveStartKey: from,
      }),
    );
    found.push(...(page.Items ?? []).map(readVersion));
    from = page.LastEvaluatedKey;
  } while (from !== undefined);
  return found;
}

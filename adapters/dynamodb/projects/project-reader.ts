import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { Instant, type ProjectId } from '../../../contract/fields.ts';
import type { ProjectStore } from '../../../core/ports.ts';
import type { Version } from '../../../core/projects/project.ts';
import { metaKey, versionKey } from './project-keys.ts';
import { parseProjectRow } from './project-rows.ts';
import { parseVersionRow } from './version-row.ts';
import { queryRows, readRow } from '../read-rows.ts';

/** Reads projects and their versions from DynamoDB. */
export function projectReader(
  client: DynamoDBDocumentClient,
  table: string,
): Pick<ProjectStore, 'get' | 'isRemovalDue' | 'getVersion' | 'listVersions'> {
  return {
    async get(projectId) {
      const item = await readRow(client, table, metaKey(projectId));
      return item === undefined ? undefined : parseProjectRow(item);
    },
    async isRemovalDue(projectId, now) {
      const item = await readRow(client, table, metaKey(projectId));
      const removal = Removal.safeParse(item).data;
      return removal !== undefined && Date.parse(removal.dueAt) <= now.getTime();
    },
    async getVersion(projectId, version) {
      const item = await readRow(client, table, versionKey(projectId, version));
      return item === undefined ? undefined : parseVersionRow(item);
    },
    listVersions: (projectId, limit) => versions(client, table, projectId, limit),
  };
}

const Removal = z.object({ removingAt: Instant, dueAt: Instant });

/** Newest first. */
async function versions(
  client: DynamoDBDocumentClient,
  table: string,
  projectId: ProjectId,
  limit?: number,
): Promise<Version[]> {
  const query = {
    TableName: table,
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :versions)',
    ExpressionAttributeValues: { ':pk': metaKey(projectId).pk, ':versions': 'VERSION#' },
    ScanIndexForward: false,
    ConsistentRead: true,
  };
  return (await queryRows(client, query, limit)).map(parseVersionRow);
}

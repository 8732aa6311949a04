import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { Instant, type ProjectId } from '../../../contract/fields.ts';
import type { ProjectStore } from '../../../core/ports.ts';
import type { Version } from '../../../core/projects/project.ts';
import { metaKey, versionKey } from './project-keys.ts';
import { parseProjectRow } from './project-rows.ts';
import { parseVersionRow } from './version-row.ts';
import { maxLinksOfProject } from '../../../core/share-links/share-link.ts';
import { queryRows, readRow } from '../read-rows.ts';

/** Reads projects and their versions from DynamoDB. */
export function projectReader(
  client: DynamoDBDocumentClient,
  table: string,
): Pick<ProjectStore, 'get' | 'isRemovalDue' | 'getVersion' | 'listVersions' | 'linkedVersions'> {
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
    async linkedVersions(projectId) {
      const links = await queryRows(client, rowsOf(table, projectId, 'SHARE#'), maxLinksOfProject);
      const shown = links.map((row) => Linked.parse(row).version);
      return new Set(shown.filter((version) => typeof version === 'number'));
    },
  };
}

/** Of a share link: one without a version shows the live one. */
const Linked = z.object({ version: z.int().nullish() });

function rowsOf(TableName: string, projectId: ProjectId, kind: 'VERSION#' | 'SHARE#') {
  return {
    TableName,
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :kind)',
    ExpressionAttributeValues: { ':pk': metaKey(projectId).pk, ':kind': kind },
    ScanIndexForward: false,
    ConsistentRead: true,
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
  const query = rowsOf(table, projectId, 'VERSION#');
  return (await queryRows(client, query, limit)).map(parseVersionRow);
}

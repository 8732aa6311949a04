import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { Instant } from '../../../contract/fields.ts';
import type { ProjectStore } from '../../../core/ports.ts';
import { metaKey, partition, versionKey } from './project-keys.ts';
import { parseProjectRow } from './project-rows.ts';
import { parseVersionRow } from './version-row.ts';
import { maxLinksOfProject } from '../../../core/share-links/share-link.ts';
import { findRow, partitionRows, readRow } from '../read-rows.ts';

/** Reads projects and their versions from DynamoDB. */
export function projectReader(
  client: DynamoDBDocumentClient,
  table: string,
): Pick<ProjectStore, 'get' | 'isRemovalDue' | 'getVersion' | 'listVersions' | 'linkedVersions'> {
  return {
    get: (projectId) => findRow(client, table, metaKey(projectId), parseProjectRow),
    async isRemovalDue(projectId, now) {
      const item = await readRow(client, table, metaKey(projectId));
      const removal = Removal.safeParse(item).data;
      return removal !== undefined && Date.parse(removal.dueAt) <= now.getTime();
    },
    getVersion: (projectId, version) =>
      findRow(client, table, versionKey(projectId, version), parseVersionRow),
    async listVersions(projectId, limit) {
      const query = { pk: partition(projectId), prefix: 'VERSION#', isNewestFirst: true };
      return (await partitionRows(client, table, query, limit)).map(parseVersionRow);
    },
    async linkedVersions(projectId) {
      const query = { pk: partition(projectId), prefix: 'SHARE#', isNewestFirst: true };
      const links = await partitionRows(client, table, query, maxLinksOfProject);
      const shown = links.map((row) => Linked.parse(row).version);
      return new Set(shown.filter((version) => typeof version === 'number'));
    },
  };
}

/** Of a share link: one without a version shows the live one. */
const Linked = z.object({ version: z.int().nullish() });

const Removal = z.object({ removingAt: Instant, dueAt: Instant });

import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { Instant } from '../../../contract/fields.ts';
import type {
  DeletedProject,
  DeletedProjects,
} from '../../../core/projects/removal/deleted-projects.ts';
import { byOwner, metaKey, ownerState, readProject } from './project-rows.ts';
import { queryRows, readRow } from '../read-rows.ts';

/** Deleted projects in DynamoDB. */
export function deletedProjects(client: DynamoDBDocumentClient, table: string): DeletedProjects {
  return {
    async get(projectId) {
      return readDeleted(await readRow(client, table, metaKey(projectId)));
    },
    async of(accountId) {
      const rows = await queryRows(client, {
        TableName: table,
        IndexName: byOwner,
        KeyConditionExpression: 'ownerState = :state',
        ExpressionAttributeValues: { ':state': ownerState(accountId, 'deleted') },
        ScanIndexForward: false,
      });
      return rows.flatMap((row) => readDeleted(row) ?? []);
    },
  };
}

const Due = z.object({ dueAt: Instant });

/** Only what an account owned and its owner deleted: a first upload that failed never was a project. */
function readDeleted(row: Record<string, unknown> | undefined): DeletedProject | undefined {
  if (row?.['removingAt'] === undefined || row['ownerId'] === undefined) return undefined;
  const project = readProject(row);
  if (project.failure !== null || project.version === 0) return undefined;
  return { project, keptUntil: Due.parse(row).dueAt };
}

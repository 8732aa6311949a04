import { type DynamoDBDocumentClient, GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { Instant } from '../contract/fields.ts';
import type { DeletedProject, DeletedProjects } from '../core/projects/deleted-projects.ts';
import { byOwner, metaKey, ownerState, readProject } from './project-rows.ts';

/** Deleted projects in DynamoDB. */
export function deletedProjects(client: DynamoDBDocumentClient, table: string): DeletedProjects {
  return {
    async get(projectId) {
      const { Item } = await client.send(
        new GetCommand({ TableName: table, Key: metaKey(projectId), ConsistentRead: true }),
      );
      return readDeleted(Item);
    },
    async of(accountId) {
      const found: DeletedProject[] = [];
      let from: Record<string, unknown> | undefined;
      do {
        const page = await client.send(
          new QueryCommand({
            TableName: table,
            IndexName: byOwner,
            KeyConditionExpression: 'ownerState = :state',
            ExpressionAttributeValues: { ':state': ownerState(accountId, 'deleted') },
            ScanIndexForward: false,
            ...(from !== undefined && { ExclusiveStartKey: from }),
          }),
        );
        found.push(...(page.Items ?? []).flatMap((item) => readDeleted(item) ?? []));
        from = page.LastEvaluatedKey;
      } while (from !== undefined);
      return found;
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

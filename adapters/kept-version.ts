import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import type { ProjectId } from '../contract/fields.ts';
import type { Version } from '../core/projects/project.ts';
import { readVersion, versionKey } from './project-rows.ts';

/** Reads one kept version of a project; all that the gate knows of the projects table. */
export function keptVersion(client: DynamoDBDocumentClient, table: string) {
  return async (projectId: ProjectId, version: number): Promise<Version | undefined> => {
    const { Item } = await client.send(
      new GetCommand({
        TableName: table,
        Key: versionKey(projectId, version),
        ConsistentRead: true,
      }),
    );
    return Item === undefined ? undefined : readVersion(Item);
  };
}

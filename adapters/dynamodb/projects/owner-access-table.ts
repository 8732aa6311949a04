import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { type AccountId, type KeyId, ProjectId } from '../../../contract/fields.ts';
import { epochSeconds } from '../../../core/instants.ts';
import type { OwnerAccessStore } from '../../../core/projects/settings/owner-access.ts';
import { accountKey } from '../accounts/account-rows.ts';
import { queryRows } from '../read-rows.ts';

/** A key that created an owner link for a project. */
export const OwnerLinkRow = z.object({ projectId: ProjectId });

/**
 * The keys that created owner links, in the table of accounts; one row for each key and project.
 */
export function ownerAccessTable(client: DynamoDBDocumentClient, table: string): OwnerAccessStore {
  return {
    async note({ accountId, keyId, projectId, until }) {
      const update = new UpdateCommand({
        TableName: table,
        Key: { pk: accountKey(accountId).pk, sk: `${prefixOf(keyId)}${projectId}` },
        UpdateExpression: 'SET projectId = :projectId, #ttl = :ttl',
        ExpressionAttributeNames: { '#ttl': 'ttl' },
        ExpressionAttributeValues: {
          ':projectId': projectId,
          ':ttl': epochSeconds(new Date(until)),
        },
      });
      await client.send(update);
    },
    list: (accountId, keyId) => list(client, table, accountId, keyId),
  };
}

const prefixOf = (keyId: KeyId) => `OWNER-LINK#${keyId}#`;

async function list(
  client: DynamoDBDocumentClient,
  table: string,
  accountId: AccountId,
  keyId: KeyId,
): Promise<ProjectId[]> {
  const rows = await queryRows(client, {
    TableName: table,
    ConsistentRead: true,
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: { ':pk': accountKey(accountId).pk, ':prefix': prefixOf(keyId) },
  });
  return rows.map((row) => OwnerLinkRow.parse(row).projectId);
}

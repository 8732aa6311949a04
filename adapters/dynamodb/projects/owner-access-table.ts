import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { type KeyId, ProjectId } from '../../../contract/fields.ts';
import { epochSeconds } from '../../../core/instants.ts';
import type { OwnerAccessStore } from '../../../core/projects/settings/owner-access.ts';
import { accountKey } from '../accounts/account-rows.ts';
import { partitionRows } from '../read-rows.ts';
import { update, write } from '../writes.ts';

/** A key that created an owner link for a project. */
export const OwnerLinkRow = z.object({ projectId: ProjectId });

/**
 * The keys that created owner links, in the table of accounts; one row for each key and project.
 */
export function ownerAccessTable(client: DynamoDBDocumentClient, table: string): OwnerAccessStore {
  return {
    async note({ accountId, keyId, projectId, until }) {
      const key = { pk: accountKey(accountId).pk, sk: `${prefixOf(keyId)}${projectId}` };
      const set = { projectId, ttl: epochSeconds(new Date(until)) };
      await write(client, update(table, key, { set }));
    },
    async list(accountId, keyId) {
      const query = { pk: accountKey(accountId).pk, prefix: prefixOf(keyId) };
      const rows = await partitionRows(client, table, query);
      return rows.map((row) => OwnerLinkRow.parse(row).projectId);
    },
  };
}

const prefixOf = (keyId: KeyId) => `OWNER-LINK#${keyId}#`;

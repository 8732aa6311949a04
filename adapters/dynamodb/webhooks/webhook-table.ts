import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { AccountId } from '../../../contract/fields.ts';
import { backOff } from '../../../core/back-off.ts';
import { Webhook, type WebhookStore } from '../../../core/webhooks/webhook.ts';
import { accountKey } from '../accounts/account-rows.ts';
import { findRow } from '../read-rows.ts';
import { exists, hasRevision, put, update, write } from '../writes.ts';

/** All webhooks of an account are one row, so that a change that causes an event finds them by one read. */
export const WebhooksRow = z.object({ webhooks: z.array(Webhook), revision: z.int() });

/** Removed with the other rows of its account. */
const webhooksKey = (accountId: AccountId) => ({ pk: accountKey(accountId).pk, sk: 'WEBHOOKS' });

const maxTries = 20;

/** The webhooks of an account as a transaction needs them. */
export async function readWebhooks(
  client: DynamoDBDocumentClient,
  table: string,
  accountId: AccountId,
): Promise<z.infer<typeof WebhooksRow>> {
  const found = await findRow(client, table, webhooksKey(accountId), (row) =>
    WebhooksRow.parse(row),
  );
  return found ?? { webhooks: [], revision: 0 };
}

/** The webhooks of accounts in DynamoDB. */
export function webhookTable(client: DynamoDBDocumentClient, TableName: string): WebhookStore {
  return {
    list: async (accountId) => (await readWebhooks(client, TableName, accountId)).webhooks,
    async change(accountId, decide) {
      for (let tries = 1; tries <= maxTries; tries += 1) {
        const { webhooks, revision } = await readWebhooks(client, TableName, accountId);
        const { next, result } = decide(webhooks);
        if (next === undefined) return result;
        const mark = { set: { hasWebhooks: true }, ...exists };
        // Before the first webhook, so that none is overlooked.
        if (revision === 0) await write(client, update(TableName, accountKey(accountId), mark));
        const row = { ...webhooksKey(accountId), webhooks: next, revision: revision + 1 };
        if (await write(client, put(TableName, row, hasRevision(revision)))) return result;
        await backOff(tries);
      }
      throw new Error(`the webhooks of an account changed ${maxTries} times`);
    },
  };
}

import { type DynamoDBDocumentClient, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { AccountId } from '../../../contract/fields.ts';
import { backOff } from '../../../core/back-off.ts';
import { Webhook, type WebhookStore } from '../../../core/webhooks/webhook.ts';
import { accountKey } from '../accounts/account-rows.ts';
import { retryOnConflict, tryConditionalWrite } from '../document-client.ts';
import { readRow } from '../read-rows.ts';

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
  const row = await readRow(client, table, webhooksKey(accountId));
  return row === undefined ? { webhooks: [], revision: 0 } : WebhooksRow.parse(row);
}

/** Written before the first webhook, so that none is overlooked. */
async function markAccount(
  client: DynamoDBDocumentClient,
  TableName: string,
  accountId: AccountId,
): Promise<void> {
  const mark = new UpdateCommand({
    TableName,
    Key: accountKey(accountId),
    UpdateExpression: 'SET hasWebhooks = :true',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeValues: { ':true': true },
  });
  await retryOnConflict(() => tryConditionalWrite(client.send(mark)));
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
        if (revision === 0) await markAccount(client, TableName, accountId);
        const put = new PutCommand({
          TableName,
          Item: { ...webhooksKey(accountId), webhooks: next, revision: revision + 1 },
          ConditionExpression: 'attribute_not_exists(pk) OR revision = :revision',
          ExpressionAttributeValues: { ':revision': revision },
        });
        if (await retryOnConflict(() => tryConditionalWrite(client.send(put)))) return result;
        await backOff(tries);
      }
      throw new Error(`the webhooks of an account changed ${maxTries} times`);
    },
  };
}

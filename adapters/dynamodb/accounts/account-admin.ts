import { type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { AccountId } from '../../../contract/fields.ts';
import type { AccountAdmin } from '../../../core/accounts/ports.ts';
import { accountKey, accountListPartition } from './account-rows.ts';
import { type Change, update, write } from '../writes.ts';

/** The changes that an operator may make to accounts in DynamoDB. */
export function accountAdmin(client: DynamoDBDocumentClient, table: string): AccountAdmin {
  /**
   * False if the condition failed. Without a condition, the update would create a row for an
   * account that was just deleted.
   */
  const change = (accountId: AccountId, { when, ...changes }: Change) => {
    const exists = `attribute_exists(pk)${when === undefined ? '' : ` AND ${when}`}`;
    return write(client, update(table, accountKey(accountId), { ...changes, when: exists }));
  };
  return {
    async setTier(accountId, tier, endsTrial) {
      const set = { tier, ...(endsTrial && { trialEndsAt: null }) };
      if (!(await change(accountId, { set })))
        throw new Error(`Account ${accountId} does not exist.`);
    },
    list: (page) => listAccountIds(client, table, page),
    async beginSuspension(accountId, suspendedAt, suspensionReason) {
      await change(accountId, {
        // Neither a sign-in of its owner nor the link of a mail may end the suspension.
        set: { suspendedAt, suspensionReason },
        remove: ['liftingAt', 'closedAt', 'stopToken'],
        when: 'attribute_not_exists(removingAt) AND (attribute_not_exists(suspendedAt) OR attribute_exists(liftingAt) OR attribute_exists(closedAt))',
      });
    },
    beginLifting: (accountId, liftingAt) =>
      change(accountId, {
        set: { liftingAt },
        when: 'attribute_exists(suspendedAt) AND attribute_not_exists(deletedAt)',
      }),
    endSuspension: (accountId, liftingAt, trialEndsAt) =>
      change(accountId, {
        set: { trialEndsAt: trialEndsAt ?? undefined },
        remove: ['suspendedAt', 'suspensionReason', 'liftingAt'],
        when: 'liftingAt = :liftingAt',
        values: { liftingAt },
      }),
  };
}

const ListedAccount = z.object({ sk: z.string(), accountId: AccountId });

async function listAccountIds(
  client: DynamoDBDocumentClient,
  TableName: string,
  { limit, after }: { limit: number; after: string | undefined },
) {
  const query = {
    TableName,
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': accountListPartition },
    ScanIndexForward: false,
    Limit: limit,
    ...(after !== undefined && { ExclusiveStartKey: { pk: accountListPartition, sk: after } }),
  };
  const page = await client.send(new QueryCommand(query));
  const rows = z.array(ListedAccount).parse(page.Items ?? []);
  const next = page.LastEvaluatedKey === undefined ? undefined : rows.at(-1)?.sk;
  return { accountIds: rows.map(({ accountId }) => accountId), next };
}

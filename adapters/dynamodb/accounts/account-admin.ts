import { type DynamoDBDocumentClient, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { AccountId } from '../../../contract/fields.ts';
import type { AccountAdmin } from '../../../core/accounts/ports.ts';
import { accountKey, accountListPartition } from './account-rows.ts';
import { retryOnConflict, tryConditionalWrite } from '../document-client.ts';

/** A conditional write of an account's row. */
interface Write {
  set: string;
  when: string;
  values: Record<string, unknown>;
}

/** The changes that an operator may make to accounts in DynamoDB. */
export function accountAdmin(client: DynamoDBDocumentClient, table: string): AccountAdmin {
  /**
   * False if the condition failed. Without a condition, the update would create a row for an
   * account that was just deleted.
   */
  const write = (accountId: AccountId, { set, when, values }: Write) =>
    retryOnConflict(() =>
      tryConditionalWrite(
        client.send(
          new UpdateCommand({
            TableName: table,
            Key: accountKey(accountId),
            UpdateExpression: set,
            ConditionExpression: `attribute_exists(pk)${when}`,
            ExpressionAttributeValues: values,
          }),
        ),
      ),
    );
  return {
    async setTier(accountId, tier, endsTrial) {
      const done = await write(accountId, {
        set: `SET tier = :tier${endsTrial ? ', trialEndsAt = :none' : ''}`,
        when: '',
        values: { ':tier': tier, ...(endsTrial && { ':none': null }) },
      });
      if (!done) throw new Error(`Account ${accountId} does not exist.`);
    },
    list: (page) => listAccountIds(client, table, page),
    async beginSuspension(accountId, at, reason) {
      await write(accountId, {
        // Neither a sign-in of its owner nor the link of a mail may end the suspension.
        set: `SET suspendedAt = :at${reason === undefined ? '' : ', suspensionReason = :reason'} REMOVE liftingAt, closedAt, stopToken`,
        when: ' AND attribute_not_exists(removingAt) AND (attribute_not_exists(suspendedAt) OR attribute_exists(liftingAt) OR attribute_exists(closedAt))',
        values: { ':at': at, ...(reason !== undefined && { ':reason': reason }) },
      });
    },
    beginLifting: (accountId, at) =>
      write(accountId, {
        set: 'SET liftingAt = :at',
        when: ' AND attribute_exists(suspendedAt) AND attribute_not_exists(closedAt)',
        values: { ':at': at },
      }),
    endSuspension: (accountId, liftingAt, trialEndsAt) =>
      write(accountId, {
        set: `${trialEndsAt === null ? '' : 'SET trialEndsAt = :trialEndsAt '}REMOVE suspendedAt, suspensionReason, liftingAt`,
        when: ' AND liftingAt = :liftingAt',
        values: {
          ':liftingAt': liftingAt,
          ...(trialEndsAt !== null && { ':trialEndsAt': trialEndsAt }),
        },
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

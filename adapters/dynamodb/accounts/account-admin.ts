import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { AccountId } from '../../../contract/fields.ts';
import type { AccountAdmin } from '../../../core/accounts/ports.ts';
import { accountKey } from './account-rows.ts';
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
    async beginSuspension(accountId, at) {
      await write(accountId, {
        // Neither a sign-in of its owner nor the link of a mail may end the suspension.
        set: 'SET suspendedAt = :at REMOVE liftingAt, closedAt, stopToken',
        when: ' AND attribute_not_exists(removingAt) AND (attribute_not_exists(suspendedAt) OR attribute_exists(liftingAt) OR attribute_exists(closedAt))',
        values: { ':at': at },
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
        set: `${trialEndsAt === null ? '' : 'SET trialEndsAt = :trialEndsAt '}REMOVE suspendedAt, liftingAt`,
        when: ' AND liftingAt = :liftingAt',
        values: {
          ':liftingAt': liftingAt,
          ...(trialEndsAt !== null && { ':trialEndsAt': trialEndsAt }),
        },
      }),
  };
}

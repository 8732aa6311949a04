import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { AccountId } from '../../../contract/fields.ts';
import type { AccountAdmin } from '../../../core/accounts/admin-ports.ts';
import { accountKey } from './account-repository.ts';
import { amongTransactions, unlessLost } from '../document-client.ts';

/** A conditional write of an account's row. */
interface Write {
  set: string;
  when: string;
  values: Record<string, unknown>;
}

/** What an operator may change of accounts in DynamoDB. */
export function accountAdmin(client: DynamoDBDocumentClient, table: string): AccountAdmin {
  /** False when the condition does not hold; without it, an account that has just gone would be a new row. */
  const write = (accountId: AccountId, { set, when, values }: Write) =>
    amongTransactions(() =>
      unlessLost(
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
    async setTier(accountId, tier) {
      const done = await write(accountId, {
        set: 'SET tier = :tier',
        when: '',
        values: { ':tier': tier },
      });
      if (!done) throw new Error(`There is no account ${accountId}.`);
    },
    async beginSuspension(accountId, at) {
      await write(accountId, {
        set: 'SET suspendedAt = :at REMOVE liftingAt',
        when: ' AND (attribute_not_exists(suspendedAt) OR attribute_exists(liftingAt))',
        values: { ':at': at },
      });
    },
    beginLifting: (accountId, at) =>
      write(accountId, {
        set: 'SET liftingAt = :at',
        when: ' AND attribute_exists(suspendedAt)',
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

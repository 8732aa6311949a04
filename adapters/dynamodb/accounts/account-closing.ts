import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { AccountId, Instant } from '../../../contract/fields.ts';
import type { Account } from '../../../core/accounts/account.ts';
import type { AccountRemoval, AccountStore } from '../../../core/accounts/ports.ts';
import { deleteRows } from '../document-client.ts';
import { queryRows } from '../read-rows.ts';
import { writeTransaction } from '../transaction.ts';
import { type Change, remove, update, write } from '../writes.ts';
import { accountKey, emailKey, listedKey } from './account-rows.ts';
import { checkParts } from './plan-check-table.ts';

/**
 * Closes and reopens accounts, and schedules their next check by maintenance in the same
 * transaction.
 */
export function accountClosing(
  client: DynamoDBDocumentClient,
  TableName: string,
): Pick<AccountStore, 'close' | 'closeAgain' | 'reopen'> {
  const changeAndCheck = async (accountId: AccountId, dueAt: Instant, change: Change) => {
    const unmet = await writeTransaction(client, [
      ['account', update(TableName, accountKey(accountId), change)],
      ...checkParts(TableName, accountId, dueAt),
    ]);
    return unmet.size === 0;
  };
  return {
    close: (accountId, { at, stopToken }) =>
      changeAndCheck(accountId, at, {
        set: { suspendedAt: at, closedAt: at, deletedAt: at, stopToken },
        remove: ['reopenedAt'],
        when: 'attribute_exists(pk) AND attribute_not_exists(suspendedAt)',
      }),
    closeAgain: (accountId, { at, stopToken }) =>
      changeAndCheck(accountId, at, {
        set: { suspendedAt: at, closedAt: at, stopToken },
        remove: ['suspensionReason', 'liftingAt'],
        when: 'attribute_exists(suspendedAt) AND attribute_exists(deletedAt) AND attribute_not_exists(closedAt)',
      }),
    reopen: (accountId, { closedAt, at }) =>
      changeAndCheck(accountId, at, {
        set: { reopenedAt: at },
        remove: ['suspendedAt', 'closedAt', 'deletedAt', 'stopToken'],
        when: 'closedAt = :closedAt AND attribute_not_exists(removingAt)',
        values: { closedAt },
      }),
  };
}

/** The last steps of an account in DynamoDB. */
export function accountRemoval(client: DynamoDBDocumentClient, TableName: string): AccountRemoval {
  const change = (accountId: AccountId, changes: Change) =>
    write(client, update(TableName, accountKey(accountId), changes));
  return {
    async endReopening(accountId, reopenedAt) {
      const when = 'reopenedAt = :reopenedAt';
      await change(accountId, { remove: ['reopenedAt'], when, values: { reopenedAt } });
    },
    begin: (accountId, closedAt, removingAt) =>
      change(accountId, {
        set: { removingAt },
        when: 'closedAt = :closedAt',
        values: { closedAt },
      }),
    removeRows: (account) => removeRows(client, TableName, account),
  };
}

async function removeRows(
  client: DynamoDBDocumentClient,
  TableName: string,
  { id, email, createdAt }: Pick<Account, 'id' | 'email' | 'createdAt'>,
): Promise<void> {
  const { pk, sk } = accountKey(id);
  const rows = await queryRows(client, {
    TableName,
    KeyConditionExpression: 'pk = :pk',
    ProjectionExpression: 'pk, sk',
    ExpressionAttributeValues: { ':pk': pk },
  });
  const others = rows.filter((row) => row['sk'] !== sk);
  await deleteRows(client, TableName, others);
  const isOwn = { when: 'attribute_not_exists(pk) OR accountId = :id', values: { id } };
  await writeTransaction(client, [
    ['email', remove(TableName, emailKey(email), isOwn)],
    ['account', remove(TableName, { pk, sk })],
    ['listed', remove(TableName, listedKey({ id, createdAt }))],
  ]);
}

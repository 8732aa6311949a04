import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { AccountId, Instant } from '../../../contract/fields.ts';
import type { Account } from '../../../core/accounts/account.ts';
import type { AccountRemoval, AccountStore } from '../../../core/accounts/ports.ts';
import { deleteRows, retryOnConflict, tryConditionalWrite } from '../document-client.ts';
import { queryRows } from '../read-rows.ts';
import { writeTransaction } from '../transaction.ts';
import { accountKey, emailKey, listedKey } from './account-rows.ts';
import { checkParts } from './plan-check-table.ts';

/**
 * Closes and reopens accounts, and schedules their next check by maintenance in the same
 * transaction.
 */
export function accountClosing(
  client: DynamoDBDocumentClient,
  TableName: string,
): Pick<AccountStore, 'close' | 'reopen'> {
  const write = async (
    accountId: AccountId,
    dueAt: Instant,
    update: { set: string; when: string; values: Record<string, unknown> },
  ) => {
    const change = {
      TableName,
      Key: accountKey(accountId),
      UpdateExpression: update.set,
      ConditionExpression: update.when,
      ExpressionAttributeValues: update.values,
    };
    const unmet = await writeTransaction(client, [
      ['account', { Update: change }],
      ...checkParts(TableName, accountId, dueAt),
    ]);
    return unmet.size === 0;
  };
  return {
    close: (accountId, { at, stopToken }) =>
      write(accountId, at, {
        set: 'SET suspendedAt = :at, closedAt = :at, stopToken = :stopToken REMOVE reopenedAt',
        when: 'attribute_exists(pk) AND attribute_not_exists(suspendedAt)',
        values: { ':at': at, ':stopToken': stopToken },
      }),
    reopen: (accountId, { closedAt, at }) =>
      write(accountId, at, {
        set: 'SET reopenedAt = :at REMOVE suspendedAt, closedAt, stopToken',
        when: 'closedAt = :closedAt AND attribute_not_exists(removingAt)',
        values: { ':at': at, ':closedAt': closedAt },
      }),
  };
}

/** The last steps of an account in DynamoDB. */
export function accountRemoval(client: DynamoDBDocumentClient, TableName: string): AccountRemoval {
  const update = (accountId: AccountId, set: string, when: string, values: object) =>
    retryOnConflict(() =>
      tryConditionalWrite(
        client.send(
          new UpdateCommand({
            TableName,
            Key: accountKey(accountId),
            UpdateExpression: set,
            ConditionExpression: when,
            ExpressionAttributeValues: { ...values },
          }),
        ),
      ),
    );
  return {
    async endReopening(accountId, reopenedAt) {
      const values = { ':reopenedAt': reopenedAt };
      await update(accountId, 'REMOVE reopenedAt', 'reopenedAt = :reopenedAt', values);
    },
    begin: (accountId, closedAt, at) =>
      update(accountId, 'SET removingAt = :at', 'closedAt = :closedAt', {
        ':at': at,
        ':closedAt': closedAt,
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
  const byEmail = {
    TableName,
    Key: emailKey(email),
    ConditionExpression: 'attribute_not_exists(pk) OR accountId = :id',
    ExpressionAttributeValues: { ':id': id },
  };
  await writeTransaction(client, [
    ['email', { Delete: byEmail }],
    ['account', { Delete: { TableName, Key: { pk, sk } } }],
    ['listed', { Delete: { TableName, Key: listedKey({ id, createdAt }) } }],
  ]);
}

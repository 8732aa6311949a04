import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { AccountId } from '../../../contract/fields.ts';
import { Account } from '../../../core/accounts/account.ts';
import type { AccountStore } from '../../../core/accounts/ports.ts';
import { nextTrialCheck } from '../../../core/projects/history/history-limit.ts';
import { accountClosing } from './account-closing.ts';
import { accountKey, emailKey, listedKey } from './account-rows.ts';
import { retryOnConflict, tryConditionalWrite } from '../document-client.ts';
import { readRow } from '../read-rows.ts';
import { checkParts } from './plan-check-table.ts';
import { writeTransaction } from '../transaction.ts';

/** Accounts in DynamoDB. */
export function accountRepository(client: DynamoDBDocumentClient, table: string): AccountStore {
  const get = async (accountId: AccountId) => {
    const item = await readRow(client, table, accountKey(accountId));
    return item === undefined ? undefined : Account.parse(item);
  };
  const findByEmail = async (email: string) => {
    const item = await readRow(client, table, emailKey(email));
    if (item === undefined) return undefined;
    const account = await get(z.object({ accountId: AccountId }).parse(item).accountId);
    // Between the two reads, the account may have got another address.
    return account?.email === email ? account : undefined;
  };
  return {
    get,
    findByEmail,
    ...accountClosing(client, table),
    ...accountEmail(client, table),
    async switchMails(accountId, to, kinds) {
      const update = new UpdateCommand({
        TableName: table,
        Key: accountKey(accountId),
        UpdateExpression: `${to === 'off' ? 'ADD' : 'DELETE'} mailsOff :kinds`,
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeValues: { ':kinds': new Set(kinds) },
      });
      await retryOnConflict(() => tryConditionalWrite(client.send(update)));
    },
    async create(account) {
      if (await putAccount(client, table, account)) return account;
      const first = await findByEmail(account.email);
      if (first === undefined) throw new Error('an account was neither created nor found');
      return first;
    },
  };
}

/** Writes the address, the account, its place in the list of all and the first check of its trial together; false if the address has an account. */
async function putAccount(
  client: DynamoDBDocumentClient,
  table: string,
  account: Account,
): Promise<boolean> {
  const put = (Item: Record<string, unknown>) => ({
    Put: { TableName: table, Item, ConditionExpression: 'attribute_not_exists(pk)' },
  });
  const checkAt = nextTrialCheck(account, new Date(account.createdAt));
  const unmet = await writeTransaction(client, [
    ...(checkAt === undefined ? [] : checkParts(table, account.id, checkAt)),
    ['email', put({ ...emailKey(account.email), accountId: account.id })],
    ['account', put({ ...accountKey(account.id), ...account })],
    ['listed', put({ ...listedKey(account), accountId: account.id })],
  ]);
  return unmet.size === 0;
}

/** The change of an account's address: its row and both rows of addresses change together. */
function accountEmail(
  client: DynamoDBDocumentClient,
  TableName: string,
): Pick<AccountStore, 'changeEmail'> {
  return {
    async changeEmail(accountId, { from, to }) {
      const unmet = await writeTransaction(client, [
        [
          'account',
          {
            Update: {
              TableName,
              Key: accountKey(accountId),
              UpdateExpression: 'SET email = :to',
              ConditionExpression: 'email = :from AND attribute_not_exists(suspendedAt)',
              ExpressionAttributeValues: { ':from': from, ':to': to },
            },
          },
        ],
        [
          'new',
          {
            Put: {
              TableName,
              Item: { ...emailKey(to), accountId },
              ConditionExpression: 'attribute_not_exists(pk)',
            },
          },
        ],
        [
          'former',
          {
            Delete: {
              TableName,
              Key: emailKey(from),
              ConditionExpression: 'accountId = :id',
              ExpressionAttributeValues: { ':id': accountId },
            },
          },
        ],
      ]);
      if (unmet.size === 0) return 'changed';
      return unmet.has('account') || unmet.has('former') ? 'conflict' : 'taken';
    },
  };
}

import {
  type DynamoDBDocumentClient,
  GetCommand,
  TransactWriteCommand,
} from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { AccountId } from '../../../contract/fields.ts';
import { Account } from '../../../core/accounts/account.ts';
import type { AccountStore } from '../../../core/accounts/ports.ts';
import { cancellation } from '../document-client.ts';

export const accountKey = (accountId: AccountId) => ({
  pk: `ACCOUNT#${accountId}`,
  sk: 'ACCOUNT',
});
const emailKey = (email: string) => ({ pk: `EMAIL#${email}`, sk: 'EMAIL' });

/** Accounts in DynamoDB. */
export function accountRepository(client: DynamoDBDocumentClient, table: string): AccountStore {
  const read = async (Key: Record<string, string>) => {
    const { Item } = await client.send(
      new GetCommand({ TableName: table, Key, ConsistentRead: true }),
    );
    return Item;
  };
  const get = async (accountId: AccountId) => {
    const item = await read(accountKey(accountId));
    return item === undefined ? undefined : Account.parse(item);
  };
  const findByEmail = async (email: string) => {
    const item = await read(emailKey(email));
    return item === undefined
      ? undefined
      : get(z.object({ accountId: AccountId }).parse(item).accountId);
  };
  return {
    get,
    findByEmail,
    async create(account) {
      if (await putAccount(client, table, account)) return account;
      const first = await findByEmail(account.email);
      if (first === undefined) throw new Error('an account was neither created nor found');
      return first;
    },
  };
}

/** Address and account appear together; false when the address is taken. */
async function putAccount(
  client: DynamoDBDocumentClient,
  table: string,
  account: Account,
): Promise<boolean> {
  const put = (Item: Record<string, unknown>) => ({
    Put: { TableName: table, Item, ConditionExpression: 'attribute_not_exists(pk)' },
  });
  try {
    await client.send(
      new TransactWriteCommand({
        TransactItems: [
          put({ ...emailKey(account.email), accountId: account.id }),
          put({ ...accountKey(account.id), ...account }),
        ],
      }),
    );
    return true;
  } catch (error) {
    if (cancellation(error) === undefined) throw error;
    return false;
  }
}

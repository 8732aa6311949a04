import {
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { AccountId } from '../contract/fields.ts';
import { Account } from '../core/accounts/account.ts';
import { StoredKey } from '../core/accounts/api-key.ts';
import type { AccountStore } from '../core/accounts/ports.ts';
import { epochSeconds, plusSeconds } from '../core/instants.ts';
import { cancellation } from './dynamodb.ts';

/** Dead keys stay this long, so that their holders learn that they expired. */
const deadKeySeconds = 90 * 86_400;

export const accountKey = (accountId: AccountId) => ({
  pk: `ACCOUNT#${accountId}`,
  sk: 'ACCOUNT',
});
const emailKey = (email: string) => ({ pk: `EMAIL#${email}`, sk: 'EMAIL' });
const apiKeyKey = (keyHash: string) => ({ pk: `KEY#${keyHash}`, sk: 'KEY' });

/** Accounts and their keys in DynamoDB. */
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
    async findKey(keyHash) {
      const item = await read(apiKeyKey(keyHash));
      return item === undefined ? undefined : StoredKey.parse(item);
    },
    async putKey(keyHash, key) {
      const Item = { ...apiKeyKey(keyHash), ...key, ttl: ttlOf(key) };
      await client.send(new PutCommand({ TableName: table, Item }));
    },
    async renewKey(keyHash, key) {
      await client.send(
        new UpdateCommand({
          TableName: table,
          Key: apiKeyKey(keyHash),
          UpdateExpression: 'SET expiresAt = :expiresAt, #ttl = :ttl',
          // A key that was taken away in the meantime stays away.
          ConditionExpression: 'attribute_exists(pk)',
          ExpressionAttributeNames: { '#ttl': 'ttl' },
          ExpressionAttributeValues: { ':expiresAt': key.expiresAt, ':ttl': ttlOf(key) },
        }),
      );
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

function ttlOf(key: StoredKey): number {
  return epochSeconds(plusSeconds(new Date(key.expiresAt), deadKeySeconds));
}

import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { daySeconds } from '../../../contract/limits.ts';
import type { AccountId, KeyId } from '../../../contract/fields.ts';
import { StoredKey } from '../../../core/accounts/keys/api-key.ts';
import type { KeyStore } from '../../../core/accounts/ports.ts';
import { epochSeconds, plusSeconds } from '../../../core/instants.ts';
import { accountKey } from './account-rows.ts';
import { rowParser, withoutNulls } from '../null-fields.ts';
import { queryRows, readRow } from '../read-rows.ts';
import { retryOnConflict, tryConditionalWrite } from '../document-client.ts';
import { writeTransaction } from '../transaction.ts';

/** Expired keys are kept for this time, so that their holders get API_KEY_EXPIRED. */
const deadKeySeconds = 90 * daySeconds;

const apiKeyRowKey = (keyHash: string) => ({ pk: `KEY#${keyHash}`, sk: 'KEY' });
const listedKey = (accountId: AccountId, keyId: KeyId) => ({
  pk: accountKey(accountId).pk,
  sk: `KEY#${keyId}`,
});

/** A row of the owner's list of keys. */
export const ListedKey = StoredKey.extend({ keyHash: z.string() });
const parseListedKey = rowParser(ListedKey);
const parseKey = rowParser(StoredKey);

/** API keys in DynamoDB: one row to find by key, one row for the owner's list. */
export function keyTable(client: DynamoDBDocumentClient, table: string): KeyStore {
  return {
    async find(keyHash) {
      const item = await readRow(client, table, apiKeyRowKey(keyHash));
      return item === undefined ? undefined : parseKey(item);
    },
    async put(keyHash, key) {
      await writeTransaction(client, puts(table, keyHash, key));
    },
    async putWithin(limit, keyHash, key) {
      const unmet = await writeTransaction(client, [
        ...puts(table, keyHash, key),
        ['account', countOneMore(table, key.accountId, limit)],
      ]);
      return unmet.size === 0;
    },
    async noteUse(keyHash, key) {
      const at = listedKey(key.accountId, key.id);
      const [noted] = await Promise.all([
        note(client, table, { at: apiKeyRowKey(keyHash), key, ttl: heldTtl(key) }),
        note(client, table, { at, key, ttl: listedTtl(key) }),
      ]);
      return noted;
    },
    list: (accountId) => list(client, table, accountId),
    remove: (accountId, keyId) => remove(client, table, listedKey(accountId, keyId)),
  };
}

type RowKey = Record<'pk' | 'sk', string>;

function puts(TableName: string, keyHash: string, key: StoredKey) {
  const row = withoutNulls(key);
  const at = listedKey(key.accountId, key.id);
  return [
    ['key', { Put: { TableName, Item: { ...apiKeyRowKey(keyHash), ...row, ttl: heldTtl(key) } } }],
    ['listed', { Put: { TableName, Item: { ...at, ...row, keyHash, ttl: listedTtl(key) } } }],
  ] as const;
}

/** False if the row does not exist any more. */
async function note(
  client: DynamoDBDocumentClient,
  table: string,
  { at, key, ttl }: { at: RowKey; key: StoredKey; ttl: number | undefined },
): Promise<boolean> {
  const end = ttl === undefined ? '' : ', expiresAt = :expiresAt, #ttl = :ttl';
  const update = new UpdateCommand({
    TableName: table,
    Key: at,
    UpdateExpression: `SET lastUsedAt = :lastUsedAt${end}`,
    // Must not recreate a key that was deleted meanwhile.
    ConditionExpression: 'attribute_exists(pk)',
    ...(ttl !== undefined && { ExpressionAttributeNames: { '#ttl': 'ttl' } }),
    ExpressionAttributeValues: {
      ':lastUsedAt': key.lastUsedAt,
      ...(ttl !== undefined && { ':expiresAt': key.expiresAt, ':ttl': ttl }),
    },
  });
  return retryOnConflict(() => tryConditionalWrite(client.send(update)));
}

async function list(client: DynamoDBDocumentClient, table: string, accountId: AccountId) {
  const rows = await queryRows(client, {
    TableName: table,
    ConsistentRead: true,
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :key)',
    ExpressionAttributeValues: { ':pk': accountKey(accountId).pk, ':key': 'KEY#' },
  });
  return rows.map((row) => parseListedKey(row));
}

async function remove(client: DynamoDBDocumentClient, TableName: string, at: RowKey) {
  const item = await readRow(client, TableName, at);
  if (item === undefined) return false;
  const { accountId, kind, keyHash } = parseListedKey(item);
  const uncount =
    kind === 'dashboard' ? [['account', countOneLess(TableName, accountId)] as const] : [];
  const unmet = await writeTransaction(client, [
    ['listed', { Delete: { TableName, Key: at, ConditionExpression: 'attribute_exists(pk)' } }],
    ['key', { Delete: { TableName, Key: apiKeyRowKey(keyHash) } }],
    ...uncount,
  ]);
  if (unmet.size === 1 && unmet.has('account')) {
    throw new Error(`account ${accountId} counts fewer keys than it has`);
  }
  return unmet.size === 0;
}

function countOneMore(TableName: string, accountId: AccountId, limit: number) {
  return {
    Update: {
      TableName,
      Key: accountKey(accountId),
      UpdateExpression: 'ADD keyCount :one',
      ConditionExpression:
        'attribute_exists(pk) AND (attribute_not_exists(keyCount) OR keyCount < :limit)',
      ExpressionAttributeValues: { ':one': 1, ':limit': limit },
    },
  };
}

function countOneLess(TableName: string, accountId: AccountId) {
  return {
    Update: {
      TableName,
      Key: accountKey(accountId),
      UpdateExpression: 'ADD keyCount :minusOne',
      ConditionExpression: 'keyCount >= :one',
      ExpressionAttributeValues: { ':one': 1, ':minusOne': -1 },
    },
  };
}

function heldTtl({ expiresAt }: StoredKey): number | undefined {
  if (expiresAt === null) return undefined;
  return epochSeconds(plusSeconds(new Date(expiresAt), deadKeySeconds));
}

/** A dashboard key counts until its owner deletes it, so it stays in the list when it has expired. */
function listedTtl({ kind, expiresAt }: StoredKey): number | undefined {
  if (kind === 'dashboard' || expiresAt === null) return undefined;
  return epochSeconds(new Date(expiresAt));
}

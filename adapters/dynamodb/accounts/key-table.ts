import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { daySeconds } from '../../../contract/limits.ts';
import { type AccountId, type KeyId, KeyKind } from '../../../contract/fields.ts';
import { StoredKey } from '../../../core/accounts/keys/api-key.ts';
import type { KeyStore } from '../../../core/accounts/ports.ts';
import { epochSeconds, plusSeconds } from '../../../core/instants.ts';
import { accountKey, changeCount, publisherKey } from './account-rows.ts';
import { rowParser, withoutNulls } from '../null-fields.ts';
import { queryRows, readRow } from '../read-rows.ts';
import { retryOnConflict, tryConditionalWrite } from '../document-client.ts';
import { writeTransaction } from '../transaction.ts';

/** Expired keys are kept for this time, so that their holders get API_KEY_EXPIRED. */
const deadKeySeconds = 90 * daySeconds;
/** The same for keys of jobs, which end with their job. */
const deadJobKeySeconds = daySeconds;

const apiKeyRowKey = (keyHash: string) => ({ pk: `KEY#${keyHash}`, sk: 'KEY' });
const listedKey = (accountId: AccountId, keyId: KeyId) => ({
  pk: accountKey(accountId).pk,
  sk: `KEY#${keyId}`,
});

/** A row of the owner's list of keys. */
export const ListedKey = StoredKey.extend({ keyHash: z.string(), kind: KeyKind });
const parseListedKey = rowParser(ListedKey);
const parseKey = rowParser(StoredKey);

/** API keys in DynamoDB: one row to find by key, one row for the owner's list. */
export function keyTable(client: DynamoDBDocumentClient, table: string): KeyStore {
  return {
    async find(keyHash) {
      const item = await readRow(client, table, apiKeyRowKey(keyHash));
      const key = item && parseKey(item);
      if (key?.kind !== 'publisher') return key;
      // Such a key is in no list: it ends with its publisher.
      return (await readRow(client, table, publisherKey(key.id))) && key;
    },
    async put(keyHash, key) {
      await writeTransaction(client, puts(table, keyHash, key));
    },
    async putWithin(limit, keyHash, key) {
      const unmet = await writeTransaction(client, [
        ...puts(table, keyHash, key),
        ['account', changeCount(table, key.accountId, { count: 'keyCount', by: 1, limit })],
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
  const at = listedKey(key.accountId, key.id);
  const listed = { ...at, ...withoutNulls(key), keyHash, ttl: listedTtl(key) };
  return [
    ['key', { Put: keyPut(TableName, keyHash, key) }],
    ['listed', { Put: { TableName, Item: listed } }],
  ] as const;
}

/** Stores the row by which a key is found. */
export function keyPut(TableName: string, keyHash: string, key: StoredKey) {
  return { TableName, Item: { ...apiKeyRowKey(keyHash), ...withoutNulls(key), ttl: heldTtl(key) } };
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
    kind === 'dashboard'
      ? [['account', changeCount(TableName, accountId, { count: 'keyCount', by: -1 })] as const]
      : [];
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

function heldTtl({ kind, expiresAt }: StoredKey): number | undefined {
  if (expiresAt === null) return undefined;
  const deadSeconds = kind === 'publisher' ? deadJobKeySeconds : deadKeySeconds;
  return epochSeconds(plusSeconds(new Date(expiresAt), deadSeconds));
}

/** A dashboard key counts until its owner deletes it, so it stays in the list when it has expired. */
function listedTtl({ kind, expiresAt }: StoredKey): number | undefined {
  if (kind === 'dashboard' || expiresAt === null) return undefined;
  return epochSeconds(new Date(expiresAt));
}

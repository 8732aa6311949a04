import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { daySeconds } from '../../../contract/limits.ts';
import { type AccountId, type KeyId, KeyKind } from '../../../contract/fields.ts';
import { StoredKey } from '../../../core/accounts/keys/api-key.ts';
import type { KeyStore } from '../../../core/accounts/ports.ts';
import { epochSeconds, plusSeconds } from '../../../core/instants.ts';
import { accountKey, changeCount, publisherKey } from './account-rows.ts';
import { rowParser, withoutNulls } from '../null-fields.ts';
import { findRow, partitionRows, readRow } from '../read-rows.ts';
import { writeTransaction } from '../transaction.ts';
import { exists, put, remove, update, write } from '../writes.ts';

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
      const key = await findRow(client, table, apiKeyRowKey(keyHash), parseKey);
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
    async list(accountId) {
      const { pk } = accountKey(accountId);
      return (await partitionRows(client, table, { pk, prefix: 'KEY#' })).map(parseListedKey);
    },
    remove: (accountId, keyId) => removeKey(client, table, listedKey(accountId, keyId)),
  };
}

type RowKey = Record<'pk' | 'sk', string>;

function puts(TableName: string, keyHash: string, key: StoredKey) {
  const at = listedKey(key.accountId, key.id);
  const listed = { ...at, ...withoutNulls(key), keyHash, ttl: listedTtl(key) };
  return [
    ['key', keyPut(TableName, keyHash, key)],
    ['listed', put(TableName, listed)],
  ] as const;
}

/** Stores the row by which a key is found. */
export function keyPut(TableName: string, keyHash: string, key: StoredKey) {
  return put(TableName, { ...apiKeyRowKey(keyHash), ...withoutNulls(key), ttl: heldTtl(key) });
}

/** False if the row does not exist any more. A row without an end keeps none. */
function note(
  client: DynamoDBDocumentClient,
  table: string,
  { at, key, ttl }: { at: RowKey; key: StoredKey; ttl: number | undefined },
): Promise<boolean> {
  const expiresAt = ttl === undefined ? undefined : key.expiresAt;
  const set = { lastUsedAt: key.lastUsedAt, expiresAt, ttl };
  // Must not recreate a key that was deleted meanwhile.
  return write(client, update(table, at, { set, ...exists }));
}

async function removeKey(client: DynamoDBDocumentClient, TableName: string, at: RowKey) {
  const listed = await findRow(client, TableName, at, parseListedKey);
  if (listed === undefined) return false;
  const { accountId, kind, keyHash } = listed;
  const uncount =
    kind === 'dashboard'
      ? [['account', changeCount(TableName, accountId, { count: 'keyCount', by: -1 })] as const]
      : [];
  const unmet = await writeTransaction(client, [
    ['listed', remove(TableName, at, exists)],
    ['key', remove(TableName, apiKeyRowKey(keyHash))],
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

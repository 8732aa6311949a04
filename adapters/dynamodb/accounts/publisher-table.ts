import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { AccountId, KeyId } from '../../../contract/fields.ts';
import {
  type PublisherStore,
  type PublisherUse,
  TrustedPublisher,
} from '../../../core/accounts/publishers/trusted-publisher.ts';
import { rowParser, withoutNulls } from '../null-fields.ts';
import { findRow, partitionRows } from '../read-rows.ts';
import { writeTransaction } from '../transaction.ts';
import { exists, put, remove, update } from '../writes.ts';
import { accountKey, changeCount, publisherKey } from './account-rows.ts';
import { keyPut } from './key-table.ts';

const listedKey = (accountId: AccountId, id: KeyId) => ({
  pk: accountKey(accountId).pk,
  sk: `PUBLISHER#${id}`,
});
const Listed = TrustedPublisher.pick({ id: true });
const parsePublisher = rowParser(TrustedPublisher);

/** Trusted publishers in DynamoDB: the row itself is found by its id, another one lists it for its owner. */
export function publisherTable(client: DynamoDBDocumentClient, TableName: string): PublisherStore {
  const find = (id: KeyId) => findRow(client, TableName, publisherKey(id), parsePublisher);
  return {
    find,
    async list(accountId) {
      const { pk } = accountKey(accountId);
      const rows = await partitionRows(client, TableName, { pk, prefix: 'PUBLISHER#' });
      const found = await Promise.all(rows.map((row) => find(Listed.parse(row).id)));
      return found.filter((one) => one !== undefined);
    },
    async putWithin(limit, publisher) {
      const { id, accountId } = publisher;
      const unmet = await writeTransaction(client, [
        ['publisher', put(TableName, { ...publisherKey(id), ...withoutNulls(publisher) })],
        ['listed', put(TableName, { ...listedKey(accountId, id), id })],
        ['account', changeCount(TableName, accountId, { count: 'publisherCount', by: 1, limit })],
      ]);
      return unmet.size === 0;
    },
    async issueKey(id, use, keyHash, key) {
      const unmet = await writeTransaction(client, [
        ['publisher', useUpdate(TableName, id, use)],
        ['key', keyPut(TableName, keyHash, key)],
      ]);
      return unmet.size === 0;
    },
    async remove(accountId, id) {
      const unmet = await writeTransaction(client, [
        ['listed', remove(TableName, listedKey(accountId, id), exists)],
        ['publisher', remove(TableName, publisherKey(id))],
        ['account', changeCount(TableName, accountId, { count: 'publisherCount', by: -1 })],
      ]);
      return unmet.size === 0;
    },
  };
}

function useUpdate(TableName: string, id: KeyId, { at, repositoryId }: PublisherUse) {
  return update(TableName, publisherKey(id), {
    set: { lastUsedAt: at, repositoryId },
    when: 'attribute_exists(pk) AND (attribute_not_exists(repositoryId) OR repositoryId = :repositoryId)',
  });
}

import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { AccountId, KeyId } from '../../../contract/fields.ts';
import {
  type PublisherStore,
  type PublisherUse,
  TrustedPublisher,
} from '../../../core/accounts/publishers/trusted-publisher.ts';
import { rowParser, withoutNulls } from '../null-fields.ts';
import { queryRows, readRow } from '../read-rows.ts';
import { writeTransaction } from '../transaction.ts';
import { accountKey, changeCount, publisherKey } from './account-rows.ts';
import { keyPut } from './key-table.ts';

const listedKey = (accountId: AccountId, id: KeyId) => ({
  pk: accountKey(accountId).pk,
  sk: `PUBLISHER#${id}`,
});
/** A row of the owner's list. */
const Listed = TrustedPublisher.pick({ id: true });
const parsePublisher = rowParser(TrustedPublisher);

/** Trusted publishers in DynamoDB: the row itself is found by its id, another one lists it for its owner. */
export function publisherTable(client: DynamoDBDocumentClient, TableName: string): PublisherStore {
  const find = async (id: KeyId) => {
    const item = await readRow(client, TableName, publisherKey(id));
    return item && parsePublisher(item);
  };
  return {
    find,
    async list(accountId) {
      const rows = await queryRows(client, {
        TableName,
        ConsistentRead: true,
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :publisher)',
        ExpressionAttributeValues: { ':pk': accountKey(accountId).pk, ':publisher': 'PUBLISHER#' },
      });
      const found = await Promise.all(rows.map((row) => find(Listed.parse(row).id)));
      return found.filter((one) => one !== undefined);
    },
    async putWithin(limit, publisher) {
      const { id, accountId } = publisher;
      const Item = { ...publisherKey(id), ...withoutNulls(publisher) };
      const unmet = await writeTransaction(client, [
        ['publisher', { Put: { TableName, Item } }],
        ['listed', { Put: { TableName, Item: { ...listedKey(accountId, id), id } } }],
        ['account', changeCount(TableName, accountId, { count: 'publisherCount', by: 1, limit })],
      ]);
      return unmet.size === 0;
    },
    async issueKey(id, use, keyHash, key) {
      const unmet = await writeTransaction(client, [
        ['publisher', { Update: useUpdate(TableName, id, use) }],
        ['key', { Put: keyPut(TableName, keyHash, key) }],
      ]);
      return unmet.size === 0;
    },
    async remove(accountId, id) {
      const listed = { TableName, Key: listedKey(accountId, id) };
      const unmet = await writeTransaction(client, [
        ['listed', { Delete: { ...listed, ConditionExpression: 'attribute_exists(pk)' } }],
        ['publisher', { Delete: { TableName, Key: publisherKey(id) } }],
        ['account', changeCount(TableName, accountId, { count: 'publisherCount', by: -1 })],
      ]);
      return unmet.size === 0;
    },
  };
}

function useUpdate(TableName: string, id: KeyId, { at, repositoryId }: PublisherUse) {
  return {
    TableName,
    Key: publisherKey(id),
    UpdateExpression: 'SET lastUsedAt = :at, repositoryId = :repositoryId',
    ConditionExpression:
      'attribute_exists(pk) AND (attribute_not_exists(repositoryId) OR repositoryId = :repositoryId)',
    ExpressionAttributeValues: { ':at': at, ':repositoryId': repositoryId },
  };
}

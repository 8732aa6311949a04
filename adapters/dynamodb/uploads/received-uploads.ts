import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { ReceivedUpload } from '../../../contract/file-request.ts';
import { epochSeconds } from '../../../core/instants.ts';
import {
  keptUntil,
  MailedReceipt,
  type UploadLinkStore,
} from '../../../core/upload-links/upload-link.ts';
import {
  deleteRows,
  isConditionFailure,
  retryOnConflict,
  tryConditionalWrite,
} from '../document-client.ts';
import { rowParser, withoutNulls } from '../null-fields.ts';
import { queryRows, readRow } from '../read-rows.ts';
import { writeTransaction } from '../transaction.ts';
import { linkKey, ListedRow, listedKey } from './upload-link-rows.ts';

const parseReceived = rowParser(ReceivedUpload);
const parseReceipt = rowParser(MailedReceipt);

/** The uploads of a file request are below its link; their numbers are in order. */
const receivedKey = (tokenHash: string, number: number) => ({
  pk: linkKey(tokenHash).pk,
  sk: `SENT#${String(number).padStart(9, '0')}`,
});

const Taken = z.object({ taken: z.int() });

/** What was taken of a file request, and what it received, in DynamoDB. */
export function receivedUploads(
  client: DynamoDBDocumentClient,
  TableName: string,
): Pick<
  UploadLinkStore,
  'take' | 'giveBack' | 'addReceived' | 'findReceipt' | 'noteMailed' | 'listReceived'
> {
  return {
    async take(tokenHash, at) {
      const update = new UpdateCommand({
        TableName,
        Key: linkKey(tokenHash),
        UpdateExpression: 'ADD received :one, taken :one',
        // An absent number is less than no other, so it is asked for by itself.
        ConditionExpression:
          'expiresAt > :at AND (attribute_not_exists(received) OR received < #request.maxUploads)',
        ExpressionAttributeNames: { '#request': 'request' },
        ExpressionAttributeValues: { ':one': 1, ':at': at },
        ReturnValues: 'UPDATED_NEW',
      });
      try {
        const { Attributes } = await retryOnConflict(() => client.send(update));
        return Taken.parse(Attributes).taken;
      } catch (error) {
        if (isConditionFailure(error)) return undefined;
        throw error;
      }
    },
    giveBack: (tokenHash, number) => giveBack(client, TableName, tokenHash, number),
    addReceived: (...added) => add(client, TableName, ...added),
    async findReceipt(tokenHash, number) {
      const row = await readRow(client, TableName, receivedKey(tokenHash, number));
      return row?.['mailsReceipt'] === true ? parseReceipt(row) : undefined;
    },
    noteMailed: (...noted) => noteMailed(client, TableName, ...noted),
    async listReceived(accountId, id, { limit, below }) {
      const listing = await readRow(client, TableName, listedKey(accountId, id));
      if (listing === undefined) return undefined;
      const { tokenHash } = ListedRow.parse(listing);
      const rows = await receivedRows(client, TableName, { tokenHash, below }, limit + 1);
      const received = rows.slice(0, limit).map((row) => parseReceived(row));
      return { received, hasMore: rows.length > limit };
    },
  };
}

async function noteMailed(
  client: DynamoDBDocumentClient,
  TableName: string,
  ...[tokenHash, mailed]: Parameters<UploadLinkStore['noteMailed']>
): Promise<void> {
  const update = new UpdateCommand({
    TableName,
    Key: linkKey(tokenHash),
    UpdateExpression: 'SET mailed = :mailed',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeValues: { ':mailed': mailed },
  });
  await retryOnConflict(() => tryConditionalWrite(client.send(update)));
}

/** In one step, because nobody could remove the row of a link that is deleted in between. */
async function add(
  client: DynamoDBDocumentClient,
  TableName: string,
  ...[tokenHash, link, received]: Parameters<UploadLinkStore['addReceived']>
): Promise<void> {
  const Key = receivedKey(tokenHash, received.number);
  const Item = { ...Key, ...withoutNulls(received), ttl: epochSeconds(keptUntil(link)) };
  const isThere = { Key: linkKey(tokenHash), ConditionExpression: 'attribute_exists(pk)' };
  await writeTransaction(client, [
    ['link', { ConditionCheck: { TableName, ...isThere } }],
    ['received', { Put: { TableName, Item } }],
  ]);
}

async function giveBack(
  client: DynamoDBDocumentClient,
  TableName: string,
  tokenHash: string,
  number: number,
): Promise<boolean> {
  const sent = { TableName, Key: receivedKey(tokenHash, number) };
  const place = {
    TableName,
    Key: linkKey(tokenHash),
    UpdateExpression: 'ADD received :back',
    ConditionExpression: 'received > :none',
    ExpressionAttributeValues: { ':back': -1, ':none': 0 },
  };
  const unmet = await writeTransaction(client, [
    ['sent', { Delete: { ...sent, ConditionExpression: 'attribute_exists(pk)' } }],
    ['place', { Update: place }],
  ]);
  return unmet.size === 0;
}

/** Removes the list of senders of a link that is being deleted. */
export async function removeReceived(
  client: DynamoDBDocumentClient,
  TableName: string,
  tokenHash: string,
): Promise<void> {
  await deleteRows(client, TableName, await receivedRows(client, TableName, { tokenHash }));
}

/** The rows with lower numbers, newest first. */
function receivedRows(
  client: DynamoDBDocumentClient,
  TableName: string,
  { tokenHash, below = Infinity }: { tokenHash: string; below?: number },
  limit?: number,
) {
  const { pk, sk: first } = receivedKey(tokenHash, 0);
  const last = receivedKey(tokenHash, Math.min(below, 1e9) - 1).sk;
  const query = {
    TableName,
    ConsistentRead: true,
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
    ExpressionAttributeValues: { ':pk': pk, ':first': first, ':last': last },
    ScanIndexForward: false,
  };
  return queryRows(client, query, limit);
}

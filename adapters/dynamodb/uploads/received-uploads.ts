import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { ReceivedUpload } from '../../../contract/file-request.ts';
import { epochSeconds } from '../../../core/instants.ts';
import {
  keptUntil,
  MailedReceipt,
  type UploadLinkStore,
} from '../../../core/upload-links/upload-link.ts';
import { deleteRows } from '../document-client.ts';
import { rowParser, withoutNulls } from '../null-fields.ts';
import { partitionRows, readRow } from '../read-rows.ts';
import { writeTransaction } from '../transaction.ts';
import { check, exists, put, remove, update, updated, write } from '../writes.ts';
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
      const taking = update(TableName, linkKey(tokenHash), {
        add: { received: 1, taken: 1 },
        // An absent number is less than no other, so it has a condition of its own.
        when: 'expiresAt > :at AND (attribute_not_exists(received) OR received < #request.maxUploads)',
        values: { at },
      });
      const link = await updated(client, taking);
      return link && Taken.parse(link).taken;
    },
    giveBack: (tokenHash, number) => giveBack(client, TableName, tokenHash, number),
    addReceived: (...added) => add(client, TableName, ...added),
    async findReceipt(tokenHash, number) {
      const row = await readRow(client, TableName, receivedKey(tokenHash, number));
      return row?.['mailsReceipt'] === true ? parseReceipt(row) : undefined;
    },
    async noteMailed(tokenHash, mailed) {
      await write(client, update(TableName, linkKey(tokenHash), { set: { mailed }, ...exists }));
    },
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

/** In one step, because nobody could remove the row of a link that is deleted in between. */
async function add(
  client: DynamoDBDocumentClient,
  TableName: string,
  ...[tokenHash, link, received]: Parameters<UploadLinkStore['addReceived']>
): Promise<void> {
  const Key = receivedKey(tokenHash, received.number);
  const Item = { ...Key, ...withoutNulls(received), ttl: epochSeconds(keptUntil(link)) };
  await writeTransaction(client, [
    ['link', check(TableName, linkKey(tokenHash), exists)],
    ['received', put(TableName, Item)],
  ]);
}

async function giveBack(
  client: DynamoDBDocumentClient,
  TableName: string,
  tokenHash: string,
  number: number,
): Promise<boolean> {
  const place = { add: { received: -1 }, when: 'received > :none', values: { none: 0 } };
  const unmet = await writeTransaction(client, [
    ['sent', remove(TableName, receivedKey(tokenHash, number), exists)],
    ['place', update(TableName, linkKey(tokenHash), place)],
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
  const query = { pk, between: [first, last], isNewestFirst: true } as const;
  return partitionRows(client, TableName, query, limit);
}

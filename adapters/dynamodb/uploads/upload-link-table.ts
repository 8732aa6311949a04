import { type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { maxRequestDays } from '../../../contract/file-request.ts';
import { daySeconds } from '../../../contract/limits.ts';
import { keptSeconds } from '../../../core/upload-links/file-request.ts';
import type { AccountId } from '../../../contract/fields.ts';
import { epochSeconds, plusSeconds } from '../../../core/instants.ts';
import { firstIdAt } from '../../../core/time-ordered-id.ts';
import {
  isListed,
  keptUntil,
  UploadLink,
  type UploadLinkStore,
} from '../../../core/upload-links/upload-link.ts';
import { rowParser, withoutNulls } from '../null-fields.ts';
import { findRow, partitionRows } from '../read-rows.ts';
import { writeTransaction } from '../transaction.ts';
import { type Change, exists, put, remove, update, write } from '../writes.ts';
import { receivedUploads, removeReceived } from './received-uploads.ts';
import { linkKey, ListedRow, listedKey } from './upload-link-rows.ts';

/** For this time, an expired link can be distinguished from an unknown one. */
const endedSeconds = daySeconds;

const parseLinkRow = rowParser(UploadLink);

/** The oldest link that may be listed: a file request that was open as long as possible. */
const listedSeconds = maxRequestDays * daySeconds + keptSeconds;

/** Limits of one listing: open links that are returned, and rows of the list that are read. */
const listed = { most: 100, rowsRead: 1000 };

/** One change of a link's state, with other changes. */
interface Step extends Change {
  from: UploadLink['state'];
  to: UploadLink['state'];
}

/** Upload links in DynamoDB, in the table of projects; rows expire by TTL a day after the link. */
export function uploadLinkTable(client: DynamoDBDocumentClient, table: string): UploadLinkStore {
  const move = (tokenHash: string, { from, to, set, when, values, ...others }: Step) => {
    const change = {
      set: { ...set, state: to },
      when: `#state = :from${when === undefined ? '' : ` AND ${when}`}`,
      values: { ...values, from },
      ...others,
    };
    return write(client, update(table, linkKey(tokenHash), change));
  };
  return {
    create: async (hash, link) => void (await writeTransaction(client, puts(table, hash, link))),
    find: (tokenHash) => find(client, table, tokenHash),
    lock: (tokenHash, at, lockedUntil) => {
      const inTime = { set: { lockedUntil }, when: 'expiresAt > :at', values: { at } };
      return move(tokenHash, { from: 'waiting', to: 'locked', ...inTime });
    },
    async release(tokenHash) {
      await move(tokenHash, { from: 'locked', to: 'waiting' });
    },
    async markUsed(tokenHash, link, uploadId) {
      const set = { uploadId: uploadId ?? undefined };
      if (await move(tokenHash, { from: 'locked', to: 'used', set }))
        await noteInList(client, table, link, { set: { isUsed: true } });
    },
    async reopen(tokenHash, link, uploadId) {
      const own = { when: 'uploadId = :uploadId', values: { uploadId } };
      // The next use may be an upload without an id, which this one must not open again.
      const remove = ['uploadId'];
      if (await move(tokenHash, { from: 'used', to: 'waiting', ...own, remove }))
        await noteInList(client, table, link, { remove: ['isUsed'] });
    },
    listOpen: (accountId, now) => listOpen(client, table, accountId, now),
    remove: (accountId, id) => removeLink(client, table, listedKey(accountId, id)),
    removeAll: (accountId) => removeAll(client, table, accountId),
    ...receivedUploads(client, table),
  };
}

/** One row to find by token, one row for the owner's list. */
function puts(TableName: string, tokenHash: string, link: UploadLink) {
  const { id, accountId } = link;
  const ended = keptUntil(link);
  const ttl = epochSeconds(plusSeconds(ended, endedSeconds));
  const listing = { ...listedKey(accountId, id), id, tokenHash, ttl: epochSeconds(ended) };
  return [
    ['link', put(TableName, { ...linkKey(tokenHash), ...withoutNulls(link), ttl })],
    ['listed', put(TableName, listing)],
  ] as const;
}

function find(client: DynamoDBDocumentClient, table: string, tokenHash: string) {
  return findRow(client, table, linkKey(tokenHash), parseLinkRow);
}

/** Only links that may be open are read one by one: no used ones, and none that have expired but still have rows. */
async function listOpen(
  client: DynamoDBDocumentClient,
  table: string,
  accountId: AccountId,
  now: Date,
): Promise<UploadLink[]> {
  const { pk, sk: oldest } = listedKey(accountId, firstIdAt(plusSeconds(now, -listedSeconds)));
  const { Items = [] } = await client.send(
    new QueryCommand({
      TableName: table,
      ConsistentRead: true,
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :oldest AND :end',
      FilterExpression: 'attribute_not_exists(isUsed) AND #ttl > :now',
      ExpressionAttributeNames: { '#ttl': 'ttl' },
      ExpressionAttributeValues: {
        ':pk': pk,
        ':oldest': oldest,
        ':end': 'LINK#~',
        ':now': epochSeconds(now),
      },
      // Ids start with their creation time, so the newest come first.
      ScanIndexForward: false,
      Limit: listed.rowsRead,
    }),
  );
  const rows = z.array(ListedRow).parse(Items);
  const open: UploadLink[] = [];
  for (let at = 0; at < rows.length && open.length < listed.most; at += listed.most) {
    const links = await Promise.all(
      rows.slice(at, at + listed.most).map(({ tokenHash }) => find(client, table, tokenHash)),
    );
    open.push(...links.flatMap((link) => (link && isListed(link, now) ? [link] : [])));
  }
  return open.slice(0, listed.most);
}

/** Notes in its owner's list whether a link is used; the link itself decides whether it works. */
async function noteInList(
  client: DynamoDBDocumentClient,
  TableName: string,
  { accountId, id }: Pick<UploadLink, 'accountId' | 'id'>,
  change: Pick<Change, 'set' | 'remove'>,
): Promise<void> {
  // Must not recreate a link that was deleted meanwhile.
  await write(client, update(TableName, listedKey(accountId, id), { ...change, ...exists }));
}

async function removeLink(
  client: DynamoDBDocumentClient,
  TableName: string,
  at: Record<'pk' | 'sk', string>,
): Promise<boolean> {
  const listing = await findRow(client, TableName, at, (row) => ListedRow.parse(row));
  if (listing === undefined) return false;
  const { tokenHash } = listing;
  const unmet = await writeTransaction(client, [
    ['listed', remove(TableName, at, exists)],
    ['link', remove(TableName, linkKey(tokenHash))],
  ]);
  // Afterwards, because nothing is added to the list of a link that is gone.
  await removeReceived(client, TableName, tokenHash);
  return unmet.size === 0;
}

async function removeAll(
  client: DynamoDBDocumentClient,
  TableName: string,
  accountId: AccountId,
): Promise<void> {
  const { pk, sk } = listedKey(accountId, '');
  const rows = await partitionRows(client, TableName, { pk, prefix: sk });
  for (const { id } of z.array(ListedRow).parse(rows)) {
    await removeLink(client, TableName, listedKey(accountId, id));
  }
}

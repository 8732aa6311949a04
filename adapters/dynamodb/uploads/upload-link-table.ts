import { daySeconds } from '../../../contract/limits.ts';
import { type DynamoDBDocumentClient, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { AccountId } from '../../../contract/fields.ts';
import { epochSeconds, plusSeconds } from '../../../core/instants.ts';
import {
  isOpen,
  UploadLink,
  UploadLinkId,
  type UploadLinkStore,
} from '../../../core/upload-links/upload-link.ts';
import { retryOnConflict, tryConditionalWrite } from '../document-client.ts';
import { rowParser, withoutNulls } from '../null-fields.ts';
import { readRow } from '../read-rows.ts';
import { writeTransaction } from '../transaction.ts';

const linkKey = (tokenHash: string) => ({ pk: `LINK#${tokenHash}`, sk: 'LINK' });

const listedKey = (accountId: AccountId, id: UploadLinkId) => ({
  pk: `ACCOUNT#${accountId}`,
  sk: `LINK#${id}`,
});

/** For this time, an expired link can be distinguished from an unknown one. */
const endedSeconds = daySeconds;

const parseLinkRow = rowParser(UploadLink);

/** A link in its owner's list. */
export const ListedRow = z.object({ id: UploadLinkId, tokenHash: z.string() });

/**
 * Limits of one listing: open links that are returned, and rows that are read. Used links stay in
 * the list until they expire.
 */
const listed = { most: 100, rowsRead: 1000 };

/** One change of a link's state. */
interface Step {
  from: UploadLink['state'];
  to: UploadLink['state'];
  set?: string;
  when?: string;
  values?: Record<string, unknown>;
}

/** Upload links in DynamoDB, in the table of projects; rows expire by TTL a day after the link. */
export function uploadLinkTable(client: DynamoDBDocumentClient, table: string): UploadLinkStore {
  const move = (tokenHash: string, { from, to, set = '', when = '', values }: Step) =>
    retryOnConflict(() =>
      tryConditionalWrite(
        client.send(
          new UpdateCommand({
            TableName: table,
            Key: linkKey(tokenHash),
            UpdateExpression: `SET #state = :to${set}`,
            ConditionExpression: `#state = :from${when}`,
            ExpressionAttributeNames: { '#state': 'state' },
            ExpressionAttributeValues: { ':from': from, ':to': to, ...values },
          }),
        ),
      ),
    );
  return {
    async create(tokenHash, link) {
      await writeTransaction(client, puts(table, tokenHash, link));
    },
    find: (tokenHash) => find(client, table, tokenHash),
    lock: (tokenHash, at, until) => {
      const values = { ':at': at, ':until': until };
      const when = ' AND expiresAt > :at';
      const set = ', lockedUntil = :until';
      return move(tokenHash, { from: 'waiting', to: 'locked', set, when, values });
    },
    async release(tokenHash) {
      await move(tokenHash, { from: 'locked', to: 'waiting' });
    },
    async markUsed(tokenHash, uploadId) {
      const large = uploadId !== null && {
        set: ', uploadId = :uploadId',
        values: { ':uploadId': uploadId },
      };
      await move(tokenHash, { from: 'locked', to: 'used', ...large });
    },
    async reopen(tokenHash, uploadId) {
      const values = { ':uploadId': uploadId };
      const when = ' AND uploadId = :uploadId';
      // The next use may be an upload without an id, which this one must not open again.
      const set = ' REMOVE uploadId';
      await move(tokenHash, { from: 'used', to: 'waiting', set, when, values });
    },
    listOpen: (accountId, now) => listOpen(client, table, accountId, now),
    remove: (accountId, id) => remove(client, table, listedKey(accountId, id)),
  };
}

/** One row to find by token, one row for the owner's list. */
function puts(TableName: string, tokenHash: string, link: UploadLink) {
  const { id, accountId, expiresAt } = link;
  const ended = new Date(expiresAt);
  const ttl = epochSeconds(plusSeconds(ended, endedSeconds));
  const listing = { ...listedKey(accountId, id), id, tokenHash, ttl: epochSeconds(ended) };
  return [
    ['link', { Put: { TableName, Item: { ...linkKey(tokenHash), ...withoutNulls(link), ttl } } }],
    ['listed', { Put: { TableName, Item: listing } }],
  ] as const;
}

async function find(
  client: DynamoDBDocumentClient,
  table: string,
  tokenHash: string,
): Promise<UploadLink | undefined> {
  const item = await readRow(client, table, linkKey(tokenHash));
  return item === undefined ? undefined : parseLinkRow(item);
}

async function listOpen(
  client: DynamoDBDocumentClient,
  table: string,
  accountId: AccountId,
  now: Date,
): Promise<UploadLink[]> {
  const open: UploadLink[] = [];
  let from: Record<string, unknown> | undefined;
  let rowsRead = 0;
  do {
    const page = await client.send(
      new QueryCommand({
        TableName: table,
        ConsistentRead: true,
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :link)',
        ExpressionAttributeValues: { ':pk': `ACCOUNT#${accountId}`, ':link': 'LINK#' },
        // Ids start with their creation time, so the newest come first.
        ScanIndexForward: false,
        Limit: listed.most,
        ExclusiveStartKey: from,
      }),
    );
    const rows = z.array(ListedRow).parse(page.Items ?? []);
    const links = await Promise.all(
      rows.map(async ({ tokenHash }) => {
        const link = await find(client, table, tokenHash);
        return link !== undefined && isOpen(link, now) ? [link] : [];
      }),
    );
    open.push(...links.flat());
    rowsRead += rows.length;
    from = page.LastEvaluatedKey;
  } while (from !== undefined && open.length < listed.most && rowsRead < listed.rowsRead);
  return open.slice(0, listed.most);
}

async function remove(
  client: DynamoDBDocumentClient,
  TableName: string,
  at: Record<'pk' | 'sk', string>,
): Promise<boolean> {
  const item = await readRow(client, TableName, at);
  if (item === undefined) return false;
  const { tokenHash } = ListedRow.parse(item);
  const unmet = await writeTransaction(client, [
    ['listed', { Delete: { TableName, Key: at, ConditionExpression: 'attribute_exists(pk)' } }],
    ['link', { Delete: { TableName, Key: linkKey(tokenHash) } }],
  ]);
  return unmet.size === 0;
}

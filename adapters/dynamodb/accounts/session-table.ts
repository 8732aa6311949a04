import * as z from 'zod';
import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { AccountId, Instant } from '../../../contract/fields.ts';
import type { SessionStore } from '../../../core/accounts/ports.ts';
import { type SessionId, StoredSession } from '../../../core/accounts/sessions/stored-session.ts';
import { epochSeconds } from '../../../core/instants.ts';
import { accountKey } from './account-rows.ts';
import { rowParser, withoutNulls } from '../null-fields.ts';
import { findRow, partitionRows } from '../read-rows.ts';
import { writeTransaction } from '../transaction.ts';
import { exists, put, remove, update } from '../writes.ts';
import type { KnownBrowserStore } from '../../../core/accounts/sessions/known-browser.ts';

const sessionKey = (tokenHash: string) => ({ pk: `SESSION#${tokenHash}`, sk: 'SESSION' });
const listedKey = (accountId: AccountId, id: SessionId) => ({
  pk: accountKey(accountId).pk,
  sk: `SESSION#${id}`,
});

/** A row of the owner's list of sessions. */
export const ListedSession = StoredSession.extend({ tokenHash: z.string() });
const parseListedSession = rowParser(ListedSession);
const parseSession = rowParser(StoredSession);

/** Browser sessions in DynamoDB: one row to find by token, one row for the owner's list. */
export function sessionTable(client: DynamoDBDocumentClient, table: string): SessionStore {
  const find = (tokenHash: string) => findRow(client, table, sessionKey(tokenHash), parseSession);
  const drop = async (tokenHash: string, listed: { accountId: AccountId; id: SessionId }) => {
    await writeTransaction(client, [
      ['session', remove(table, sessionKey(tokenHash))],
      ['listed', remove(table, listedKey(listed.accountId, listed.id))],
    ]);
  };
  return {
    find,
    async put(tokenHash, session) {
      await writeTransaction(client, puts(table, tokenHash, session));
    },
    async noteUse(tokenHash, { accountId, id, lastUsedAt }) {
      const unmet = await writeTransaction(client, [
        ['session', useNote(table, sessionKey(tokenHash), lastUsedAt)],
        ['listed', useNote(table, listedKey(accountId, id), lastUsedAt)],
      ]);
      return unmet.size === 0;
    },
    async list(accountId) {
      const { pk } = accountKey(accountId);
      const rows = await partitionRows(client, table, { pk, prefix: 'SESSION#' });
      return rows.map(parseListedSession);
    },
    async end(tokenHash) {
      const session = await find(tokenHash);
      if (session === undefined) return;
      await drop(tokenHash, session);
    },
    async remove(accountId, id) {
      const listed = await findRow(client, table, listedKey(accountId, id), parseListedSession);
      if (listed === undefined) return false;
      await drop(listed.tokenHash, { accountId, id });
      return true;
    },
  };
}

function puts(TableName: string, tokenHash: string, session: StoredSession) {
  const { accountId, id, expiresAt } = session;
  const row = { ...withoutNulls(session), ttl: epochSeconds(new Date(expiresAt)) };
  return [
    ['session', put(TableName, { ...sessionKey(tokenHash), ...row })],
    ['listed', put(TableName, { ...listedKey(accountId, id), ...row, tokenHash })],
  ] as const;
}

/** An update, because most functions that accept a session may not put rows of accounts. */
function useNote(TableName: string, Key: Record<'pk' | 'sk', string>, lastUsedAt: Instant | null) {
  // Must not recreate a session that was ended meanwhile.
  return update(TableName, Key, { set: { lastUsedAt }, ...exists });
}

/** The browsers that signed in to accounts, in DynamoDB; rows expire by TTL. */
export function knownBrowserTable(
  client: DynamoDBDocumentClient,
  table: string,
): KnownBrowserStore {
  return {
    async remember(accountId, browserHash, at, expiresAt) {
      const { pk } = accountKey(accountId);
      const ttl = epochSeconds(new Date(expiresAt));
      const { Attributes } = await client.send(
        new PutCommand({
          TableName: table,
          Item: { pk, sk: `BROWSER#${browserHash}`, signedInAt: at, expiresAt, ttl },
          ReturnValues: 'ALL_OLD',
        }),
      );
      return Attributes !== undefined && String(Attributes['expiresAt']) > at;
    },
  };
}

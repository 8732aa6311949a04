import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { AccountId } from '../../../contract/fields.ts';
import type { SessionStore } from '../../../core/accounts/ports.ts';
import {
  type NamedSession,
  SessionId,
  StoredSession,
} from '../../../core/accounts/sessions/stored-session.ts';
import { epochSeconds } from '../../../core/instants.ts';
import { accountKey } from './account-repository.ts';
import { withoutNulls } from '../projects/project-rows.ts';
import { queryRows, readRow } from '../read-rows.ts';
import { transact } from '../transaction.ts';

const sessionKey = (tokenHash: string) => ({ pk: `SESSION#${tokenHash}`, sk: 'SESSION' });
const listedKey = (accountId: AccountId, id: SessionId) => ({
  pk: accountKey(accountId).pk,
  sk: `SESSION#${id}`,
});

/** A session as its owner's list has it. */
const ListedSession = StoredSession.extend({ id: SessionId, tokenHash: z.string() });

/** Sessions of browsers in DynamoDB: one row for whoever has the token, one for the owner's list. */
export function sessionTable(client: DynamoDBDocumentClient, table: string): SessionStore {
  const find = async (tokenHash: string) => {
    const item = await readRow(client, table, sessionKey(tokenHash));
    return item === undefined ? undefined : StoredSession.parse(item);
  };
  const drop = async (tokenHash: string, listed: { accountId: AccountId; id: SessionId }) => {
    const Key = listedKey(listed.accountId, listed.id);
    await transact(client, [
      ['session', { Delete: { TableName: table, Key: sessionKey(tokenHash) } }],
      ['listed', { Delete: { TableName: table, Key } }],
    ]);
  };
  return {
    find,
    async put(tokenHash, session) {
      await transact(client, puts(table, tokenHash, session));
    },
    async noteUse(tokenHash, session) {
      const [[, { Put: held }], listed] = puts(table, tokenHash, session);
      const ifThere = { ...held, ConditionExpression: 'attribute_exists(pk)' };
      const unmet = await transact(client, [['session', { Put: ifThere }], listed]);
      return unmet.size === 0;
    },
    list: (accountId) => list(client, table, accountId),
    async end(tokenHash) {
      const session = await find(tokenHash);
      if (session === undefined) return;
      const { accountId, id } = session;
      if (id !== undefined) return drop(tokenHash, { accountId, id });
      await transact(client, [
        ['session', { Delete: { TableName: table, Key: sessionKey(tokenHash) } }],
      ]);
    },
    async remove(accountId, id) {
      const item = await readRow(client, table, listedKey(accountId, id));
      if (item === undefined) return false;
      await drop(ListedSession.parse(item).tokenHash, { accountId, id });
      return true;
    },
  };
}

function puts(TableName: string, tokenHash: string, session: NamedSession) {
  const { accountId, id, expiresAt } = session;
  const row = { ...withoutNulls(session), ttl: epochSeconds(new Date(expiresAt)) };
  return [
    ['session', { Put: { TableName, Item: { ...sessionKey(tokenHash), ...row } } }],
    ['listed', { Put: { TableName, Item: { ...listedKey(accountId, id), ...row, tokenHash } } }],
  ] as const;
}

async function list(client: DynamoDBDocumentClient, table: string, accountId: AccountId) {
  const rows = await queryRows(client, {
    TableName: table,
    ConsistentRead: true,
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :session)',
    ExpressionAttributeValues: { ':pk': accountKey(accountId).pk, ':session': 'SESSION#' },
  });
  return rows.map((row) => ListedSession.parse(row));
}

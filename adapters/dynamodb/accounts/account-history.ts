import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { ProjectId } from '../../../contract/fields.ts';
import { Account } from '../../../core/accounts/account.ts';
import type { AccountHistory } from '../../../core/projects/history/account-history.ts';
import { ProjectHistory } from '../../../core/projects/history/project-history.ts';
import { accountKey } from './account-rows.ts';
import { planCheckTable } from './plan-check-table.ts';
import { ownerIndex } from '../projects/owner-index.ts';
import { dueAttributes, ownerState, trimKey } from '../projects/project-rows.ts';
import { findRow, queryRows } from '../read-rows.ts';
import { put, remove, write } from '../writes.ts';

/** The table of projects, with the due items, and the table of accounts, with their totals. */
export interface AccountHistoryTables {
  projects: string;
  accounts: string;
}

const HistoryTotal = z.object({ earlierBytes: z.number().int().default(0) });

const HistoryRow = z
  .object({ id: ProjectId, history: ProjectHistory })
  .transform(({ id, history }) => ({ projectId: id, history }));

/** The earlier versions of accounts' projects, in DynamoDB. */
export function accountHistory(
  client: DynamoDBDocumentClient,
  tables: AccountHistoryTables,
): AccountHistory {
  const TableName = tables.projects;
  return {
    find: (accountId) =>
      findRow(client, tables.accounts, accountKey(accountId), (row) => ({
        account: Account.parse(row),
        ...HistoryTotal.parse(row),
      })),
    async projects(accountId) {
      const states = ['active', 'archived'] as const;
      const rows = await Promise.all(
        states.map((state) => withHistory(client, TableName, ownerState(accountId, state))),
      );
      return z.array(HistoryRow).parse(rows.flat());
    },
    ...planCheckTable(client, tables.accounts),
    async scheduleTrim(accountId, at) {
      const Item = { ...trimKey(accountId), accountId, ...dueAttributes(accountId, at) };
      await write(client, put(TableName, Item));
    },
    async endTrim(accountId, at) {
      const isDue = { when: 'dueAt <= :at', values: { at } };
      await write(client, remove(TableName, trimKey(accountId), isDue));
    },
  };
}

function withHistory(client: DynamoDBDocumentClient, TableName: string, state: string) {
  return queryRows(client, {
    TableName,
    IndexName: ownerIndex,
    KeyConditionExpression: 'ownerState = :state',
    FilterExpression: '#history.#versions > :none',
    ProjectionExpression: 'id, #history',
    ExpressionAttributeNames: { '#history': 'history', '#versions': 'versions' },
    ExpressionAttributeValues: { ':state': state, ':none': 0 },
  });
}

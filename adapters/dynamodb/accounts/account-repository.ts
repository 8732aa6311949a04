import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { AccountId } from '../../../contract/fields.ts';
import { Account } from '../../../core/accounts/account.ts';
import type { AccountStore } from '../../../core/accounts/ports.ts';
import { nextTrialCheck } from '../../../core/projects/history/history-limit.ts';
import { accountClosing } from './account-closing.ts';
import { accountKey, emailKey, listedKey } from './account-rows.ts';
import { findRow, readRow } from '../read-rows.ts';
import { checkParts } from './plan-check-table.ts';
import { writeTransaction } from '../transaction.ts';
import { exists, isNew, put, remove, update, write } from '../writes.ts';

/** Accounts in DynamoDB. */
export function accountRepository(client: DynamoDBDocumentClient, table: string): AccountStore {
  const get = (accountId: AccountId) =>
    findRow(client, table, accountKey(accountId), (row) => Account.parse(row));
  const findByEmail = async (email: string) => {
    const item = await readRow(client, table, emailKey(email));
    if (item === undefined) return undefined;
    const account = await get(z.object({ accountId: AccountId }).parse(item).accountId);
    // Between the two reads, the account may have got another address.
    return account?.email === email ? account : undefined;
  };
  return {
    get,
    findByEmail,
    ...accountClosing(client, table),
    ...accountEmail(client, table),
    async switchMails(accountId, to, kinds) {
      const mailsOff = new Set(kinds);
      const change = to === 'off' ? { add: { mailsOff } } : { takeOut: { mailsOff } };
      await write(client, update(table, accountKey(accountId), { ...change, ...exists }));
    },
    async create(account) {
      if (await putAccount(client, table, account)) return account;
      const first = await findByEmail(account.email);
      if (first === undefined) throw new Error('an account was neither created nor found');
      return first;
    },
  };
}

/** Writes the address, the account, its place in the list of all and the first check of its trial together; false if the address has an account. */
async function putAccount(
  client: DynamoDBDocumentClient,
  table: string,
  account: Account,
): Promise<boolean> {
  const checkAt = nextTrialCheck(account, new Date(account.createdAt));
  const unmet = await writeTransaction(client, [
    ...(checkAt === undefined ? [] : checkParts(table, account.id, checkAt)),
    ['email', put(table, { ...emailKey(account.email), accountId: account.id }, isNew)],
    ['account', put(table, { ...accountKey(account.id), ...account }, isNew)],
    ['listed', put(table, { ...listedKey(account), accountId: account.id }, isNew)],
  ]);
  return unmet.size === 0;
}

/** The change of an account's address: its row and both rows of addresses change together. */
function accountEmail(
  client: DynamoDBDocumentClient,
  TableName: string,
): Pick<AccountStore, 'changeEmail'> {
  return {
    async changeEmail(accountId, { from, to }) {
      const unmet = await writeTransaction(client, [
        [
          'account',
          update(TableName, accountKey(accountId), {
            set: { email: to },
            when: 'email = :from AND attribute_not_exists(suspendedAt)',
            values: { from },
          }),
        ],
        ['new', put(TableName, { ...emailKey(to), accountId }, isNew)],
        [
          'former',
          remove(TableName, emailKey(from), {
            when: 'accountId = :accountId',
            values: { accountId },
          }),
        ],
      ]);
      if (unmet.size === 0) return 'changed';
      return unmet.has('account') || unmet.has('former') ? 'conflict' : 'taken';
    },
  };
}

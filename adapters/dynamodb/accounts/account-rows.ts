import type { AccountId, KeyId } from '../../../contract/fields.ts';
import type { Account } from '../../../core/accounts/account.ts';
import { update } from '../writes.ts';

/** The key of an account's own row. */
export const accountKey = (accountId: AccountId) => ({
  pk: `ACCOUNT#${accountId}`,
  sk: 'ACCOUNT',
});

/** The key of the row that finds an account by its e-mail address. */
export const emailKey = (email: string) => ({ pk: `EMAIL#${email}`, sk: 'EMAIL' });

/** The partition of {@link listedKey}: few accounts are created in a second. */
export const accountListPartition = 'ACCOUNTS';

/** The key of the row by which operators find an account in the list of all, in order of their ages. */
export const listedKey = ({ id, createdAt }: Pick<Account, 'id' | 'createdAt'>) => ({
  pk: accountListPartition,
  sk: `${createdAt}#${id}`,
});

/** The key of the row of a trusted publisher. */
export const publisherKey = (id: KeyId) => ({ pk: `PUBLISHER#${id}`, sk: 'PUBLISHER' });

/** The part of a transaction that counts one thing more of an account, up to a limit, or one less. */
export function changeCount(
  TableName: string,
  accountId: AccountId,
  change:
    | { count: 'keyCount' | 'publisherCount'; by: 1; limit: number }
    | { count: 'keyCount' | 'publisherCount'; by: -1 },
) {
  const { count, by } = change;
  return update(TableName, accountKey(accountId), {
    add: { [count]: by },
    when:
      by === 1
        ? `attribute_exists(pk) AND (attribute_not_exists(${count}) OR ${count} < :bound)`
        : `${count} >= :bound`,
    values: { bound: by === 1 ? change.limit : 1 },
  });
}

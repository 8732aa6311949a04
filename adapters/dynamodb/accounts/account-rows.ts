import type { AccountId } from '../../../contract/fields.ts';
import type { Account } from '../../../core/accounts/account.ts';

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

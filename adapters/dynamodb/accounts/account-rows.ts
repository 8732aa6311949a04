import type { AccountId } from '../../../contract/fields.ts';

/** The key of an account's own row. */
export const accountKey = (accountId: AccountId) => ({
  pk: `ACCOUNT#${accountId}`,
  sk: 'ACCOUNT',
});

/** The key of the row that finds an account by its e-mail address. */
export const emailKey = (email: string) => ({ pk: `EMAIL#${email}`, sk: 'EMAIL' });

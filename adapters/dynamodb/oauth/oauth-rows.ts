import type { Instant } from '../../../contract/fields.ts';
import { epochSeconds } from '../../../core/instants.ts';
import type { GrantKey } from '../../../core/oauth/grant.ts';

/** Keys of the rows of table `oauth`. */
export const oauthKeys = {
  client: (clientId: string) => ({ pk: `CLIENT#${clientId}`, sk: 'CLIENT' }),
  code: (codeHash: string) => ({ pk: `CODE#${codeHash}`, sk: 'CODE' }),
  grant: ({ accountId, id }: GrantKey) => ({ pk: `ACCOUNT#${accountId}`, sk: `GRANT#${id}` }),
  access: (accessHash: string) => ({ pk: `ACCESS#${accessHash}`, sk: 'ACCESS' }),
  device: (userCode: string) => ({ pk: `DEVICE#${userCode}`, sk: 'DEVICE' }),
  usedToken: (tokenHash: string) => ({ pk: `USED#${tokenHash}`, sk: 'USED' }),
  refresh: (refreshHash: string) => ({ pk: `REFRESH#${refreshHash}`, sk: 'REFRESH' }),
};

/** The TTL of a row that ends at this time. */
export function ttlOf(expiresAt: Instant): number {
  return epochSeconds(new Date(expiresAt));
}

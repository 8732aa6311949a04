import type { AccountId } from '../../../contract/fields.ts';
import { stateOf } from '../../accounts/suspension.ts';
import { OAuthError } from '../oauth-error.ts';
import type { OAuthDeps } from '../ports.ts';

/**
 * Refuses tokens of an account that is suspended. Nothing of the grant ends: `invalid_grant` would
 * make the client forget it.
 * @throws OAuthError access_denied
 */
export async function requireActiveHolder(
  { accounts }: Pick<OAuthDeps, 'accounts'>,
  accountId: AccountId,
): Promise<void> {
  const account = await accounts.get(accountId);
  if (account === undefined || stateOf(account) === 'active') return;
  throw new OAuthError('access_denied', 'The account behind this is suspended.');
}

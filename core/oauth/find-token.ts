import type { OAuthScope } from '../../contract/oauth.ts';
import type { Account } from '../accounts/account.ts';
import type { OAuthDeps } from './ports.ts';

/** Whose access token it is, and what it is for. */
export interface TokenHolder {
  account: Account;
  scopes: readonly OAuthScope[];
  clientId: string;
  grantId: string;
}

/** What telling whose token it is needs. */
export type FindTokenDeps = Pick<OAuthDeps, 'accounts' | 'grants' | 'tokens' | 'keyPrefix' | 'now'>;

/** Who holds this access token; undefined for one that is unknown, expired or revoked. */
export async function findToken(
  _deps: FindTokenDeps,
  _token: string,
): Promise<TokenHolder | undefined> {
  throw new Error('not yet');
}

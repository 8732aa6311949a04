import type { OAuthScope } from '../../../contract/oauth/oauth.ts';
import type { Account } from '../../accounts/account.ts';
import { requireActive } from '../../accounts/suspension.ts';
import { hasExpired, instant } from '../../instants.ts';
import type { Grant, GrantId } from '../grant.ts';
import type { OAuthDeps } from '../ports.ts';
import { secretHash } from './tokens.ts';

/** A use is noted only if the last note is at least this old, so that not every request is a write. */
const noteSeconds = 3600;

/** The account, scopes and grant of an access token. */
export interface TokenHolder {
  account: Account;
  scopes: readonly OAuthScope[];
  clientId: string;
  grantId: GrantId;
  /** The name that the app gave itself. */
  clientName: string;
}

/** The dependencies for finding the holder of a token. */
export type FindTokenDeps = Pick<OAuthDeps, 'accounts' | 'grants' | 'tokens' | 'keyPrefix' | 'now'>;

/**
 * The holder of an access token; undefined if the token is unknown, expired or revoked.
 * @throws CodedError ACCOUNT_SUSPENDED
 */
export async function findToken(
  deps: FindTokenDeps,
  token: string,
): Promise<TokenHolder | undefined> {
  const accessHash = secretHash(deps.keyPrefix, 'access', token);
  const access = accessHash === undefined ? undefined : await deps.tokens.findAccess(accessHash);
  const now = deps.now();
  if (access === undefined || hasExpired(access, now)) return undefined;
  const { accountId, grantId: id, scopes } = access;
  const [grant, account] = await Promise.all([
    deps.grants.find({ accountId, id }),
    deps.accounts.get(accountId),
  ]);
  if (grant === undefined || hasExpired(grant, now) || account === undefined) return undefined;
  requireActive(account);
  if (isNoteDue(grant, now) && !(await deps.grants.noteUse(grant, instant(now)))) return undefined;
  const { clientId, clientName } = grant;
  return { account, scopes, clientId, clientName, grantId: id };
}

function isNoteDue({ lastUsedAt }: Grant, now: Date): boolean {
  return lastUsedAt === null || now.getTime() - Date.parse(lastUsedAt) >= noteSeconds * 1000;
}

import type { OAuthScope } from '../../../contract/oauth/oauth.ts';
import type { Account } from '../../accounts/account.ts';
import { requireActive } from '../../accounts/suspension.ts';
import { instant } from '../../instants.ts';
import { type Grant, type GrantId, isOver } from '../grant.ts';
import type { OAuthDeps } from '../ports.ts';
import { secretHash } from './tokens.ts';

/** A use is noted when the last note is this old, so that not every request is a write. */
const noteSeconds = 3600;

/** Whose access token it is, and what it is for. */
export interface TokenHolder {
  account: Account;
  scopes: readonly OAuthScope[];
  clientId: string;
  grantId: GrantId;
}

/** What telling whose token it is needs. */
export type FindTokenDeps = Pick<OAuthDeps, 'accounts' | 'grants' | 'tokens' | 'keyPrefix' | 'now'>;

/**
 * Who holds this access token; undefined for one that is unknown, expired or revoked.
 * @throws CodedError ACCOUNT_SUSPENDED
 */
export async function findToken(
  deps: FindTokenDeps,
  token: string,
): Promise<TokenHolder | undefined> {
  const accessHash = secretHash(deps.keyPrefix, 'access', token);
  const access = accessHash === undefined ? undefined : await deps.tokens.findAccess(accessHash);
  const now = deps.now();
  if (access === undefined || isOver(access, now)) return undefined;
  const { accountId, grantId: id, scopes } = access;
  const [grant, account] = await Promise.all([
    deps.grants.find({ accountId, id }),
    deps.accounts.get(accountId),
  ]);
  if (grant === undefined || isOver(grant, now) || account === undefined) return undefined;
  requireActive(account);
  if (isNoteDue(grant, now) && !(await deps.grants.noteUse(grant, instant(now)))) return undefined;
  return { account, scopes, clientId: grant.clientId, grantId: id };
}

function isNoteDue({ lastUsedAt }: Grant, now: Date): boolean {
  return lastUsedAt === null || now.getTime() - Date.parse(lastUsedAt) >= noteSeconds * 1000;
}

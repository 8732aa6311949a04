import {
  type AuthenticateDeps,
  type AuthenticatedKey,
  authenticateKey,
} from '../../accounts/keys/authenticate.ts';
import { CodedError } from '../../errors.ts';
import type { OAuthScope } from '../../../contract/oauth/oauth.ts';
import type { Account } from '../../accounts/account.ts';
import { requireActive } from '../../accounts/suspension.ts';
import { hasExpired, instant } from '../../instants.ts';
import type { Grant, GrantId } from '../grant.ts';
import type { OAuthDeps } from '../ports.ts';
import { secretHash } from './tokens.ts';

/** The credential of a request to the MCP endpoint, after checking. */
export type Credential =
  | { kind: 'none' }
  | { kind: 'invalid'; reason: string }
  /** A valid credential of a suspended account. Not answered with 401, which would make the client discard it. */
  | { kind: 'suspended'; refusal: CodedError }
  | { kind: 'key'; who: AuthenticatedKey }
  | { kind: 'token'; who: TokenHolder };

/** The dependencies for identifying the caller of the MCP endpoint. */
export type AuthenticateAgentDeps = AuthenticateDeps & FindTokenDeps;

/** Identifies the caller of the MCP endpoint by an API key, or by the access token of a connected app. */
export async function authenticateAgent(
  deps: AuthenticateAgentDeps,
  authorization: string | undefined,
): Promise<Credential> {
  const [, sent] = /^Bearer +(\S+)\s*$/i.exec(authorization ?? '') ?? [];
  if (sent === undefined) return { kind: 'none' };
  try {
    if (sent.startsWith(`${deps.keyPrefix}_live_`)) {
      return { kind: 'key', who: await authenticateKey(deps, authorization) };
    }
    const who = await findToken(deps, sent);
    return who === undefined
      ? { kind: 'invalid', reason: 'This access token has expired or was revoked.' }
      : { kind: 'token', who };
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    if (error.code === 'ACCOUNT_SUSPENDED') return { kind: 'suspended', refusal: error };
    return { kind: 'invalid', reason: error.message };
  }
}

/** A use is noted only if the last note is at least this old, so that not every request is a write. */
const noteSeconds = 3600;

/** The account, scopes and grant of an access token. */
interface TokenHolder {
  account: Account;
  scopes: readonly OAuthScope[];
  clientId: string;
  grantId: GrantId;
  /** The name that the app gave itself. */
  clientName: string;
}

type FindTokenDeps = Pick<OAuthDeps, 'accounts' | 'grants' | 'tokens' | 'keyPrefix' | 'now'>;

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

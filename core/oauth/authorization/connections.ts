import type { AccountId } from '../../../contract/fields.ts';
import type { OAuthScope } from '../../../contract/oauth/oauth.ts';
import type { AccountCaller } from '../../caller.ts';
import { CodedError } from '../../errors.ts';
import { type Grant, GrantId, isOver } from '../grant.ts';
import type { OAuthDeps } from '../ports.ts';

/** Grants that one account may have; apps that connect anew forget their earlier grant. */
const maxGrants = 100;

/** A connected app: one grant. */
export interface Connection {
  id: string;
  /** As the app calls itself. */
  clientName: string;
  /** Where its codes were sent. */
  redirectHost: string;
  scopes: OAuthScope[];
  createdAt: string;
  /** Noted once an hour. */
  lastUsedAt: string | null;
}

/** What managing connected apps needs. */
export type ConnectionDeps = Pick<OAuthDeps, 'grants' | 'now'>;

/** The apps that are connected to the account, newest first. */
export async function listConnections(
  deps: ConnectionDeps,
  { account }: AccountCaller,
): Promise<{ connections: Connection[] }> {
  const live = await liveGrants(deps, account.id);
  const newestFirst = live.toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
  return { connections: newestFirst.map(describe) };
}

/**
 * Disconnects an app; its tokens are refused from the next request on.
 * @throws CodedError NOT_FOUND
 */
export async function deleteConnection(
  deps: ConnectionDeps,
  { account }: AccountCaller,
  input: { connectionId: string },
): Promise<{ deleted: boolean }> {
  const { data: id } = GrantId.safeParse(input.connectionId);
  if (id === undefined || !(await deps.grants.remove({ accountId: account.id, id }))) {
    throw new CodedError('NOT_FOUND', { error: 'You have no such connected app.' });
  }
  return { deleted: true };
}

/** Ends the grants that were not used for the longest time, so that one more has room. */
export async function makeRoom(deps: ConnectionDeps, accountId: AccountId): Promise<void> {
  const grants = await liveGrants(deps, accountId);
  const longestUnused = grants.toSorted((a, b) => (lastUse(a) < lastUse(b) ? -1 : 1));
  const surplus = longestUnused.slice(0, Math.max(0, grants.length - maxGrants + 1));
  await Promise.all(surplus.map((grant) => deps.grants.remove(grant)));
}

/**
 * Whether a person has allowed this client before, and has not taken it back. Only then is a browser
 * sent to the client with an error that nobody here decided: anybody can register a client whose
 * redirect URI is a phishing page, and a link to us would lead there (RFC 9700 §4.11.2).
 */
export async function isConnected(
  deps: ConnectionDeps,
  accountId: AccountId,
  clientId: string,
): Promise<boolean> {
  const grants = await liveGrants(deps, accountId);
  return grants.some((grant) => grant.clientId === clientId);
}

async function liveGrants({ grants, now }: ConnectionDeps, accountId: AccountId): Promise<Grant[]> {
  const at = now();
  return (await grants.list(accountId)).filter((grant) => !isOver(grant, at));
}

function lastUse({ lastUsedAt, createdAt }: Grant): string {
  return lastUsedAt ?? createdAt;
}

function describe(grant: Grant): Connection {
  const { id, clientName, redirectHost, scopes, createdAt, lastUsedAt } = grant;
  return { id, clientName, redirectHost, scopes, createdAt, lastUsedAt };
}

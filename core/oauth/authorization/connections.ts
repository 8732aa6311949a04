import type * as z from 'zod';
import type * as contract from '../../../contract/operations/connections.ts';
import type { AccountId } from '../../../contract/fields.ts';
import type { AccountCaller } from '../../caller.ts';
import { CodedError } from '../../errors.ts';
import { type Grant, GrantId } from '../grant.ts';
import { hasExpired, newestFirst } from '../../instants.ts';
import type { OAuthDeps } from '../ports.ts';

/** Maximum number of grants per account. An app that connects again leaves its earlier grant unused. */
const maxGrantsPerAccount = 100;

type Connection = z.input<typeof contract.listConnections.output>['connections'][number];

/** The dependencies for managing connected apps. */
export type ConnectionDeps = Pick<OAuthDeps, 'grants' | 'now'>;

/** The apps that are connected to the account, newest first. */
export async function listConnections(
  deps: ConnectionDeps,
  { account }: AccountCaller,
): Promise<{ connections: Connection[] }> {
  const live = await liveGrants(deps, account.id);
  return { connections: live.toSorted(newestFirst).map(describe) };
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
    throw new CodedError('NOT_FOUND', { error: 'No connected app of your account has this id.' });
  }
  return { deleted: true };
}

/** Removes the least recently used grants, so that one more is allowed. */
export async function removeSurplusGrants(
  deps: ConnectionDeps,
  accountId: AccountId,
): Promise<void> {
  const grants = await liveGrants(deps, accountId);
  const longestUnused = grants.toSorted((a, b) => (lastUse(a) < lastUse(b) ? -1 : 1));
  const surplus = longestUnused.slice(0, Math.max(0, grants.length - maxGrantsPerAccount + 1));
  await Promise.all(surplus.map((grant) => deps.grants.remove(grant)));
}

/**
 * Whether a person has connected this client and not disconnected it. Only then is a browser
 * redirected to the client with an error that the person did not cause: anybody can register a client whose
 * redirect URI is a phishing page, and a link to this service would lead there (RFC 9700 §4.11.2).
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
  return (await grants.list(accountId)).filter((grant) => !hasExpired(grant, at));
}

function lastUse({ lastUsedAt, createdAt }: Grant): string {
  return lastUsedAt ?? createdAt;
}

function describe(grant: Grant): Connection {
  const { id, clientName, redirectHost, scopes, createdAt, lastUsedAt } = grant;
  return { id, clientName, redirectHost, scopes, createdAt, lastUsedAt };
}

import type { OAuthScope } from '../../contract/oauth.ts';
import type { AccountCaller } from '../caller.ts';
import type { OAuthDeps } from './ports.ts';

/** A connected app: one grant. */
export interface Connection {
  id: string;
  /** As the app calls itself. */
  clientName: string;
  /** Where its codes were sent. */
  redirectHost: string;
  scopes: readonly OAuthScope[];
  createdAt: string;
  /** Noted once an hour. */
  lastUsedAt: string | null;
}

/** What managing connected apps needs. */
export type ConnectionDeps = Pick<OAuthDeps, 'grants' | 'now'>;

/** The apps that are connected to the account, newest first. */
export async function listConnections(
  _deps: ConnectionDeps,
  _caller: AccountCaller,
): Promise<{ connections: Connection[] }> {
  throw new Error('not yet');
}

/**
 * Disconnects an app; its tokens are refused from the next request on.
 * @throws CodedError NOT_FOUND
 */
export async function deleteConnection(
  _deps: ConnectionDeps,
  _caller: AccountCaller,
  _input: { connectionId: string },
): Promise<{ deleted: boolean }> {
  throw new Error('not yet');
}

import type { AccountId, PublishedBy } from '../../../contract/fields.ts';
import { hasExpired } from '../../instants.ts';
import type { GrantStore } from '../../oauth/ports.ts';
import type { KeyStore, SessionStore } from '../ports.ts';
import type { StoredSession } from '../sessions/stored-session.ts';
import type { Credential } from './credential.ts';
import type { StoredKey } from './api-key.ts';

/** The dependencies for looking up a credential. */
export interface CredentialDeps {
  keys: Pick<KeyStore, 'find'>;
  sessions: Pick<SessionStore, 'find'>;
  grants: Pick<GrantStore, 'find'>;
  now(): Date;
}

/**
 * The name of a credential, as its owner knows it: that of the key, the browser or the app. Undefined if
 * it was deleted, signed out or disconnected, or has expired.
 */
export async function findActiveCredential(
  deps: CredentialDeps,
  accountId: AccountId,
  credential: Credential,
): Promise<{ kind: Credential['kind']; name: string } | undefined> {
  if (credential.kind === 'key') {
    const key = await deps.keys.find(credential.keyHash);
    const isLive = key?.accountId === accountId && !hasExpired(key, deps.now());
    return isLive ? { kind: 'key', name: key.name } : undefined;
  }
  if (credential.kind === 'session') {
    const session = await deps.sessions.find(credential.tokenHash);
    const isLive = session?.accountId === accountId && !hasExpired(session, deps.now());
    return isLive ? { kind: 'session', name: describeBrowser(session) } : undefined;
  }
  const grant = await deps.grants.find({ accountId, id: credential.grantId });
  const isLive = grant !== undefined && !hasExpired(grant, deps.now());
  return isLive ? { kind: 'app', name: grant.clientName } : undefined;
}

/** For example `Firefox on Linux`. */
function describeBrowser({ browser, os }: Pick<StoredSession, 'browser' | 'os'>): string {
  return [browser ?? 'A browser', ...(os === null ? [] : [os])].join(' on ');
}

/** How a version names the key that published it. */
export function publishedByKey({ id, name }: StoredKey): PublishedBy {
  return { kind: 'key', id, name };
}

/** How a version names the browser that published it. */
export function publishedBySession(session: StoredSession): PublishedBy {
  return { kind: 'session', id: session.id, name: describeBrowser(session) };
}

import type { AccountId } from '../../../contract/fields.ts';
import { isOver } from '../../oauth/grant.ts';
import type { GrantStore } from '../../oauth/ports.ts';
import { isExpired } from './api-key.ts';
import type { KeyStore } from '../ports.ts';
import type { Credential } from './credential.ts';

/** What looking a credential up needs. */
export interface CredentialDeps {
  keys: Pick<KeyStore, 'find'>;
  grants: Pick<GrantStore, 'find'>;
  now(): Date;
}

/**
 * How the owner knows a credential of theirs: the name of the key, or of the app. Undefined once it
 * was deleted, disconnected or has expired: it can do nothing any more.
 */
export async function liveCredential(
  deps: CredentialDeps,
  accountId: AccountId,
  credential: Credential,
): Promise<{ kind: Credential['kind']; name: string } | undefined> {
  if (credential.kind === 'key') {
    const key = await deps.keys.find(credential.keyHash);
    const isLive = key?.accountId === accountId && !isExpired(key, deps.now());
    return isLive ? { kind: 'key', name: key.name } : undefined;
  }
  const grant = await deps.grants.find({ accountId, id: credential.grantId });
  const isLive = grant !== undefined && !isOver(grant, deps.now());
  return isLive ? { kind: 'app', name: grant.clientName } : undefined;
}

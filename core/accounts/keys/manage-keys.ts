import { KeyId } from '../../../contract/fields.ts';
import type { AccountCaller } from '../../caller.ts';
import { CodedError } from '../../errors.ts';
import { endOwnerAccess, type EndOwnerAccessDeps } from '../../projects/settings/owner-access.ts';
import { dashboardKey, hashKey, isExpired, type NamedKey, newApiKey } from './api-key.ts';
import type { KeyStore } from '../ports.ts';

/** Keys of the dashboard that one account may have; sign-in keys expire by themselves. */
const maxKeys = 50;

/** What managing keys needs. */
export interface KeyDeps {
  keys: KeyStore;
  keyPrefix: string;
  now(): Date;
}

/** The account's keys that work, newest first. */
export async function listKeys(deps: Pick<KeyDeps, 'keys' | 'now'>, { account }: AccountCaller) {
  const now = deps.now();
  const keys = (await deps.keys.list(account.id)).filter((key) => !isExpired(key, now));
  return { keys: keys.toSorted(newestFirst).map((key) => ({ ...key, prefix: key.hint })) };
}

/**
 * Makes a key that never expires, shown once.
 * @throws CodedError KEY_LIMIT_REACHED
 */
export async function createKey(
  deps: KeyDeps,
  { account }: AccountCaller,
  { name }: { name: string },
) {
  const key = newApiKey(deps.keyPrefix);
  const stored = dashboardKey(account.id, key, name, deps.now());
  if (!(await deps.keys.putWithin(maxKeys, hashKey(key), stored))) {
    throw new CodedError('KEY_LIMIT_REACHED', {
      error: `An account has at most ${maxKeys} keys of the dashboard.`,
    });
  }
  return { id: stored.id, name, key, createdAt: stored.createdAt, expiresAt: null };
}

/**
 * Takes a key away; the next request with it is refused, and owner links that it made and the
 * cookies that came of them end. Asked once more, it finishes what was cut off.
 * @throws CodedError NOT_FOUND
 */
export async function deleteKey(
  deps: Pick<KeyDeps, 'keys'> & EndOwnerAccessDeps,
  { account }: AccountCaller,
  input: { keyId: string },
) {
  const { data: keyId } = KeyId.safeParse(input.keyId);
  const isRemoved = keyId !== undefined && (await deps.keys.remove(account.id, keyId));
  if (keyId !== undefined) await endOwnerAccess(deps, account.id, keyId);
  if (!isRemoved) {
    throw new CodedError('NOT_FOUND', { error: 'You have no such key.' });
  }
  return { deleted: true };
}

function newestFirst(a: NamedKey, b: NamedKey): number {
  return a.createdAt < b.createdAt ? 1 : -1;
}

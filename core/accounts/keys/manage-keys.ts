import { KeyId } from '../../../contract/fields.ts';
import type { AccountCaller } from '../../caller.ts';
import { CodedError } from '../../errors.ts';
import { endOwnerAccess, type EndOwnerAccessDeps } from '../../projects/settings/owner-access.ts';
import { type DashboardKey, hashKey, newApiKey, newDashboardKey } from './api-key.ts';
import { chosenEnd } from '../../chosen-end.ts';
import { hasExpired, newestFirst } from '../../instants.ts';
import type { KeyStore } from '../ports.ts';
import type { ProjectStore } from '../../ports.ts';
import { requireOwnedProject } from '../../projects/owned-projects.ts';

/** The most dashboard keys of one account. Sign-in keys are not limited: they expire. */
const maxKeys = 50;

/** The dependencies for managing keys. */
export interface KeyDeps {
  keys: KeyStore;
  projects: Pick<ProjectStore, 'get'>;
  keyPrefix: string;
  now(): Date;
}

/** The account's keys, newest first. A sign-in key leaves the list when it expires, a dashboard key when its owner deletes it. */
export async function listKeys(deps: Pick<KeyDeps, 'keys' | 'now'>, { account }: AccountCaller) {
  const now = deps.now();
  const keys = (await deps.keys.list(account.id)).filter(
    (key) => key.kind === 'dashboard' || !hasExpired(key, now),
  );
  return { keys: keys.toSorted(newestFirst).map((key) => ({ ...key, prefix: key.hint })) };
}

/**
 * Creates a key. The key is returned only here.
 * @throws CodedError KEY_LIMIT_REACHED, INVALID_REQUEST for an expiry in the past or too far away,
 * NOT_FOUND for a project that is not the caller's
 */
export async function createKey(
  deps: KeyDeps,
  caller: AccountCaller,
  described: Omit<DashboardKey, 'expiresAt'> & { expiresAt?: string | null | undefined },
) {
  const key = newApiKey(deps.keyPrefix);
  const now = deps.now();
  const { expiresAt: end = null, ...rest } = described;
  const expiresAt = end === null ? null : chosenEnd(end, now);
  for (const id of rest.projectIds ?? []) await requireOwnedProject(deps.projects, caller, id);
  const stored = newDashboardKey(caller.account.id, key, { ...rest, expiresAt }, now);
  if (!(await deps.keys.putWithin(maxKeys, hashKey(key), stored))) {
    throw new CodedError('KEY_LIMIT_REACHED', {
      error: `An account can have at most ${maxKeys} dashboard keys. Delete one first.`,
    });
  }
  const { id, name, permissions, projectIds, createdAt } = stored;
  return { id, name, permissions, projectIds, key, createdAt, expiresAt };
}

/**
 * Deletes a key. The next request with it is refused; owner links made with it, and the cookies
 * from those links, stop working. Repeating the call finishes an interrupted deletion.
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
    throw new CodedError('NOT_FOUND', { error: 'There is no key with this id in your account.' });
  }
  return { deleted: true };
}

import { CodedError } from '../../errors.ts';
import type { Account } from '../account.ts';
import { hashKey, isExpired, isWellFormed, type StoredKey, usedNow } from './api-key.ts';
import type { AccountStore, KeyStore } from '../ports.ts';
import { requireActive } from '../suspension.ts';

/** What telling who calls needs. */
export interface AuthenticateDeps {
  accounts: Pick<AccountStore, 'get'>;
  keys: Pick<KeyStore, 'find' | 'noteUse'>;
  keyPrefix: string;
  now(): Date;
}

/** Who calls, and the key they came with. */
export interface SignedIn {
  account: Account;
  keyHash: string;
  key: StoredKey;
}

/**
 * Who sent this Authorization header.
 * @throws CodedError API_KEY_MISSING, API_KEY_INVALID, API_KEY_EXPIRED, ACCOUNT_SUSPENDED
 */
export async function authenticate(
  deps: AuthenticateDeps,
  authorization: string | undefined,
): Promise<SignedIn> {
  const [, sent] = /^Bearer +(\S+)\s*$/i.exec(authorization ?? '') ?? [];
  if (sent === undefined) {
    throw new CodedError('API_KEY_MISSING', { error: 'No API key was sent.' });
  }
  if (!isWellFormed(sent, deps.keyPrefix)) throw unknownKey();
  const keyHash = hashKey(sent);
  const key = await deps.keys.find(keyHash);
  if (key === undefined) throw unknownKey();
  if (isExpired(key, deps.now())) {
    throw new CodedError('API_KEY_EXPIRED', { error: 'This API key was not used for too long.' });
  }
  const account = await deps.accounts.get(key.accountId);
  if (account === undefined) throw unknownKey();
  requireActive(account);
  return { account, keyHash, key };
}

/**
 * Notes that a key is used, at most once an hour; that pushes the expiry of a sign-in key back.
 * @throws CodedError API_KEY_INVALID when it was taken away in the meantime
 */
export async function renew(deps: AuthenticateDeps, { keyHash, key }: SignedIn): Promise<void> {
  const used = usedNow(key, deps.now());
  if (used !== undefined && !(await deps.keys.noteUse(keyHash, used))) throw unknownKey();
}

function unknownKey(): CodedError {
  return new CodedError('API_KEY_INVALID', { error: 'This API key is not known.' });
}

import { CodedError } from '../../errors.ts';
import type { Account } from '../account.ts';
import { hashKey, isWellFormed, type StoredKey, withUseNow } from './api-key.ts';
import { hasExpired } from '../../instants.ts';
import type { AccountStore, KeyStore } from '../ports.ts';
import { requireActive } from '../suspension.ts';

/** The dependencies of `authenticateKey` and `noteKeyUse`. */
export interface AuthenticateDeps {
  accounts: Pick<AccountStore, 'get'>;
  keys: Pick<KeyStore, 'find' | 'noteUse'>;
  keyPrefix: string;
  now(): Date;
}

/** A valid key with its account. */
export interface AuthenticatedKey {
  account: Account;
  keyHash: string;
  key: StoredKey;
}

/**
 * Finds the key in an Authorization header, and its account.
 * @throws CodedError API_KEY_MISSING, API_KEY_INVALID, API_KEY_EXPIRED, ACCOUNT_SUSPENDED
 */
export async function authenticateKey(
  deps: AuthenticateDeps,
  authorization: string | undefined,
): Promise<AuthenticatedKey> {
  const [, sent] = /^Bearer +(\S+)\s*$/i.exec(authorization ?? '') ?? [];
  if (sent === undefined) {
    throw new CodedError('API_KEY_MISSING', { error: 'No API key was sent.' });
  }
  if (!isWellFormed(sent, deps.keyPrefix)) throw unknownKey();
  const keyHash = hashKey(sent);
  const key = await deps.keys.find(keyHash);
  if (key === undefined) throw unknownKey();
  if (hasExpired(key, deps.now())) {
    throw expiredKey(key);
  }
  const account = await deps.accounts.get(key.accountId);
  if (account === undefined) throw unknownKey();
  requireActive(account);
  return { account, keyHash, key };
}

/**
 * Records that a key is used, at most once an hour. This extends the expiry of a sign-in key.
 * @throws CodedError API_KEY_INVALID when the key was deleted in the meantime
 */
export async function noteKeyUse(
  deps: AuthenticateDeps,
  { keyHash, key }: AuthenticatedKey,
): Promise<void> {
  const used = withUseNow(key, deps.now());
  if (used !== undefined && !(await deps.keys.noteUse(keyHash, used))) throw unknownKey();
}

function expiredKey({ kind, expiresAt }: StoredKey): CodedError {
  if (kind === 'sign-in') {
    return new CodedError('API_KEY_EXPIRED', {
      error: 'This API key has expired because it was not used for 90 days.',
    });
  }
  if (kind === 'publisher') {
    return new CodedError('API_KEY_EXPIRED', {
      error: `This key of a job worked until ${expiresAt}.`,
      nextStep: 'Exchange a new token of the job at POST /oauth/token.',
    });
  }
  return new CodedError('API_KEY_EXPIRED', {
    error: `This API key was made to work until ${expiresAt}.`,
    nextStep: 'Create a new key on the dashboard, under API keys.',
  });
}

function unknownKey(): CodedError {
  return new CodedError('API_KEY_INVALID', { error: 'This API key does not exist.' });
}

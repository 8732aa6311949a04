import { CodedError } from '../errors.ts';
import { instant, plusSeconds } from '../instants.ts';
import type { Account } from './account.ts';
import { hashKey, idleDays, isWellFormed, renewalSeconds, type StoredKey } from './api-key.ts';
import type { AccountStore } from './ports.ts';

/** What telling who calls needs. */
export interface AuthenticateDeps {
  accounts: Pick<AccountStore, 'get' | 'findKey' | 'renewKey'>;
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
 * @throws CodedError API_KEY_MISSING, API_KEY_INVALID, API_KEY_EXPIRED
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
  const key = await deps.accounts.findKey(keyHash);
  if (key === undefined) throw unknownKey();
  if (Date.parse(key.expiresAt) <= deps.now().getTime()) {
    throw new CodedError('API_KEY_EXPIRED', { error: 'This API key was not used for too long.' });
  }
  const account = await deps.accounts.get(key.accountId);
  if (account === undefined) throw unknownKey();
  return { account, keyHash, key };
}

/** Pushes a key's expiry back, at most once an hour. */
export async function renew(deps: AuthenticateDeps, { keyHash, key }: SignedIn): Promise<void> {
  const expiresAt = plusSeconds(deps.now(), idleDays * 86_400);
  if (expiresAt.getTime() - Date.parse(key.expiresAt) < renewalSeconds * 1000) return;
  await deps.accounts.renewKey(keyHash, { ...key, expiresAt: instant(expiresAt) });
}

function unknownKey(): CodedError {
  return new CodedError('API_KEY_INVALID', { error: 'This API key is not known.' });
}

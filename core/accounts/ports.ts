import type { AccountId, KeyId } from '../../contract/fields.ts';
import type { Account } from './account.ts';
import type { NamedKey, StoredKey } from './api-key.ts';
import type { NamedSession, SessionId, StoredSession } from './session.ts';
import type { OpenCode } from './sign-in-code.ts';

/** Open sign-in codes, one for each address; exact when many ask at once. */
export interface CodeStore {
  get(email: string): Promise<OpenCode | undefined>;
  /** Stores a code unless one is open; false when somebody else was first. */
  open(email: string, code: OpenCode, now: Date): Promise<boolean>;
  /** Notes that the code is sent again, unless it was within `afterSeconds`; false then. */
  noteResend(email: string, code: OpenCode, now: Date): Promise<boolean>;
  /** Counts a try before anything is compared. */
  countTry(email: string, now: Date): Promise<CountedTry>;
  /** Uses the code up; true for exactly one caller. */
  consume(email: string, nonce: string): Promise<boolean>;
}

/** What a try met: an open code and how many tries that makes, a cancelled one, or none. */
export type CountedTry =
  | { kind: 'counted'; nonce: string; tries: number }
  | { kind: 'cancelled' }
  | { kind: 'none' };

/** Accounts. */
export interface AccountStore {
  get(accountId: AccountId): Promise<Account | undefined>;
  findByEmail(email: string): Promise<Account | undefined>;
  /** Creates an account for the address, or gives the one that somebody else just created. */
  create(account: Account): Promise<Account>;
}

/** API keys, by the hash of the key and, for its owner, by its id. */
export interface KeyStore {
  find(keyHash: string): Promise<StoredKey | undefined>;
  /** Stores a key that a sign-in made. */
  put(keyHash: string, key: NamedKey): Promise<void>;
  /** Stores a key of the dashboard unless the account has `limit` of them; false then. */
  putWithin(limit: number, keyHash: string, key: NamedKey): Promise<boolean>;
  /** Stores when the key was last used and until when it lasts; false when it was taken away. */
  noteUse(keyHash: string, key: StoredKey): Promise<boolean>;
  /** Every key of an account, in no order; one that expired may be among them. */
  list(accountId: AccountId): Promise<NamedKey[]>;
  /** Takes a key away; false when the account has none of that id. */
  remove(accountId: AccountId, keyId: KeyId): Promise<boolean>;
}

/** Sessions of browsers, by the hash of their token and, for their owner, by their id. */
export interface SessionStore {
  find(tokenHash: string): Promise<StoredSession | undefined>;
  put(tokenHash: string, session: NamedSession): Promise<void>;
  /** Stores when the session was last used; false when it was ended in the meantime, and it stays ended. */
  noteUse(tokenHash: string, session: NamedSession): Promise<boolean>;
  /** Every session of an account, in no order; one that is over may be among them. */
  list(accountId: AccountId): Promise<NamedSession[]>;
  end(tokenHash: string): Promise<void>;
  /** Ends a session by its id; false when the account has none of that id. */
  remove(accountId: AccountId, id: SessionId): Promise<boolean>;
}

/** Sends what a person has to read. */
export interface CodeMailer {
  sendCode(email: string, digits: string): Promise<void>;
  /** Where strangers may not sign up: says so, in place of a code. */
  sendNoSignUp(email: string): Promise<void>;
}

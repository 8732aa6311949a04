import type { AccountId, KeyId } from '../../contract/fields.ts';
import type { Account } from './account.ts';
import type { NamedKey, StoredKey } from './keys/api-key.ts';
import type { NamedSession, SessionId, StoredSession } from './sessions/stored-session.ts';
import type { SignInRecord } from './sign-in/sign-in-code.ts';

/** What becomes of a record and what to say of it; without `next` it stays as it is. */
export interface RecordChange<T> {
  next?: SignInRecord;
  result: T;
}

/** Sign-in codes, one record for each address; exact when many change it at once. */
export interface CodeStore {
  /** Strongly consistent; empty where nothing is stored. */
  read(email: string): Promise<SignInRecord>;
  /**
   * Stores what `decide` makes of the record as it is, and gives its result once that is stored.
   * When somebody else was faster, `decide` is asked again about what they stored.
   */
  change<T>(email: string, decide: (record: SignInRecord) => RecordChange<T>): Promise<T>;
}

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
  sendCode(email: string, code: { digits: string; longCode: string }): Promise<void>;
  /** Where strangers may not sign up: says so, in place of a code. */
  sendNoSignUp(email: string): Promise<void>;
}

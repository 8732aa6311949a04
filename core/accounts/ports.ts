import type { AccountId, Instant, KeyId, MailKind, Tier } from '../../contract/fields.ts';
import type { Account } from './account.ts';
import type { ListedKey, StoredKey } from './keys/api-key.ts';
import type { SessionId, StoredSession } from './sessions/stored-session.ts';
import type { SignInRecord } from './sign-in/sign-in-code.ts';

/** A decision about a record: its next state and a result. Without `next` the record does not change. */
export interface RecordChange<T> {
  next?: SignInRecord;
  result: T;
}

/** Sign-in codes, one record for each address. Concurrent changes are serialised. */
export interface CodeStore {
  /** Strongly consistent; empty where nothing is stored. */
  read(email: string): Promise<SignInRecord>;
  /**
   * Stores the next state that `decide` chooses and returns its result. After a concurrent change,
   * `decide` runs again on the stored record, so it must be pure.
   */
  change<T>(email: string, decide: (record: SignInRecord) => RecordChange<T>): Promise<T>;
}

/** Accounts. */
export interface AccountStore {
  get(accountId: AccountId): Promise<Account | undefined>;
  findByEmail(email: string): Promise<Account | undefined>;
  /** Creates an account for the address, or returns the one that another request has just created. */
  create(account: Account): Promise<Account>;
  /**
   * Gives an active account another address; from then on lookups by the new address find it, and
   * the former one is free. `taken`: the new address has an account. `conflict`: the account is not
   * active, or has another address than `from`.
   */
  changeEmail(
    accountId: AccountId,
    change: { from: string; to: string },
  ): Promise<'changed' | 'taken' | 'conflict'>;
  /**
   * Switches mails of an account off or on; the others stay, also where they change at the same time. Does nothing if
   * the account is gone.
   */
  switchMails(accountId: AccountId, to: 'off' | 'on', kinds: readonly MailKind[]): Promise<void>;
  /**
   * Closes an account, and makes it due for maintenance at once; false if it is suspended or
   * closed.
   */
  close(accountId: AccountId, closing: { at: Instant; stopToken: string }): Promise<boolean>;
  /**
   * Closes an account again that its owner had deleted before an operator suspended it; false if it is not
   * suspended, or closed.
   */
  closeAgain(accountId: AccountId, closing: { at: Instant; stopToken: string }): Promise<boolean>;
  /** Reopens an account that was closed at `closedAt`; false once its removal has begun. */
  reopen(accountId: AccountId, reopening: { closedAt: Instant; at: Instant }): Promise<boolean>;
}

/** API keys, by the hash of the key and, for its owner, by its id. */
export interface KeyStore {
  /** Undefined also for a key of a publisher that is trusted no more. */
  find(keyHash: string): Promise<StoredKey | undefined>;
  put(keyHash: string, key: StoredKey): Promise<void>;
  /** Stores a dashboard key; false if the account already has `limit` of them. */
  putWithin(limit: number, keyHash: string, key: StoredKey): Promise<boolean>;
  /** Stores the last use and the expiry of the key; false if the key was deleted. */
  noteUse(keyHash: string, key: StoredKey): Promise<boolean>;
  /** Every key that an account lists, unordered; may contain expired keys. */
  list(accountId: AccountId): Promise<ListedKey[]>;
  /** Deletes a key; false if the account has no key with that id. */
  remove(accountId: AccountId, keyId: KeyId): Promise<boolean>;
}

/** Sessions of browsers, by the hash of their token and, for their owner, by their id. */
export interface SessionStore {
  find(tokenHash: string): Promise<StoredSession | undefined>;
  put(tokenHash: string, session: StoredSession): Promise<void>;
  /** Stores the last use of the session; false if it was ended in the meantime. */
  noteUse(tokenHash: string, session: StoredSession): Promise<boolean>;
  /** Every session of an account, unordered; may contain ended sessions. */
  list(accountId: AccountId): Promise<StoredSession[]>;
  end(tokenHash: string): Promise<void>;
  /** Ends a session by its id; false if the account has no session with that id. */
  remove(accountId: AccountId, id: SessionId): Promise<boolean>;
}

/** Sends sign-in mails. */
export interface CodeMailer {
  sendCode(email: string, code: { digits: string; longCode: string }): Promise<void>;
  /** For a stranger where sign-up is closed: says so, instead of sending a code. */
  sendNoSignUp(email: string): Promise<void>;
}

/** What only an operator may read and change of accounts. */
export interface AccountAdmin {
  /** The ids of a page of all accounts, newest first; `next` continues after it. */
  list(page: { limit: number; after: string | undefined }): Promise<{
    accountIds: AccountId[];
    next: string | undefined;
  }>;
  /**
   * Sets the plan, and ends a trial if `endsTrial`.
   * @throws Error when there is no such account
   */
  setTier(accountId: AccountId, tier: Tier, endsTrial: boolean): Promise<void>;
  /** Suspends an account from `at` on. Does nothing if it is suspended; cancels a lifting in progress. */
  beginSuspension(accountId: AccountId, at: Instant, reason?: string): Promise<void>;
  /** Starts lifting a suspension; false if the account is not suspended. */
  beginLifting(accountId: AccountId, at: Instant): Promise<boolean>;
  /**
   * Ends a suspension whose lifting started at `liftingAt`, and changes the end of the trial; false
   * if the account was suspended or lifted again since then.
   */
  endSuspension(
    accountId: AccountId,
    liftingAt: Instant,
    trialEndsAt: Instant | null,
  ): Promise<boolean>;
}

/** The writes of maintenance about closed accounts. */
export interface AccountRemoval {
  /** All projects of a reopened account are back. */
  endReopening(accountId: AccountId, reopenedAt: Instant): Promise<void>;
  /** Begins the removal of an account that was closed at `closedAt`; false if it was reopened. */
  begin(accountId: AccountId, closedAt: Instant, at: Instant): Promise<boolean>;
  /** Removes every row of an account, its own row last. */
  removeRows(account: Account): Promise<void>;
}

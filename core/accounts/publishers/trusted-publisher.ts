import type * as z from 'zod';
import { AccountId, type Instant, type KeyId } from '../../../contract/fields.ts';
import { TrustedPublisher as Published } from '../../../contract/operations/trusted-publishers.ts';
import { instant, plusSeconds } from '../../instants.ts';
import { keyIdentity, type StoredKey } from '../keys/api-key.ts';

/** Longer than most publications, and too short to be worth stealing from a log. */
const keySeconds = 600;

/** A trusted publisher and its account. Its id is also that of the keys that its jobs get. */
export const TrustedPublisher = Published.extend({ accountId: AccountId });
export type TrustedPublisher = z.infer<typeof TrustedPublisher>;

/** What a job used: when, and the number of its repository. */
export interface PublisherUse {
  at: Instant;
  repositoryId: string;
}

/** Trusted publishers, by their id and for their owner. */
export interface PublisherStore {
  find(id: KeyId): Promise<TrustedPublisher | undefined>;
  list(accountId: AccountId): Promise<TrustedPublisher[]>;
  /** False if the account already has `limit` of them. */
  putWithin(limit: number, publisher: TrustedPublisher): Promise<boolean>;
  /**
   * Notes a use and stores the key of that job, in one transaction. The first use binds the publisher to
   * the number of its repository. False if it was removed, or is bound to another number.
   */
  issueKey(id: KeyId, use: PublisherUse, keyHash: string, key: StoredKey): Promise<boolean>;
  /** False if the account has no trusted publisher with that id. */
  remove(accountId: AccountId, id: KeyId): Promise<boolean>;
}

/** The row of a key that a job gets now. It is in no list, and counts towards no limit of keys. */
export function newPublisherKey(
  publisher: TrustedPublisher,
  apiKey: string,
  now: Date,
): StoredKey & { expiresAt: Instant } {
  const { id, accountId, permissions, projectIds } = publisher;
  return {
    ...keyIdentity(accountId, apiKey, now),
    id,
    name: publisher.repository,
    kind: 'publisher',
    permissions,
    projectIds,
    lastUsedAt: instant(now),
    expiresAt: instant(plusSeconds(now, keySeconds)),
  };
}

import * as z from 'zod';
import { AccountId, Instant, KeyId, ProjectId } from '../../../contract/fields.ts';
import { OAuthScope } from '../../../contract/oauth/oauth.ts';
import { CiProvider } from '../../../contract/operations/trusted-publishers.ts';
import { instant, plusSeconds } from '../../instants.ts';
import { keyIdentity, type StoredKey } from '../keys/api-key.ts';

/** Longer than most publications, and too short to be worth stealing from a log. */
const keySeconds = 600;

/**
 * The jobs of a repository that an account trusts: those of one branch, of one environment or of pull
 * requests. Its id is also that of the keys that they get.
 */
export const TrustedPublisher = z.object({
  id: KeyId,
  accountId: AccountId,
  provider: CiProvider,
  repository: z.string(),
  branch: z.nullable(z.string()),
  environment: z.nullable(z.string()),
  pullRequests: z.boolean(),
  permissions: z.array(OAuthScope),
  /** Null for all projects of the account. */
  projectIds: z.nullable(z.array(ProjectId)),
  /** The provider's number of the repository, from its first job on. */
  repositoryId: z.nullable(z.string()),
  createdAt: Instant,
  lastUsedAt: z.nullable(Instant),
});
export type TrustedPublisher = z.infer<typeof TrustedPublisher>;

/** What a job used: when, and the number of its repository. */
export interface PublisherUse {
  at: Instant;
  repositoryId: string;
}

/** Trusted publishers, by their id and for their owner. */
export interface PublisherStore {
  find(id: KeyId): Promise<TrustedPublisher | undefined>;
  /** Every trusted publisher of an account, unordered. */
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

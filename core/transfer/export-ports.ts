import type { AccountId, ProjectId } from '../../contract/fields.ts';

/** What an account owns, in an order that no change of a project changes. */
export interface OwnedListing {
  /** The oldest first, from this place on; archived ones are among them. */
  oldestFirst(
    accountId: AccountId,
    from?: string,
  ): AsyncIterable<{ projectId: ProjectId; listedAt: string }>;
}

/** Signs links by which an owner fetches stored objects. */
export interface ContentLinks {
  /** An absolute URL that gives the object to whoever has it, for `seconds` at most. */
  sign(key: string, seconds: number): Promise<string>;
}

import type { JWTVerifyGetKey } from 'jose';
import type { Instant } from '../../../contract/fields.ts';

/** The keys with which CI services sign. */
export interface KeySets {
  /**
   * Finds a key of the set at an address. The set is kept for some minutes; a key that is not in it
   * makes it be read again, at most once a minute.
   * @throws CodedError UNAVAILABLE from the returned function, when the set cannot be read
   */
  of(url: URL): JWTVerifyGetKey;
}

/** Tokens that gave a key. */
export interface UsedTokens {
  /** False if the token was added before. It is forgotten some time after `refusedFrom`. */
  add(tokenHash: string, refusedFrom: Instant): Promise<boolean>;
}

import * as z from 'zod';
import { AccountId, Instant } from '../../contract/fields.ts';
import { OAuthScope } from '../../contract/oauth/oauth.ts';

/** A grant's id. */
export const GrantId = z.uuid().brand<'GrantId'>();
export type GrantId = z.infer<typeof GrantId>;

/** The access that a person granted to one app. Every token refers to its grant and is invalid without it. */
export const Grant = z.object({
  id: GrantId,
  accountId: AccountId,
  clientId: z.string(),
  /** The name that the app gave itself when it was allowed. */
  clientName: z.string(),
  /** Host to which its authorization code was sent. */
  redirectHost: z.string(),
  scopes: z.array(OAuthScope),
  createdAt: Instant,
  lastUsedAt: z.nullable(Instant).default(null),
  /** Expiry of its newest refresh token. */
  expiresAt: Instant,
});
export type Grant = z.infer<typeof Grant>;

/** A new grant, not used yet. */
export type NewGrant = Omit<Grant, 'lastUsedAt'>;

/** The key under which a grant is stored. */
export type GrantKey = Pick<Grant, 'accountId' | 'id'>;

import * as z from 'zod';
import { AccountId, Instant } from '../../contract/fields.ts';
import { OAuthScope } from '../../contract/oauth/oauth.ts';

/** A grant's id. */
export const GrantId = z.uuid().brand<'GrantId'>();
export type GrantId = z.infer<typeof GrantId>;

/** What a person allowed one app. Every token names its grant, and is worth nothing without it. */
export const Grant = z.object({
  id: GrantId,
  accountId: AccountId,
  clientId: z.string(),
  /** As the app called itself when it was allowed. */
  clientName: z.string(),
  /** Where its codes were sent. */
  redirectHost: z.string(),
  scopes: z.array(OAuthScope),
  createdAt: Instant,
  lastUsedAt: Instant.nullable().default(null),
  /** When its last refresh token ends. */
  expiresAt: Instant,
});
export type Grant = z.infer<typeof Grant>;

/** A grant that was not used yet. */
export type NewGrant = Omit<Grant, 'lastUsedAt'>;

/** Where a grant is found. */
export type GrantKey = Pick<Grant, 'accountId' | 'id'>;

/** Whether a grant is over, whatever the table still holds. */
export function isOver({ expiresAt }: { expiresAt: Instant }, now: Date): boolean {
  return Date.parse(expiresAt) <= now.getTime();
}

import * as z from 'zod';
import { AccountId, Instant } from '../../../contract/fields.ts';
import { OAuthScope } from '../../../contract/oauth/oauth.ts';

/** A program that waits for a person to allow it (RFC 8628); its device code is stored as a hash only. */
export const DeviceAuthorization = z.object({
  /** Eight letters. */
  userCode: z.string(),
  deviceHash: z.string(),
  scopes: z.array(OAuthScope),
  /** The IP address of the program, and its country; `''` where the edge names none. */
  address: z.string(),
  country: z.string(),
  createdAt: Instant,
  expiresAt: Instant,
  intervalSeconds: z.int(),
  polledAt: z.optional(Instant),
  decision: z.optional(z.enum(['allowed', 'denied'])),
  /** Who decided, and in which browser's session. */
  accountId: z.optional(AccountId),
  sessionHash: z.optional(z.string()),
  /** Set when the key was handed out. */
  usedAt: z.optional(Instant),
});
export type DeviceAuthorization = z.infer<typeof DeviceAuthorization>;

/** What a person decided about a program. */
export type DeviceDecision = Required<
  Pick<DeviceAuthorization, 'decision' | 'accountId' | 'sessionHash'>
>;

import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { AccountId, Instant, ProjectId } from '../../contract/fields.ts';
import { GrantId } from '../oauth/grant.ts';
import { UploadId } from '../uploads/upload.ts';

/** For so long a link may be used. */
export const linkSeconds = 24 * 3600;

/** A link by which somebody without a key may publish once, in an account's name. */
export const UploadLink = z.object({
  accountId: AccountId,
  /** Of the connected app that made it, whose links end with it; null for one made with a key. */
  grantId: GrantId.nullable(),
  /** Of the project that it makes, and what its page is headed by. */
  title: z.string().nullable(),
  /** The project that gets a new version; null where a new one is made. */
  projectId: ProjectId.nullable(),
  createdAt: Instant,
  expiresAt: Instant,
  /**
   * `taken` while an upload is published by it. After a crash it stays so: nobody knows then
   * whether something was published, and a link publishes once.
   */
  state: z.enum(['waiting', 'taken', 'used']),
  /** The large upload by which it was used. */
  uploadId: UploadId.nullable(),
});
export type UploadLink = z.infer<typeof UploadLink>;

/** A new token: 256 random bits as base64url. Only its hash is ever stored. */
export function newLinkToken(): string {
  return randomBytes(32).toString('base64url');
}

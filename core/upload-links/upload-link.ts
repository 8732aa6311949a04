import { randomBytes, randomUUID } from 'node:crypto';
import * as z from 'zod';
import { AccountId, Instant, ProjectId } from '../../contract/fields.ts';
import { Credential } from '../accounts/keys/credential.ts';
import { UploadId } from '../uploads/upload.ts';

/** For so long a link may be used. */
export const linkSeconds = 24 * 3600;

/** An upload link's id, by which its owner names it; its token opens it. */
export const UploadLinkId = z.uuid().brand<'UploadLinkId'>();
export type UploadLinkId = z.infer<typeof UploadLinkId>;

/** A link by which somebody without a key may publish once, in an account's name. */
export const UploadLink = z.object({
  /** Null where the row is older than ids; such a link is in no list. */
  id: UploadLinkId.nullable(),
  accountId: AccountId,
  /** With what it was made, and ends. Null where the row is older than this. */
  madeWith: Credential.nullable(),
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

/** A link that its owner can name. */
export type NamedUploadLink = UploadLink & { id: UploadLinkId };

/**
 * A new id: a UUID that begins with the time (version 7, RFC 9562 §5.7), so that links sorted by
 * their ids are sorted by age.
 */
export function newUploadLinkId(now: Date): UploadLinkId {
  const time = now.getTime().toString(16).padStart(12, '0');
  const random = randomUUID().slice(15);
  return UploadLinkId.parse(`${time.slice(0, 8)}-${time.slice(8)}-7${random}`);
}

/** Whether a link can still be used, or is being used. */
export function isOpen({ state, expiresAt }: UploadLink, now: Date): boolean {
  return state !== 'used' && Date.parse(expiresAt) > now.getTime();
}

/** A new token: 256 random bits as base64url. Only its hash is ever stored. */
export function newLinkToken(): string {
  return randomBytes(32).toString('base64url');
}

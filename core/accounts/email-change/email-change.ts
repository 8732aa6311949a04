import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { Instant } from '../../../contract/fields.ts';
import { instant, plusSeconds } from '../../instants.ts';
import { type RotatingSecret, secretTag } from '../../secrets/rotating-secret.ts';
import type { StoredSession } from '../sessions/stored-session.ts';
import { makeDigits } from '../sign-in/code-secrets.ts';

/** How long the codes of a change work. Longer than those of a sign-in: there are two mailboxes to open. */
export const emailChangeSeconds = 1800;

/**
 * A change of an account's address that waits for its codes. The codes are computed and never
 * stored.
 */
export const EmailChange = z.object({
  from: z.string(),
  to: z.string(),
  nonce: z.string(),
  expiresAt: Instant,
});
export type EmailChange = z.infer<typeof EmailChange>;

/** The owner of a change is the session that requested it. */
export type ChangeOwner = Pick<StoredSession, 'id' | 'accountId'>;

/** Pending changes, at most one for each session, so that a stolen session has no effect on that of another. */
export interface EmailChangeStore {
  /** Strongly consistent. */
  read(owner: ChangeOwner): Promise<EmailChange | undefined>;
  put(owner: ChangeOwner, change: EmailChange): Promise<void>;
  /** Removes the change with this nonce; false if another request did so first, or another change is stored. */
  remove(owner: ChangeOwner, nonce: string): Promise<boolean>;
}

/** A new change; its nonce lets it happen only once. */
export function newEmailChange(
  { current }: Pick<RotatingSecret, 'current'>,
  addresses: Pick<EmailChange, 'from' | 'to'>,
  now: Date,
): EmailChange {
  return {
    ...addresses,
    nonce: `${secretTag(current)}.${randomBytes(16).toString('base64url')}`,
    expiresAt: instant(plusSeconds(now, emailChangeSeconds)),
  };
}

/**
 * The code for each of the two mailboxes. Neither works for a sign-in or for another change,
 * because its purpose is part of the computation.
 */
export function emailChangeCodes(secret: RotatingSecret, { from, to, nonce }: EmailChange) {
  const codeFor = (mailbox: 'from' | 'to') =>
    makeDigits(secret, { email: `change\n${mailbox}\n${from}\n${to}`, nonce });
  return { current: codeFor('from'), new: codeFor('to') };
}

import * as z from 'zod';
import { Instant, type SignUpPolicy, Tier } from '../../../contract/fields.ts';
import { instant } from '../../instants.ts';

/** An invitation to have an account. Its mail only opens a page: the code that is mailed later proves the address. */
export const Invitation = z.object({
  /** Normalised. */
  email: z.string(),
  /** The plan of the new account; null for the plan of every new account. */
  plan: z.nullable(Tier),
  invitedAt: Instant,
  /** From then on it is as if there were none. */
  expiresAt: Instant,
  /** When its account was created. */
  joinedAt: z.optional(Instant),
});
export type Invitation = z.infer<typeof Invitation>;

/** Invitations, one for an address. */
export interface Invitations {
  find(email: string): Promise<Invitation | undefined>;
  /** Stores an invitation in place of an earlier one. */
  put(invitation: Invitation): Promise<void>;
  remove(email: string): Promise<void>;
  /** All of them by their address, those that have expired too. */
  list(): Promise<Invitation[]>;
}

/** What decides who may have a new account. */
export interface SignUpDeps {
  signUpPolicy: SignUpPolicy;
  /** Domains whose addresses need no invitation where sign-up is open; empty for all. */
  allowedEmailDomains: readonly string[];
  invitations: Pick<Invitations, 'find' | 'put'>;
}

/**
 * The invitation of an address while it can be used; undefined also where invitations mean nothing. An
 * account that was deleted for good may be created again with the same one.
 */
export async function findInvitation(
  { signUpPolicy, invitations }: SignUpDeps,
  email: string,
  now: Date,
): Promise<Invitation | undefined> {
  if (signUpPolicy === 'closed') return undefined;
  const found = await invitations.find(email);
  return found !== undefined && found.expiresAt > instant(now) ? found : undefined;
}

/** Whether a normalised address may have a new account without an invitation. */
export function isOpenTo(
  { signUpPolicy, allowedEmailDomains }: Omit<SignUpDeps, 'invitations'>,
  email: string,
): boolean {
  if (signUpPolicy !== 'open') return false;
  const domain = email.slice(email.lastIndexOf('@') + 1);
  return allowedEmailDomains.length === 0 || allowedEmailDomains.includes(domain);
}

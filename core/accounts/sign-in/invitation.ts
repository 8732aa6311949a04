import * as z from 'zod';
import { AccountId, Instant, type SignUpPolicy, Tier } from '../../../contract/fields.ts';
import { instant } from '../../instants.ts';
import type { AccountStore } from '../ports.ts';

/** An invitation to have an account. Its mail only opens a page: the code that is mailed later proves the address. */
export const Invitation = z.object({
  /** Normalised. */
  email: z.string(),
  /** The plan of the new account; null for the plan of every new account. */
  plan: z.nullable(Tier),
  invitedAt: Instant,
  /** From then on it is as if there were none. */
  expiresAt: Instant,
  /** When its account was created, and which it is. */
  joinedAt: z.optional(Instant),
  accountId: z.optional(AccountId),
});
export type Invitation = z.infer<typeof Invitation>;

/** Invitations, one for an address. */
export interface Invitations {
  find(email: string): Promise<Invitation | undefined>;
  /** Stores an invitation in place of an earlier one, which it returns. */
  put(invitation: Invitation): Promise<Invitation | undefined>;
  remove(email: string): Promise<void>;
  /** All of them by their address, those that have expired too. */
  list(): Promise<Invitation[]>;
}

/** What decides who may have a new account. */
export interface SignUpDeps {
  signUpPolicy: SignUpPolicy;
  /** Domains whose addresses need no invitation where sign-up is open; empty for all. */
  allowedEmailDomains: readonly string[];
  invitations: Pick<Invitations, 'find'> & { put(invitation: Invitation): Promise<unknown> };
  accounts: Pick<AccountStore, 'get'>;
}

/**
 * The invitation of an address while it can be used; undefined also where invitations mean nothing. It lets one
 * account in at a time: one that moved to another address still holds it, one that was deleted for good does not.
 */
export async function findInvitation(
  { signUpPolicy, invitations, accounts }: SignUpDeps,
  email: string,
  now: Date,
): Promise<Invitation | undefined> {
  if (signUpPolicy === 'closed') return undefined;
  const found = await invitations.find(email);
  if (found === undefined || found.expiresAt <= instant(now)) return undefined;
  const holder = found.accountId && (await accounts.get(found.accountId));
  return holder === undefined ? found : undefined;
}

/** Whether a normalised address may have a new account without an invitation. */
export function isOpenTo(
  { signUpPolicy, allowedEmailDomains }: Pick<SignUpDeps, 'signUpPolicy' | 'allowedEmailDomains'>,
  email: string,
): boolean {
  if (signUpPolicy !== 'open') return false;
  const domain = email.slice(email.lastIndexOf('@') + 1);
  return allowedEmailDomains.length === 0 || allowedEmailDomains.includes(domain);
}

/**
 * Whether an account may move to a normalised address: where sign-up is open to some domains, to those and to whom an
 * operator invited, so that nobody opens the service to others by moving accounts.
 */
export async function mayMoveTo(deps: SignUpDeps, email: string, now: Date): Promise<boolean> {
  if (deps.signUpPolicy !== 'open' || isOpenTo(deps, email)) return true;
  return (await findInvitation(deps, email, now)) !== undefined;
}

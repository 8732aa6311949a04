import type { SignUpPolicy, Tier } from '../../contract/fields.ts';
import { daySeconds } from '../../contract/limits.ts';
import { normaliseEmail } from '../accounts/account.ts';
import type { AccountStore } from '../accounts/ports.ts';
import type { Invitation, Invitations } from '../accounts/sign-in/invitation.ts';
import type { SessionCaller } from '../caller.ts';
import { CodedError, invalidField } from '../errors.ts';
import { instant, plusSeconds } from '../instants.ts';
import { act, type OperateDeps } from './operate.ts';
import { requireOperator } from './operator.ts';

/** The dependencies for inviting somebody. */
export interface InviteDeps {
  accounts: Pick<AccountStore, 'findByEmail'>;
  invitations: Pick<Invitations, 'put'>;
  signUpPolicy: SignUpPolicy;
  baseUrl: string;
  now(): Date;
}

/** The dependencies of operators who invite in a browser. */
export interface OperatorInviteDeps extends Omit<InviteDeps, 'invitations'> {
  operators: OperateDeps['operators'];
  onAction: OperateDeps['onAction'];
  invitations: Invitations;
  allowedEmailDomains: readonly string[];
  /** Mails the link of the page; false where nothing can be mailed. */
  mailInvitation(email: string, url: string): Promise<boolean>;
}

const lifeSeconds = 30 * daySeconds;

/**
 * Lets an address have an account for 30 days, in place of an earlier invitation.
 * @returns the invitation, the page on which its address signs in (a secret is in neither), and whether it was
 * invited within the last day as well
 * @throws CodedError EMAIL_TAKEN, INVALID_REQUEST where sign-up is closed
 */
export async function invite(
  deps: InviteDeps,
  input: { email: string; plan?: Tier | undefined },
): Promise<{ invitation: Invitation; url: string; isRepeated: boolean }> {
  const email = normaliseEmail(input.email);
  if (deps.signUpPolicy === 'closed') throw signUpClosed();
  const existing = await deps.accounts.findByEmail(email);
  if (existing !== undefined) {
    throw new CodedError('EMAIL_TAKEN', { error: `${email} has an account already.` });
  }
  const now = deps.now();
  const invitation = {
    email,
    plan: input.plan ?? null,
    invitedAt: instant(now),
    expiresAt: instant(plusSeconds(now, lifeSeconds)),
  };
  const earlier = await deps.invitations.put(invitation);
  const aDayAgo = instant(plusSeconds(now, -daySeconds));
  const isRepeated = earlier !== undefined && earlier.invitedAt > aDayAgo;
  const url = `${deps.baseUrl}/dashboard/sign-in?email=${encodeURIComponent(email)}`;
  return { invitation, url, isRepeated };
}

/**
 * Invites an address, and mails it unless it was invited within the last day: nobody gets many mails by repetition.
 * @throws CodedError NOT_FOUND, EMAIL_TAKEN, INVALID_REQUEST
 */
export async function createInvitation(
  deps: OperatorInviteDeps,
  caller: SessionCaller,
  input: { email: string; plan?: Tier | undefined },
) {
  return act(deps, caller, { action: 'invite', target: input.email }, async () => {
    const { invitation, url, isRepeated } = await invite(deps, input);
    const mailed = !isRepeated && (await deps.mailInvitation(invitation.email, url));
    return { ...describe(invitation), url, mailed };
  });
}

/** @throws CodedError NOT_FOUND */
export async function listInvitations(deps: OperatorInviteDeps, caller: SessionCaller) {
  requireOperator(deps.operators, caller);
  const { signUpPolicy, allowedEmailDomains } = deps;
  const now = instant(deps.now());
  const found = (await deps.invitations.list()).filter(({ expiresAt }) => expiresAt > now);
  const newest = found.toSorted((a, b) => b.invitedAt.localeCompare(a.invitedAt));
  return {
    signUpPolicy,
    allowedEmailDomains: [...allowedEmailDomains],
    invitations: newest.map(describe),
  };
}

/** @throws CodedError NOT_FOUND */
export async function deleteInvitation(
  deps: OperatorInviteDeps,
  caller: SessionCaller,
  { email }: { email: string },
) {
  return act(deps, caller, { action: 'uninvite', target: email }, async () => {
    await deps.invitations.remove(normaliseEmail(email));
    return { deleted: true };
  });
}

function describe({ email, plan, invitedAt, expiresAt, joinedAt }: Invitation) {
  return { email, plan, invitedAt, expiresAt, joinedAt: joinedAt ?? null };
}

function signUpClosed(): CodedError {
  return invalidField('email', 'cannot be invited while sign-up is closed', {
    nextStep: 'Set `signUpPolicy` to `invite` and deploy.',
  });
}

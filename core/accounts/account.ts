import { domainToASCII } from 'node:url';
import * as z from 'zod';
import { AccountId, Instant, MailKind, Tier } from '../../contract/fields.ts';
import type { PlanLimits } from '../../contract/plans.ts';
import { CodedError } from '../errors.ts';

/** One account: its address, its plan, and the exact totals of its active projects. */
export const Account = z.object({
  id: AccountId,
  email: z.string(),
  /** The plan that is paid for; during the trial it counts as `pro`. */
  tier: Tier,
  trialEndsAt: z.nullable(Instant),
  /** Active projects and their bytes, changed in one transaction with each project. */
  projectCount: z.number().int(),
  storageBytes: z.number().int(),
  createdAt: Instant,
  /** Whether it has a webhook, or had one: only then opens of its projects are looked up for webhooks. */
  hasWebhooks: z.optional(z.literal(true)),
  /** The mails that its owner switched off; absent for none. */
  mailsOff: z.optional(z.set(MailKind)),
  /** When an operator suspended it; absent after the suspension is lifted. */
  suspendedAt: z.optional(Instant),
  /** Why it is suspended, for its owner; absent if the operator gave no reason. */
  suspensionReason: z.optional(z.string()),
  /** Set while the suspension is being lifted; the account counts as suspended until that is done. */
  liftingAt: z.optional(Instant),
  /** When its owner deleted it; it counts as suspended until its owner signs in again. */
  closedAt: z.optional(Instant),
  /** Set with `closedAt`, and kept while an operator suspends it, which ends `closedAt`. */
  deletedAt: z.optional(Instant),
  /** Set with `closedAt`: the token of the link in mails that stops this deletion. */
  stopToken: z.optional(z.string()),
  /** Set when it was reopened, until its projects are back too. */
  reopenedAt: z.optional(Instant),
  /** Since when it is removed for good. */
  removingAt: z.optional(Instant),
});
export type Account = z.infer<typeof Account>;

/** The limits of every plan. */
export type Plans = Readonly<Record<Tier, PlanLimits>>;

/** The plan that applies now: during its trial, a free account counts as `pro`. */
export function effectiveTier(account: Pick<Account, 'tier' | 'trialEndsAt'>, now: Date): Tier {
  const inTrial = account.trialEndsAt !== null && Date.parse(account.trialEndsAt) > now.getTime();
  return account.tier === 'free' && inTrial ? 'pro' : account.tier;
}

/** The usage and the limits; -1 means unlimited. */
export function describeQuota(
  account: Pick<Account, 'projectCount' | 'storageBytes'>,
  limits: PlanLimits,
) {
  return {
    projects: {
      used: account.projectCount,
      limit: limits.maxProjects,
      unlimited: limits.maxProjects === -1,
    },
    storage: {
      usedBytes: account.storageBytes,
      limitBytes: limits.maxStorageBytes,
      unlimited: limits.maxStorageBytes === -1,
    },
  };
}

/**
 * Refuses an account on the free plan. During a trial the plan is `pro`.
 * @throws FreePlanRefusal FREE_TIER_RESTRICTED
 */
export function requirePaid(account: Account, now: Date): void {
  if (effectiveTier(account, now) === 'free') throw new FreePlanRefusal(account);
}

/**
 * The free plan does not include the requested feature. A response to the account itself also
 * describes its plan (`describePlan`); a response to anybody else must not use this error.
 */
export class FreePlanRefusal extends CodedError<'FREE_TIER_RESTRICTED'> {
  readonly account: Account;

  constructor(account: Account) {
    super('FREE_TIER_RESTRICTED', {
      error: 'The free plan does not include this.',
      requiredTier: 'starter',
    });
    this.account = account;
  }
}

/**
 * The single form of a mailbox: NFC, lowercase, with its domain in ASCII.
 *
 * Local parts are case-sensitive by RFC 5321 §2.4, but not in practice. If `A@x` and `a@x` were
 * different, one person would have two accounts.
 */
export function normaliseEmail(email: string): string {
  // A longer text is no address (RFC 5321 §4.5.3.1), and could take seconds.
  const text = email.trim().slice(0, 254).normalize('NFKC').toLowerCase();
  const at = text.lastIndexOf('@');
  const domain = text.slice(at + 1);
  return `${text.slice(0, at)}@${domainToASCII(domain) || domain}`;
}

import { CodedError } from '../errors.ts';
import { type Account, effectiveTier } from './account.ts';

/**
 * Refuses an account that is on the free plan now; a trial is no free plan.
 * @throws CodedError FREE_TIER_RESTRICTED
 */
export function requirePaid(account: Pick<Account, 'tier' | 'trialEndsAt'>, now: Date): void {
  if (effectiveTier(account, now) !== 'free') return;
  throw new CodedError('FREE_TIER_RESTRICTED', {
    error: 'The free plan does not include this.',
    requiredTier: 'starter',
  });
}

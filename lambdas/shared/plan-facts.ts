import type { PlanFacts } from '../../contract/plans.ts';
import { FreePlanRefusal } from '../../core/accounts/account.ts';
import { describePlan } from '../../core/accounts/describe-account.ts';
import type { CodedError } from '../../core/errors.ts';
import { documentClient } from '../../adapters/dynamodb/document-client.ts';
import { visitMonthReader } from '../../adapters/dynamodb/hits/visit-months.ts';
import { setting } from './settings.ts';
import { deployedPlans } from './deployed-limits.ts';
import { lazy } from './lazy.ts';
import { upgradeAddress } from './upgrade-address.ts';

/** The dependencies for describing an account's plan. */
const planServices = lazy(() => ({
  plans: deployedPlans(),
  upgradeUrl: upgradeUrl(),
  now: () => new Date(),
}));

/** The setting is the address of a page or an e-mail address. */
function upgradeUrl(): string | null {
  const address = upgradeAddress();
  if (address === '') return null;
  return address.includes('://') ? address : `mailto:${address}`;
}

/** The dependencies for describing an account's plan and its month. */
export const userServices = lazy(() => ({
  ...planServices(),
  months: visitMonthReader(documentClient(), setting('ANALYTICS_TABLE')),
}));

/**
 * The fields that a refusal by the plan has besides its code: the caller's plan, its usage and
 * where to change it.
 */
export function planFactsOf(error: CodedError): Partial<PlanFacts> {
  return error instanceof FreePlanRefusal ? describePlan(planServices(), error.account) : {};
}

import type { GuideOptions } from '../../contract/llms/documentation-text.ts';
import { deployedPlans, deployedTempLimits } from '../shared/deployed-limits.ts';
import { installation } from '../shared/installation.ts';

/** Everything of this installation that the documentation contains. */
export function documentationOptions(): GuideOptions {
  return { ...installation(), plans: deployedPlans(), temporary: deployedTempLimits() };
}

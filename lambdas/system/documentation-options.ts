import type { GuideOptions } from '../../contract/llms/documentation-text.ts';
import { deployedPlans, deployedTempLimits } from '../shared/deployed-limits.ts';
import { setting } from '../shared/settings.ts';

/** Name and address of this installation. */
export function deployment() {
  return { brand: setting('BRAND'), baseUrl: setting('BASE_URL') };
}

/** Everything of this installation that the documentation contains. */
export function documentationOptions(): GuideOptions {
  return { ...deployment(), plans: deployedPlans(), temporary: deployedTempLimits() };
}

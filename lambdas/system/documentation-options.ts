import type { GuideOptions } from '../../contract/llms/documentation-text.ts';
import { deployedPlans, deployedTempLimits } from '../shared/deployed-limits.ts';
import { setting } from '../shared/settings.ts';
import analytics from '../../docs/analytics.md';
import connect from '../../docs/connect.md';
import gettingStarted from '../../docs/getting-started.md';
import staticHosting from '../../docs/static-hosting.md';
import type { writtenGuides } from '../../contract/llms/guides.ts';

/** Name and address of this installation. */
export function deployment() {
  return { brand: setting('BRAND'), baseUrl: setting('BASE_URL') };
}

/** Everything of this installation that the documentation contains. */
export function documentationOptions(): GuideOptions {
  return { ...deployment(), plans: deployedPlans(), temporary: deployedTempLimits() };
}

/** The Markdown of every guide that is written by hand. */
export const guideTexts: Record<(typeof writtenGuides)[number]['slug'], string> = {
  'getting-started': gettingStarted,
  connect,
  'static-hosting': staticHosting,
  analytics,
};

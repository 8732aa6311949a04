import { describe, expect, test } from '@jest/globals';
import { errorCatalogue } from '../../../../contract/errors.ts';
import { toolNextSteps } from '../../../../contract/tool-errors.ts';
import { defaultPlans } from '../../../../contract/plans.ts';
import { uploadLimits } from '../../../../core/projects/publishing/upload-limits.ts';
import { withUpgradeAddress } from '../../../../lambdas/shared/upgrade-address.ts';

const page = 'https://example.org/upgrade';

describe('an error about a plan says where to upgrade', () => {
  const codes = ['FREE_TIER_RESTRICTED', 'PROJECT_LIMIT_REACHED', 'STORAGE_LIMIT_REACHED'] as const;
  const ofUploads = uploadLimits(defaultPlans.free).nextStep ?? '';
  test.each([
    ...codes.map((code) => [code, errorCatalogue[code].nextStep]),
    ...codes.map((code) => [`the tool error ${code}`, toolNextSteps[code] ?? '']),
    ['an upload over the plan', ofUploads],
  ])('%s', (_, nextStep) => {
    expect(withUpgradeAddress(nextStep, page)).toContain(` at ${page}`);
    expect(withUpgradeAddress(nextStep, 'sales@example.org')).toContain(
      ' (write to sales@example.org)',
    );
    expect(withUpgradeAddress(nextStep, '')).toBe(nextStep);
  });

  test('as a sentence', () => {
    expect(withUpgradeAddress(errorCatalogue.FREE_TIER_RESTRICTED.nextStep, page)).toBe(
      `Upgrade to a paid plan (starter or higher) at ${page}. Do not sign in again.`,
    );
  });

  test('a dollar sign of an address is kept', () => {
    expect(withUpgradeAddress('Upgrade to a larger plan.', `${page}?a=$&`)).toBe(
      `Upgrade to a larger plan at ${page}?a=$&.`,
    );
  });
});

test('other errors stay as they are', () => {
  for (const nextStep of [
    errorCatalogue.NOT_FOUND.nextStep,
    'Tell the person who gave you this link. It works again when they have a paid plan.',
  ]) {
    expect(withUpgradeAddress(nextStep, page)).toBe(nextStep);
  }
});

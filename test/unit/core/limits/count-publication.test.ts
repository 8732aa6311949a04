import { expect, test } from '@jest/globals';
import { defaultPlans } from '../../../../contract/plans.ts';
import { CodedError } from '../../../../core/errors.ts';
import { countPublication } from '../../../../core/limits/counters.ts';
import { memoryCounters } from '../../../fixtures/memory-counters.ts';
import { aCaller } from '../../../fixtures/projects/a-project.ts';

const now = new Date('2026-03-01T12:00:00Z');

test.each([
  ['INVALID_REQUEST', 0],
  ['SECRETS_FOUND', 0],
  ['NOT_FOUND', 0],
  ['VERSION_CONFLICT', 1],
  ['SLUG_TAKEN', 1],
  ['STORAGE_LIMIT_REACHED', 1],
  ['UPLOAD_FAILED', 1],
] as const)('a publication that ends with %s counts as %s', async (code, counted) => {
  const counters = memoryCounters();
  const caller = aCaller();
  const refuse = await countPublication({ counters, plans: defaultPlans, now: () => now }, caller);
  await expect(refuse(new CodedError(code, { error: 'refused' }))).rejects.toMatchObject({ code });
  const key = `publications#${caller.account.id}`;
  expect(await counters.count(key, 3600, now, 0)).toBe(counted);
});

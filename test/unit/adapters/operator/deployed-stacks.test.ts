import { expect, test } from '@jest/globals';
import { holdsResources } from '../../../../adapters/operator/deployed-stacks.ts';

test.each([
  ['CREATE_COMPLETE', true],
  ['UPDATE_ROLLBACK_COMPLETE', true],
  ['UPDATE_FAILED', true],
  ['ROLLBACK_FAILED', true],
  ['ROLLBACK_COMPLETE', false],
  ['REVIEW_IN_PROGRESS', false],
  [undefined, false],
])('a stack in the state %s has something to lose: %s', (status, expected) => {
  expect(holdsResources(status)).toBe(expected);
});

import { describe, expect, test } from '@jest/globals';
import {
  evaluatePreconditions,
  ifRangeHolds,
} from '../../../../../core/visit/protocol/conditional-request.ts';

const current = { etag: '"now"', lastModified: new Date('2026-03-01T11:00:00.700Z') };
const same = 'Sun, 01 Mar 2026 11:00:00 GMT';
const before = 'Sun, 01 Mar 2026 10:59:59 GMT';
const after = 'Sun, 01 Mar 2026 11:00:01 GMT';

describe('RFC 9110 §13.2.2, in its order', () => {
  test.each([
    ['step 1: If-Match true', { ifMatch: '"now"' }, 'proceed'],
    ['step 1: If-Match * on what exists', { ifMatch: '*' }, 'proceed'],
    ['step 1: If-Match in a list', { ifMatch: '"a", "now"' }, 'proceed'],
    ['step 1: If-Match false', { ifMatch: '"other"' }, 'failed'],
    ['step 1: If-Match compares strongly (§13.1.1)', { ifMatch: 'W/"now"' }, 'failed'],
    [
      'step 1 before 2: If-Match true, date ignored',
      { ifMatch: '"now"', ifUnmodifiedSince: before },
      'proceed',
    ],
    ['step 2: unmodified since', { ifUnmodifiedSince: same }, 'proceed'],
    ['step 2: modified since', { ifUnmodifiedSince: before }, 'failed'],
    ['step 2: an invalid date is ignored (§13.1.4)', { ifUnmodifiedSince: 'soon' }, 'proceed'],
    ['step 3: If-None-Match matches', { ifNoneMatch: '"now"' }, 'not-modified'],
    ['step 3: weakly (§13.1.2)', { ifNoneMatch: 'W/"now"' }, 'not-modified'],
    ['step 3: *', { ifNoneMatch: '*' }, 'not-modified'],
    ['step 3: a list', { ifNoneMatch: '"a",W/"now"' }, 'not-modified'],
    ['step 3: no match', { ifNoneMatch: '"other"' }, 'proceed'],
    [
      'step 3 before 4: the date is ignored',
      { ifNoneMatch: '"other"', ifModifiedSince: after },
      'proceed',
    ],
    ['step 4: not modified since', { ifModifiedSince: same }, 'not-modified'],
    ['step 4: modified since', { ifModifiedSince: before }, 'proceed'],
    ['step 4: an invalid date is ignored (§13.1.3)', { ifModifiedSince: 'yesterday' }, 'proceed'],
    ['step 1 before 3', { ifMatch: '"other"', ifNoneMatch: '"now"' }, 'failed'],
    ['no condition', {}, 'proceed'],
  ])('%s', (_, conditions, evaluation) => {
    expect(evaluatePreconditions(conditions, current)).toBe(evaluation);
  });
});

describe('RFC 9110 §13.1.5 If-Range', () => {
  test.each([
    ['absent', undefined, true],
    ['the same strong tag', '"now"', true],
    ['another tag', '"other"', false],
    ['a weak tag never', 'W/"now"', false],
    ['the exact date', same, true],
    ['an earlier date', before, false],
    ['a later date', after, false],
    ['nonsense', 'nonsense', false],
  ])('%s', (_, field, holds) => {
    expect(ifRangeHolds(field, current)).toBe(holds);
  });
});

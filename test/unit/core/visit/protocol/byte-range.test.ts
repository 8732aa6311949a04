import { describe, expect, test } from '@jest/globals';
import { readRange } from '../../../../../core/visit/protocol/conditional-request.ts';

describe('RFC 9110 §14.1.2 byte ranges of 100 bytes', () => {
  test.each([
    ['bytes=0-0', { first: 0, last: 0 }],
    ['bytes=0-99', { first: 0, last: 99 }],
    ['bytes=0-500', { first: 0, last: 99 }],
    ['bytes=99-', { first: 99, last: 99 }],
    ['bytes=-1', { first: 99, last: 99 }],
    ['bytes=-500', { first: 0, last: 99 }],
    ['BYTES=5-6', { first: 5, last: 6 }],
    ['bytes=100-', 'unsatisfiable'],
    ['bytes=100-200', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=6-5', 'whole'],
    ['bytes=-', 'whole'],
    ['bytes=a-b', 'whole'],
    ['bytes=0-1,3-4', 'whole'],
    ['lines=0-1', 'whole'],
    ['bytes=99999999999999999999-', 'whole'],
    [undefined, 'whole'],
  ])('%s', (field, range) => {
    expect(readRange(field, 100)).toEqual(range);
  });

  test('nothing of an empty file can be met', () => {
    expect(readRange('bytes=-5', 0)).toBe('unsatisfiable');
    expect(readRange('bytes=0-', 0)).toBe('unsatisfiable');
  });
});

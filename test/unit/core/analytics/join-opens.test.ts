import { describe, expect, test } from '@jest/globals';
import { csvCell } from '../../../../core/analytics/hits-csv.ts';
import { joinOpens } from '../../../../core/analytics/join-opens.ts';
import { aRecord } from '../../../fixtures/visits/hits.ts';

const at = (minute: number) => `2026-03-01T12:${String(minute).padStart(2, '0')}:00.000Z`;
const visit = (id: string, minute: number, more = {}) => aRecord({ id, at: at(minute), ...more });
const open = (id: string, minute: number, more = {}) =>
  aRecord({ id, at: at(minute), kind: 'open', reason: null, ...more });
const outcomes = (...hits: Parameters<typeof joinOpens>) =>
  joinOpens(...hits).map(({ id, outcome }) => `${id} ${outcome}`);

describe('an open', () => {
  test('confirms the latest visit of the same visitor to the same path', () => {
    expect(outcomes([visit('a', 1), visit('b', 2)], [open('x', 3)])).toEqual([
      'b open',
      'a unconfirmed',
    ]);
  });

  test('confirms one visit, and a second open confirms the previous visit', () => {
    const visits = [visit('a', 1), visit('b', 2), visit('c', 9)];
    expect(outcomes(visits, [open('x', 3), open('y', 4)])).toEqual([
      'c unconfirmed',
      'b open',
      'a open',
    ]);
  });

  test.each([
    ['that came later', visit('a', 5)],
    ["of another visitor's", visit('a', 1, { visitor: 'fedcba9876543210' })],
    ['to another path', visit('a', 1, { path: '/other' })],
    ['of a bot', visit('a', 1, { reason: 'bot' })],
    ['of the owner', visit('a', 1, { reason: 'owner' })],
  ])('confirms no visit %s, and is a row of its own', (_, other) => {
    expect(outcomes([other], [open('x', 3)]).toSorted()).toEqual(
      [`a ${other.reason}`, 'x open'].toSorted(),
    );
  });

  test('of the owner confirms a visit of the owner, which stays one', () => {
    const visits = [visit('a', 1, { reason: 'owner' }), visit('b', 2)];
    expect(outcomes(visits, [open('x', 3, { reason: 'owner' })])).toEqual([
      'b unconfirmed',
      'a owner',
    ]);
  });

  test('confirms a prefetch if there is no other visit', () => {
    const prefetch = visit('a', 2, { reason: 'prefetch' });
    expect(outcomes([prefetch], [open('x', 3)])).toEqual(['a open']);
    expect(outcomes([prefetch, visit('b', 1)], [open('x', 3)])).toEqual(['a prefetch', 'b open']);
  });
});

test.each([
  ['/plain', '/plain'],
  ['', ''],
  ['a,b', '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  ['two\r\nlines', '"two\r\nlines"'],
  ['=cmd|calc', `"'=cmd|calc"`],
  ['+1', `"'+1"`],
  ['-1', `"'-1"`],
  ['@SUM(A1)', `"'@SUM(A1)"`],
  ['\t=1', `"'\t'=1"`],
  ['\r@a', `"'\r'@a"`],
  ['/a;=cmd|calc', `"/a;'=cmd|calc"`],
  ['/a|+1', `"/a|'+1"`],
  ['/a\t-1', `"/a\t'-1"`],
  ['/a,@b', `"/a,'@b"`],
  ['/a; "=1', `"/a; ""'=1"`],
  ['/a;＝1', `"/a;'＝1"`],
  ['/a-b;c=d', '/a-b;c=d'],
])('a cell with %j is written %s: no spreadsheet computes it', (text, written) => {
  expect(csvCell(text)).toBe(written);
});

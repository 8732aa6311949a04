import { expect, test } from '@jest/globals';
import { changeOf } from '../../../cli/project-commands.ts';
import { endOf } from '../../../cli/publish-settings.ts';

const now = new Date('2026-03-01T12:00:00Z');

test.each([
  ['1h', { expiresIn: '1h' }],
  ['7d', { expiresIn: '7d' }],
  ['30d', { expiresAt: '2026-03-31T12:00:00.000Z' }],
  ['90m', { expiresAt: '2026-03-01T13:30:00.000Z' }],
  ['2026-12-24', { expiresAt: new Date(2026, 11, 24, 23, 59, 59).toISOString() }],
  ['2026-12-24T10:00:00+01:00', { expiresAt: '2026-12-24T09:00:00.000Z' }],
])('--expires %s', (text, expected) => {
  expect(endOf(text, now)).toEqual(expected);
});

test.each([
  'soon',
  '',
  '1w',
  '2026-13-01',
  '1.5h',
  'March 3',
  '-1d',
  '999999d',
  '5',
  '2027',
  '2027-02-30',
  '2027-02-30T10:00Z',
])('--expires %j is none', (text) => {
  expect(() => endOf(text, now)).toThrow('--expires must be a time');
});

test('a setting takes an end as --expires does, and none', () => {
  const end = new Date(2026, 11, 24, 23, 59, 59).toISOString();
  expect(changeOf('expiresAt=2026-12-24')).toEqual(['expiresAt', end]);
  expect(changeOf('expiresAt=null')).toEqual(['expiresAt', null]);
  expect(() => changeOf('expiresAt=soon')).toThrow('expiresAt must be a time such as 15m');
});

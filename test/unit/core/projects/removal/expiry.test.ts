import { describe, expect, test } from '@jest/globals';
import {
  expiryOf,
  expiryAfterClaim,
  projectDueAt,
  removalDueAt,
} from '../../../../../core/projects/removal/expiry.ts';
import type { Project } from '../../../../../core/projects/project.ts';
import { aProject, ownerId } from '../../../../fixtures/projects/a-project.ts';
import { now } from '../../../../fixtures/visits/a-site.ts';

test.each([
  ['15m', '2026-03-01T12:15:00.000Z'],
  ['1h', '2026-03-01T13:00:00.000Z'],
  ['24h', '2026-03-02T12:00:00.000Z'],
  ['7d', '2026-03-08T12:00:00.000Z'],
] as const)('%s from now', (expiresIn, end) => {
  expect(expiryOf({ expiresIn }, now, 'INVALID_REQUEST')).toBe(end);
});

test('without a duration there is no expiry', () => {
  expect(expiryOf({}, now, 'INVALID_REQUEST')).toBeUndefined();
});

test('a claim ends after seven days on the free plan, and never on another', () => {
  expect(expiryAfterClaim(true, now)).toBe('2026-03-08T12:00:00.000Z');
  expect(expiryAfterClaim(false, now)).toBeNull();
});

const end = '2026-03-01T12:15:00.000Z';

describe('a removal is due', () => {
  const expiresAt = '2026-03-01T12:15:00.000Z';
  const suspendedAt = null;

  test('never while its account is suspended', () => {
    expect(
      removalDueAt({ ownerId, expiresAt, suspendedAt: '2026-03-01T12:00:00.000Z' }),
    ).toBeNull();
  });

  test('at the expiry of a temporary project', () => {
    expect(removalDueAt({ ownerId: null, expiresAt, suspendedAt })).toBe(expiresAt);
  });

  test('30 days after the expiry of an owned one', () => {
    expect(removalDueAt({ ownerId, expiresAt, suspendedAt })).toBe('2026-03-31T12:15:00.000Z');
  });

  test('never without an expiry', () => {
    expect(removalDueAt({ ownerId, expiresAt: null, suspendedAt })).toBeNull();
  });
});

test.each<[string, Partial<Project>, string | null]>([
  ['a day before an end that is not announced', {}, '2026-02-28T12:15:00.000Z'],
  ['30 days after one that is', { announcedEnd: end }, '2026-03-31T12:15:00.000Z'],
  [
    'again where the end was moved',
    { announcedEnd: '2026-02-01T00:00:00.000Z' },
    '2026-02-28T12:15:00.000Z',
  ],
  [
    'for the removal alone where the end was moved by less than a day',
    { announcedEnd: '2026-02-28T12:16:00.000Z' },
    '2026-03-31T12:15:00.000Z',
  ],
  ['for the removal alone of an archived project', { archivedAt: end }, '2026-03-31T12:15:00.000Z'],
  ['at the end of a temporary project', { ownerId: null }, end],
  ['never without an end', { expiresAt: null }, null],
  ['never while its account is suspended', { suspendedAt: end }, null],
])('the sweep comes %s', (_, changes, at) => {
  expect(projectDueAt(aProject({ expiresAt: end, ...changes }))).toBe(at);
});

describe('an end that somebody chooses', () => {
  test.each([
    [{ expiresAt: null }, null],
    [{ expiresIn: 'none' }, null],
    [
      { expiresAt: new Date(now.getTime() + 1000).toISOString() },
      new Date(now.getTime() + 1000).toISOString(),
    ],
  ] as const)('%j', (chosen, end) => {
    expect(expiryOf(chosen, now, 'INVALID_REQUEST')).toBe(end);
  });

  test.each([
    ['now', now.toISOString()],
    ['eleven years away', new Date(now.getTime() + 11 * 365 * 86_400_000).toISOString()],
  ])('is refused when it is %s', (_, expiresAt) => {
    expect(() => expiryOf({ expiresAt }, now, 'VALIDATION_FAILED')).toThrow(
      'must be in the future',
    );
  });
});

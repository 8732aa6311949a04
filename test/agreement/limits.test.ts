import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import {
  addressReservedDays,
  describeDuration,
  describeWindow,
  expiredKeptDays,
  freeDaysAfterClaim,
  idempotencyKeptSeconds,
  temporaryLifetimeSeconds,
  temporaryUploadLimits,
} from '../../contract/limits.ts';
import { operations } from '../../contract/operations.ts';
import { allowedFields } from '../../core/site-rules/site-fields.ts';

const lifetime = describeDuration(temporaryLifetimeSeconds);
const { maxParts, maxBytes, maxArchiveEntries, maxArchiveBytes } = temporaryUploadLimits;
const mebibytes = (bytes: number) => bytes / 1024 / 1024;

test.each([
  ['README.md', `| Lifetime | ${lifetime}, to the second |`],
  ['README.md', `| Files | ${maxParts} parts; a ZIP may hold ${maxArchiveEntries} files |`],
  [
    'README.md',
    `| Size | ${mebibytes(maxBytes)} MiB; a ZIP may unpack to ${mebibytes(maxArchiveBytes)} MiB |`,
  ],
  ['docs/publishing.md', `stays reserved for your account for ${addressReservedDays} days`],
  ['docs/publishing.md', `For ${idempotencyKeptSeconds / 3600} hours`],
  ['docs/contract.md', `expire after ${lifetime}.`],
  [
    'docs/contract.md',
    `at most ${maxParts} files and ${mebibytes(maxBytes)} MB (a ZIP may hold ${maxArchiveEntries} entries and unpack to ${mebibytes(maxArchiveBytes)} MB)`,
  ],
  ['docs/contract.md', `expires after ${freeDaysAfterClaim} days`],
  ['docs/contract.md', `stays reserved for its account for ${addressReservedDays} days`],
  ['docs/contract.md', `For ${idempotencyKeptSeconds / 3600} hours`],
  ['docs/contract.md', `is deleted ${expiredKeptDays} days later`],
])('%s says: %s', (file, text) => {
  expect(readFileSync(file, 'utf8').replace(/\s+/g, ' ')).toContain(text);
});

test('docs/static-hosting.md has a line for every header that a site may set', () => {
  const table = readFileSync('docs/static-hosting.md', 'utf8').toLowerCase();
  const named = [...allowedFields].map((name) => name.replace(/-report-only$/, ''));
  expect(named.filter((name) => !table.includes(`\`${name}\``))).toEqual([]);
});

test('the operation that publishes without an account names the lifetime', () => {
  const operation = operations.find(({ id }) => id === 'publishTempProject');
  expect(operation?.summary).toContain(lifetime);
});

describe('durations in words', () => {
  test.each([
    [1, '1 second'],
    [60, '1 minute'],
    [90, '90 seconds'],
    [900, '15 minutes'],
    [3600, '1 hour'],
    [5400, '90 minutes'],
    [86_400, '1 day'],
    [604_800, '7 days'],
  ])('%i seconds: %s', (seconds, text) => expect(describeDuration(seconds)).toBe(text));

  test.each([
    [60, 'a minute'],
    [3600, 'an hour'],
    [300, '5 minutes'],
  ])('a window of %i seconds: %s', (seconds, text) => expect(describeWindow(seconds)).toBe(text));
});

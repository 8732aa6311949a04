import { Script } from 'node:vm';
import { describe, expect, test } from '@jest/globals';
import { fixedSecret } from '../../../fixtures/fixed-secret.ts';
import { ProjectId } from '../../../../contract/fields.ts';
import {
  clearedAddress,
  clearedMark,
  mustClearBrowser,
  type WorkerUpdate,
  wasJustCleared,
  workerRemoval,
  workerRemovalScript,
} from '../../../../core/visit/former-tenant.ts';
import { aSite, now } from '../../../fixtures/visits/a-site.ts';

const secret = fixedSecret('secret');
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000).toISOString();
const lately = aSite({ handedOverAt: daysAgo(1) });
const longAgo = aSite({ handedOverAt: daysAgo(90) });
const first = aSite();
const mark = clearedMark(secret, lately);
const elsewhere = ProjectId.parse('00000000-0000-4000-8000-000000000009');

test.each([
  ['an address that had nobody before', first, '-', 'document', false],
  ['one that changed hands', lately, '-', 'document', true],
  ['one that changed hands, for a client that says nothing', lately, '-', '', true],
  ['one that changed hands, where it was cleared', lately, mark, 'document', false],
  ['one that changed hands 90 days ago', longAgo, '-', 'document', false],
  [
    'one that changed hands almost 90 days ago',
    aSite({ handedOverAt: daysAgo(89.999) }),
    '-',
    '',
    true,
  ],
  ['a page in a frame', lately, '-', 'iframe', false],
  ['what a script fetches', lately, '-', 'empty', false],
  ['a forged mark', lately, 'A'.repeat(43), 'document', true],
  ['a mark of another secret', lately, clearedMark(fixedSecret('x'), lately), 'document', true],
  [
    'a mark of the project before',
    lately,
    clearedMark(secret, { ...lately, projectId: elsewhere }),
    '',
    true,
  ],
  ['a mark of an earlier change of hands', lately, clearedMark(secret, longAgo), '', true],
])('whether a browser is cleared: %s', (_, site, cleared, dest, expected) => {
  expect(mustClearBrowser(secret, site, { cleared, fetch: { dest } }, now)).toBe(expected);
});

test('the mark is for the browser that a page has just cleared', () => {
  const browser = { site: lately, address: '192.0.2.1' };
  const by = clearedAddress(secret, browser, now).split('by=')[1] ?? '';
  const later = (seconds: number) => new Date(now.getTime() + seconds * 1000);
  expect(wasJustCleared(secret, { ...browser, by }, later(300))).toBe(true);
  for (const [other, at] of [
    [{ ...browser, by }, later(301)],
    [{ ...browser, by, address: '192.0.2.2' }, now],
    [{ ...browser, by, site: longAgo }, now],
    [{ ...browser, by: by.replace(/^\d+/, (until) => String(Number(until) + 9)) }, now],
    [{ ...browser, by: '' }, now],
  ] as const)
    expect(wasJustCleared(secret, other, at)).toBe(false);
});

describe('a service worker whose script is asked for', () => {
  const missing = { kind: 'missing', what: 'file' } as const;
  const nobody = { kind: 'missing', what: 'site' } as const;
  const [file, resting, locked] = [
    { kind: 'file' },
    { kind: 'resting' },
    { kind: 'locked' },
  ] as const;
  const closed = aSite({ accessChangedAt: '2026-02-28T12:00:00.000Z' });
  const closedLongAgo = aSite({ accessChangedAt: '2025-11-01T12:00:00.000Z' });
  const of = (site: WorkerUpdate['site'], decision: WorkerUpdate['decision'], more = {}) => ({
    site,
    decision,
    isScript: false,
    isCleared: false,
    ...more,
  });

  test.each([
    ['where nobody is', of(null, nobody), 'worker'],
    ['of an archived or unpublished project', of(first, nobody), 'worker'],
    ['of an expired one', of(first, { kind: 'gone' }), 'worker'],
    ['of one that was taken down', of(first, { kind: 'withheld' }), 'worker'],
    ['of a site that has its address first', of(first, missing), 'none'],
    ['of such a site that rests', of(first, resting), 'none'],
    ['of such a site that asks for a password', of(first, locked), 'none'],
    ['of such a site whose access changed', of(closed, locked), 'worker'],
    ['of such a site that is open again', of(closed, file, { isScript: true }), 'none'],
    ['of such a site, long after', of(closedLongAgo, locked), 'none'],
    ['that is missing', of(lately, missing), 'worker-and-data'],
    [
      'that is missing, in a browser that was cleared',
      of(lately, missing, { isCleared: true }),
      'worker',
    ],
    ['that is missing, long after', of(longAgo, missing), 'worker'],
    ['that is there', of(lately, file, { isScript: true }), 'worker-and-data'],
    [
      'that is there, once it was cleared',
      of(lately, file, { isScript: true, isCleared: true }),
      'none',
    ],
    ['that is there, long after', of(longAgo, file, { isScript: true }), 'none'],
    ['that is a page by a rule', of(longAgo, file), 'worker'],
    ['behind a password', of(lately, locked), 'worker-and-data'],
    ['behind a password, long after', of(longAgo, locked), 'worker'],
    ['of a site that rests', of(lately, resting), 'worker-and-data'],
    ['of a site that rests, once it was cleared', of(lately, resting, { isCleared: true }), 'none'],
  ])('%s', (_, update, expected) => {
    expect(workerRemoval(update, now)).toBe(expected);
  });

  test('gets a script that can be run', () => {
    for (const removal of ['worker', 'worker-and-data'] as const) {
      expect(new Script(workerRemovalScript(removal))).toBeDefined();
    }
  });
});

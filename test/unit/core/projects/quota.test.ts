import { expect, test } from '@jest/globals';
import { calculateCharge, quotaError, unlimited } from '../../../../core/projects/quota.ts';
import { aProject, aTemporaryProject, ownerId } from '../../../fixtures/projects/a-project.ts';

const charge = (bytes: number, maxProjects = 5, maxStorageBytes = 1000, projects = 1) => ({
  accountId: ownerId,
  projects,
  archived: 0,
  bytes,
  earlierBytes: 0,
  maxProjects,
  maxStorageBytes,
});

test.each([
  ['the last project', charge(1), { projectCount: 4, storageBytes: 0 }],
  ['the last byte', charge(400), { projectCount: 0, storageBytes: 600 }],
  ['any number of projects', charge(1, -1), { projectCount: 1e6, storageBytes: 0 }],
  ['any number of bytes', charge(1e12, 5, -1), { projectCount: 0, storageBytes: 1e15 }],
  ['fewer bytes over the limit', charge(-1, 5, 1000, 0), { projectCount: 9, storageBytes: 5000 }],
  [
    'more bytes over the project limit',
    charge(1, 5, 1000, 0),
    { projectCount: 9, storageBytes: 0 },
  ],
])('allows %s', (_, wanted, used) => {
  expect(quotaError(wanted, used)).toBeUndefined();
});

test.each([
  ['PROJECT_LIMIT_REACHED', charge(1), { projectCount: 5, storageBytes: 0 }, ['5 active', '5 are']],
  [
    'STORAGE_LIMIT_REACHED',
    charge(401),
    { projectCount: 0, storageBytes: 600 },
    ['1000', '600', '401'],
  ],
  ['PROJECT_LIMIT_REACHED', charge(9999), { projectCount: 6, storageBytes: 600 }, ['6 are']],
])('refuses with %s and the figures', (code, wanted, used, figures) => {
  const refusal = quotaError(wanted, used);
  expect(refusal?.code).toBe(code);
  for (const figure of figures) expect(refusal?.message).toContain(figure);
});

const archived = aProject({ archivedAt: '2026-03-01T12:00:00.000Z' });
test.each([
  ['a new project', undefined, aProject(), { projects: 1, archived: 0, bytes: 1000 }],
  ['a claim', aTemporaryProject(), aProject(), { projects: 1, archived: 0, bytes: 1000 }],
  ['a push', aProject(), aProject({ bytes: 1200 }), { projects: 0, archived: 0, bytes: 200 }],
  ['a smaller push', aProject(), aProject({ bytes: 1 }), { projects: 0, archived: 0, bytes: -999 }],
  ['archiving', aProject(), archived, { projects: -1, archived: 1, bytes: -1000 }],
  ['coming back', archived, aProject(), { projects: 1, archived: -1, bytes: 1000 }],
  [
    'a removal',
    aProject(),
    aProject({ removingAt: '2026-03-01' }),
    { projects: -1, archived: 0, bytes: -1000 },
  ],
  [
    'the removal of an archived project',
    archived,
    { ...archived, removingAt: '2026-03-01' },
    { projects: 0, archived: -1, bytes: 0 },
  ],
])('%s changes the totals', (_, before, after, change) => {
  expect(calculateCharge(before, after, unlimited)).toEqual({
    accountId: ownerId,
    earlierBytes: 0,
    ...change,
    ...unlimited,
  });
});

test.each([
  ['a change of settings', aProject(), aProject({ title: 'Other' })],
  ['a push to an archived project', archived, { ...archived, bytes: 9 }],
  ['a project that nobody owns', undefined, aTemporaryProject()],
])('%s changes no total', (_, before, after) => {
  expect(calculateCharge(before, after, unlimited)).toBeUndefined();
});

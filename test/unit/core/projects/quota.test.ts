import { expect, test } from '@jest/globals';
import { overQuota } from '../../../../core/projects/quota.ts';
import { ownerId } from '../../../fixtures/a-project.ts';

const charge = (bytes: number, maxProjects = 5, maxStorageBytes = 1000) => ({
  accountId: ownerId,
  bytes,
  maxProjects,
  maxStorageBytes,
});

test.each([
  ['the last project', charge(1), { projectCount: 4, storageBytes: 0 }],
  ['the last byte', charge(400), { projectCount: 0, storageBytes: 600 }],
  ['any number of projects', charge(1, -1), { projectCount: 1e6, storageBytes: 0 }],
  ['any number of bytes', charge(1e12, 5, -1), { projectCount: 0, storageBytes: 1e15 }],
])('allows %s', (_, wanted, used) => {
  expect(overQuota(wanted, used)).toBeUndefined();
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
  const refusal = overQuota(wanted, used);
  expect(refusal?.code).toBe(code);
  for (const figure of figures) expect(refusal?.message).toContain(figure);
});

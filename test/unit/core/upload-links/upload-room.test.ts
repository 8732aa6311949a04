import { expect, test } from '@jest/globals';
import { ProjectId } from '../../../../contract/fields.ts';
import { defaultPlans } from '../../../../contract/plans.ts';
import { CodedError } from '../../../../core/errors.ts';
import { requireQuota } from '../../../../core/projects/quota.ts';
import { uploadCharge } from '../../../../core/upload-links/upload-charge.ts';
import { aCaller, aProject } from '../../../fixtures/projects/a-project.ts';

const { maxStorageBytes } = defaultPlans.starter;
const projectId = ProjectId.parse('0b7e4c1a-5f60-4c39-9d0e-2f1a6f0c9a11');

/** The code of the refusal, where an account has `left` bytes and two projects. */
function refusal(
  bytes: number,
  left: number,
  project: ReturnType<typeof aProject> | null,
  isAdded = false,
) {
  const { account } = aCaller({ storageBytes: maxStorageBytes - left, projectCount: 2 });
  try {
    requireQuota(uploadCharge(defaultPlans.starter, { account, project, isAdded, bytes }), account);
    return undefined;
  } catch (error) {
    return error instanceof CodedError ? error.code : error;
  }
}

test.each([
  ['a new project that fits', 10, 10, null, undefined],
  ['a new project of a byte too many', 11, 10, null, 'STORAGE_LIMIT_REACHED'],
  ['a version that is no larger', 500, 0, aProject({ id: projectId, bytes: 500 }), undefined],
  [
    'a version that is larger',
    511,
    10,
    aProject({ id: projectId, bytes: 500 }),
    'STORAGE_LIMIT_REACHED',
  ],
  [
    'a version of an empty project without room',
    1,
    0,
    aProject({ id: projectId, bytes: 0 }),
    'STORAGE_LIMIT_REACHED',
  ],
  [
    'a version of an archived project',
    900,
    0,
    aProject({ id: projectId, bytes: 1, archivedAt: '2026-01-01T00:00:00.000Z' }),
    undefined,
  ],
])('%s', (_, bytes, left, project, code) => {
  expect(refusal(bytes, left, project)).toBe(code);
});

test('a folder of a project needs room for all its bytes', () => {
  const project = aProject({ id: projectId, bytes: 500 });
  expect([refusal(10, 10, project, true), refusal(11, 10, project, true)]).toEqual([
    undefined,
    'STORAGE_LIMIT_REACHED',
  ]);
});

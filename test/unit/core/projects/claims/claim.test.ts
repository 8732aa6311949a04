import { describe, expect, test } from '@jest/globals';
import { requireClaimable, claimedProject } from '../../../../../core/projects/claims/claim.ts';
import { aProject, aTemporaryProject, ownerId } from '../../../../fixtures/projects/a-project.ts';
import { now } from '../../../../fixtures/visits/a-site.ts';

const projectId = aProject().id;
const unused = { projectId, claimedAt: null };
const used = { projectId, claimedAt: '2026-03-01T11:00:00.000Z' };
const ended = aTemporaryProject({ expiresAt: '2026-03-01T12:00:00.000Z' });
const removed = aTemporaryProject({ removingAt: '2026-03-01T12:00:00.000Z' });

test('a temporary project with time left can be claimed', () => {
  expect(requireClaimable(unused, aTemporaryProject(), now)).toEqual(aTemporaryProject());
});

test.each([
  ['a token nobody was given', undefined, undefined, 'CLAIM_NOT_FOUND'],
  ['a project that was swept', unused, undefined, 'CLAIM_NOT_FOUND'],
  ['a project at its exact end', unused, ended, 'CLAIM_NOT_FOUND'],
  ['a project being removed', unused, removed, 'CLAIM_NOT_FOUND'],
  ['a used token', used, aProject(), 'ALREADY_CLAIMED'],
  ['a used token whose project is gone', used, undefined, 'ALREADY_CLAIMED'],
  ['a project that was claimed a moment ago', unused, aProject(), 'ALREADY_CLAIMED'],
] as const)('refuses %s', (_, claim, project, code) => {
  expect(() => requireClaimable(claim, project, now)).toThrow(expect.objectContaining({ code }));
});

describe('a claimed project', () => {
  test('has its owner and no end on a paid plan', () => {
    expect(claimedProject(aTemporaryProject(), { id: ownerId }, false, now)).toEqual(
      aTemporaryProject({
        ownerId,
        expiresAt: null,
        revision: 4,
        updatedAt: '2026-03-01T12:00:00.000Z',
      }),
    );
  });

  test('ends in seven days on the free plan', () => {
    const { expiresAt } = claimedProject(aTemporaryProject(), { id: ownerId }, true, now);
    expect(expiresAt).toBe('2026-03-08T12:00:00.000Z');
  });
});

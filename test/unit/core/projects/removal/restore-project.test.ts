import { describe, expect, test } from '@jest/globals';
import { Slug, WorkspaceId } from '../../../../../contract/fields.ts';
import { instant, plusSeconds } from '../../../../../core/instants.ts';
import type {
  ProjectChange,
  ChangeOutcome,
} from '../../../../../core/projects/change/project-change.ts';
import type { Project } from '../../../../../core/projects/project.ts';
import {
  restoredFields,
  restoreMarginSeconds,
  restoreAsOperator,
} from '../../../../../core/projects/removal/restore-project.ts';
import { aProject, aVersion, ownerId } from '../../../../fixtures/projects/a-project.ts';

const now = new Date('2026-03-01T12:00:00.000Z');
const removingAt = '2026-02-20T12:00:00.000Z';
const aDeleted = (changes: Partial<Project> = {}) => aProject({ removingAt, ...changes });

function restore(
  outcomes: ChangeOutcome[],
  { project = aDeleted(), keptUntil = '2026-03-20T12:00:00.000Z' } = {},
) {
  const changes: ProjectChange[] = [];
  const forgotten: string[] = [];
  const live = aVersion();
  const result = restoreAsOperator(
    {
      deleted: { get: async () => ({ project, keptUntil }) },
      projects: { getVersion: async () => live },
      owned: {
        change: async (change) => {
          changes.push(change);
          return outcomes[changes.length - 1] ?? 'lost';
        },
      },
      edge: {
        purge: async () => undefined,
        purgeAfterDelay: async (id) => void forgotten.push(id),
      },
      onFailure: () => undefined,
      now: () => now,
    },
    { projectId: project.id },
  );
  return { result, changes, forgotten };
}

describe('a restored project', () => {
  test('keeps its address, or gets another on the same domain', () => {
    expect(restoredFields(aDeleted(), undefined, now)).toEqual({ removingAt: null });
    expect(restoredFields(aDeleted(), Slug.parse('other'), now)).toEqual({
      removingAt: null,
      slug: 'other',
      host: 'other.sites.test',
    });
  });

  test('has no expiry if that has passed, because it would be removed again', () => {
    const over = aDeleted({ expiresAt: instant(now) });
    expect(restoredFields(over, undefined, now)).toEqual({ removingAt: null, expiresAt: null });
    const later = aDeleted({ expiresAt: instant(plusSeconds(now, 1)) });
    expect(restoredFields(later, undefined, now)).not.toHaveProperty('expiresAt');
  });

  test('is charged again without limits, and the edge is purged', async () => {
    const { result, changes, forgotten } = restore(['changed']);
    const after = await result;
    expect(after).toMatchObject({ removingAt: null, revision: 4 });
    expect(changes[0]?.charge).toEqual({
      accountId: ownerId,
      projects: 1,
      archived: 0,
      bytes: 1000,
      maxProjects: -1,
      maxStorageBytes: -1,
      earlierBytes: 0,
    });
    expect(forgotten).toEqual([after.id]);
  });

  test('leaves a deleted workspace', async () => {
    const workspaceId = WorkspaceId.parse('11111111-1111-4111-8111-111111111111');
    const project = aDeleted({ workspaceId });
    const { result, changes } = restore(['workspace-gone', 'changed'], { project });
    expect((await result).workspaceId).toBeNull();
    expect(changes[0]?.after.workspaceId).toBe(workspaceId);
  });
});

test.each<[ChangeOutcome, RegExp]>([
  [
    'slug-taken',
    /harbour\.sites\.test is in use by another project\. Choose another with --slug\./,
  ],
  ['lost', /being restored or removed by another process/],
])('is refused for %s', async (outcome, reason) => {
  await expect(restore([outcome]).result).rejects.toThrow(reason);
});

test.each([0, restoreMarginSeconds])(
  'is refused with %i seconds left, because the sweep may be ahead',
  async (seconds) => {
    const keptUntil = instant(plusSeconds(now, seconds));
    const { result, changes } = restore(['changed'], { keptUntil });
    await expect(result).rejects.toThrow(/no deleted project/);
    expect(changes).toEqual([]);
  },
);

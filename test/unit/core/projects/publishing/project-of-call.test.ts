import { describe, expect, test } from '@jest/globals';
import { AccountId, type ProjectId } from '../../../../../contract/fields.ts';
import { projectOfCall } from '../../../../../core/projects/publishing/publish-temp.ts';
import type { Project } from '../../../../../core/projects/project.ts';
import { aCaller, aProject } from '../../../../fixtures/projects/a-project.ts';
import { now } from '../../../../fixtures/visits/a-site.ts';

/** A store that has at most one project, whatever its id. */
const depsWith = (found?: Partial<Project>): any => ({
  projects: {
    get: async (id: ProjectId) =>
      found === undefined ? undefined : aProject({ createdAt: now.toISOString(), ...found, id }),
    getVersion: async () => undefined,
  },
  addresses: { siteUrl: (host: string) => `https://${host}` },
  now: () => now,
});

describe('the project of a call', () => {
  test('has an id that follows from the call', async () => {
    const first = await projectOfCall(depsWith(), aCaller(), 'call');
    expect(first.project).toBeUndefined();
    expect((await projectOfCall(depsWith(), aCaller(), 'call')).projectId).toBe(first.projectId);
    expect((await projectOfCall(depsWith(), aCaller(), 'other')).projectId).not.toBe(
      first.projectId,
    );
  });

  test('is found if the call crashed after it became visible', async () => {
    const { projectId, project } = await projectOfCall(depsWith({}), aCaller(), 'call');
    expect(project).toMatchObject({ projectId, url: expect.stringContaining('https://') });
  });

  test.each<[string, Partial<Project>]>([
    ['was made by a call of the day before', { createdAt: '2020-01-01T00:00:00.000Z' }],
    ['is somebody else’s', { ownerId: AccountId.parse('7f1b7a52-9d0e-4f1a-8f60-4c3911aa2233') }],
    ['is being removed', { removingAt: now.toISOString() }],
  ])('is another one if what has this id %s', async (_, found) => {
    const { projectId: free } = await projectOfCall(depsWith(), aCaller(), 'call');
    const { project, projectId } = await projectOfCall(depsWith(found), aCaller(), 'call');
    expect(project).toBeUndefined();
    expect(projectId).not.toBe(free);
  });
});

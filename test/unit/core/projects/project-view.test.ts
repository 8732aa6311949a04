import { expect, test } from '@jest/globals';
import { ProjectResource } from '../../../../contract/project-resource.ts';
import { addresses } from '../../../../core/projects/addresses/addresses.ts';
import type { Project } from '../../../../core/projects/project.ts';
import { toProjectResource } from '../../../../core/projects/project-view.ts';
import { aProject } from '../../../fixtures/projects/a-project.ts';
import { now } from '../../../fixtures/visits/a-site.ts';

const urls = addresses('http://localhost:8787', 'sites.test:8787');
const view = (changes: Partial<Project>) => toProjectResource(aProject(changes), urls, now);

const past = '2026-03-01T11:59:59.999Z';
const exactlyNow = '2026-03-01T12:00:00.000Z';
const soon = '2026-03-01T12:00:00.001Z';

test.each<[string, Partial<Project>, string]>([
  ['a public project', {}, 'public'],
  ['an unpublished one', { status: 'private' }, 'private'],
  ['one with a millisecond left', { expiresAt: soon }, 'public'],
  ['one at its exact end', { expiresAt: exactlyNow }, 'expired'],
  ['one past its end', { expiresAt: past }, 'expired'],
  ['an unpublished one past its end', { status: 'private', expiresAt: past }, 'expired'],
  ['an archived one', { archivedAt: past }, 'archived'],
  ['an archived one past its end', { archivedAt: past, expiresAt: past }, 'archived'],
])('%s has a status of its own', (_, changes, status) => {
  expect(view(changes).status).toBe(status);
});

test('a view is the specified resource and nothing more', () => {
  const seen = view({ passwordHash: 'scrypt$secret', claimHash: 'secret', access: 'password' });
  expect(ProjectResource.strict().parse(seen)).toEqual(seen);
  expect(JSON.stringify(seen)).not.toContain('secret');
  expect(seen.url).toBe('http://harbour.sites.test:8787');
});

import { describe, expect, test } from '@jest/globals';
import {
  projectRow,
  parseProjectRow,
  siteRow,
} from '../../../../../adapters/dynamodb/projects/project-rows.ts';
import { aProject, aTemporaryProject, ownerId } from '../../../../fixtures/projects/a-project.ts';
import { aSite } from '../../../../fixtures/visits/a-site.ts';

const end = '2026-03-01T12:15:00.000Z';
const dayAfterEnd = Date.parse('2026-03-02T12:15:00.000Z') / 1000;

describe('a project row', () => {
  test.each([
    ['owned', aProject()],
    ['owned, full', aProject({ passwordHash: 'x', pageTitle: 'A', expiresAt: end, noIndex: true })],
    ['temporary', aTemporaryProject()],
  ])('returns the stored values: %s', (_, project) => {
    expect(parseProjectRow(projectRow(project))).toEqual(project);
  });

  test('of a temporary project is due at its expiry, and has a TTL a day later', () => {
    expect(projectRow(aTemporaryProject())).toMatchObject({
      expiresAt: end,
      dueAt: end,
      ttl: dayAfterEnd,
    });
    expect(projectRow(aTemporaryProject())).not.toHaveProperty('ownerState');
  });

  test('of an account is due a day before its expiry, then 30 days after it, and has no TTL', () => {
    const row = projectRow(aProject({ expiresAt: end }));
    expect(row).toMatchObject({ expiresAt: end, dueAt: '2026-02-28T12:15:00.000Z' });
    expect(row).not.toHaveProperty('ttl');
    const announced = projectRow(aProject({ expiresAt: end, announcedEnd: end }));
    expect(announced).toMatchObject({ expiresAt: end, dueAt: '2026-03-31T12:15:00.000Z' });
  });

  test('without an expiry is never due', () => {
    const row = projectRow(aProject());
    for (const name of ['expiresAt', 'dueAt', 'dueShard', 'ttl'])
      expect(row).not.toHaveProperty(name);
  });

  test('is indexed by owner and state, and sorted by its creation', () => {
    expect(projectRow(aProject())).toMatchObject({
      ownerState: `${ownerId}#active`,
      listedAt: `2026-03-01T11:00:00.000Z#${aProject().id}`,
    });
    expect(projectRow(aProject({ archivedAt: end }))).toMatchObject({
      ownerState: `${ownerId}#archived`,
    });
  });
});

test('only a temporary site has a TTL', () => {
  expect(siteRow(aSite({ temporary: true, expiresAt: end }))).toMatchObject({ ttl: dayAfterEnd });
  expect(siteRow(aSite({ expiresAt: end }))).not.toHaveProperty('ttl');
});

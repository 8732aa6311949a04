import { expect, test } from '@jest/globals';
import { unlimited } from '../../../../../core/projects/quota.ts';
import { removalOnRequest, removalWhenDue } from '../../../../../core/projects/removal/removal.ts';
import { aProject, aTemporaryProject, ownerId } from '../../../../fixtures/projects/a-project.ts';
import { now } from '../../../../fixtures/visits/a-site.ts';

const at = '2026-03-01T12:00:00.000Z';
const leaving = {
  accountId: ownerId,
  projects: -1,
  bytes: -1000,
  archived: 0,
  earlierBytes: 0,
  ...unlimited,
};

test('on request, it removes a project with any expiry, releases the quota and purges twice', () => {
  const project = aProject();
  expect(removalOnRequest(project, 30, now)).toEqual({
    project,
    at,
    onlyIfDue: false,
    dueAt: '2026-03-31T12:00:00.000Z',
    charge: leaving,
    heldUntil: '2026-05-30T12:00:00.000Z',
    purgeAt: '2026-03-01T12:01:00.000Z',
  });
});

test('an archived project releases its place among the archived ones, and no quota', () => {
  const project = aProject({ archivedAt: at });
  const charge = { ...leaving, projects: 0, archived: -1, bytes: 0 };
  expect(removalOnRequest(project, 30, now).charge).toEqual(charge);
  expect(removalWhenDue(project, now).charge).toEqual(charge);
});

test('an expired project of an account counts until it is removed', () => {
  const { charge } = removalWhenDue(aProject({ expiresAt: '2026-01-01T00:00:00.000Z' }), now);
  expect(charge).toEqual(leaving);
});

test('a temporary project is removed only when due, releases no quota and needs no purge', () => {
  const project = aTemporaryProject();
  expect(removalWhenDue(project, now)).toEqual({
    project,
    at,
    onlyIfDue: true,
    dueAt: at,
    charge: undefined,
    heldUntil: '2026-05-30T12:00:00.000Z',
    purgeAt: undefined,
  });
});

test('an address is reserved for 90 days from the expiry, even if it is noticed late, or from the deletion', () => {
  const project = aProject({ expiresAt: '2026-02-01T00:00:00.000Z' });
  expect(removalWhenDue(project, now)).toMatchObject({
    heldUntil: '2026-05-02T00:00:00.000Z',
    expired: true,
  });
  expect(removalOnRequest(project, 30, now).heldUntil).toBe('2026-05-30T12:00:00.000Z');
});

test('the address of an archived project that expired does not say so', () => {
  const project = aProject({ expiresAt: '2026-02-01T00:00:00.000Z', archivedAt: at });
  expect(removalWhenDue(project, now)).not.toHaveProperty('expired');
});

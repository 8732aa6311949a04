import { expect, test } from '@jest/globals';
import { ManifestHash, StoreId } from '../../../../../core/content/content-keys.ts';
import type { Project } from '../../../../../core/projects/project.ts';
import { buildChange, buildCreation } from '../../../../../core/projects/change/project-change.ts';
import { unlimited } from '../../../../../core/projects/quota.ts';
import { buildServingRecord } from '../../../../../core/projects/build-serving-record.ts';
import { aPreview, aProject, aVersion, ownerId } from '../../../../fixtures/projects/a-project.ts';
import { now } from '../../../../fixtures/visits/a-site.ts';

const limits = { maxProjects: 5, maxStorageBytes: 5000 };
const at = '2026-03-01T12:00:00.000Z';
const times = {
  at,
  purgeAt: '2026-03-01T12:01:00.000Z',
  dropAt: '2026-03-01T14:00:00.000Z',
  heldUntil: '2026-05-30T12:00:00.000Z',
};
const live = aVersion();

test('a change writes the next revision and its serving record, and nothing else', () => {
  const before = aProject();
  const { edgeFrom: _, ...kept } = before;
  const after = { ...kept, title: 'New', revision: 4, updatedAt: at };
  expect(buildChange(before, { fields: { title: 'New' }, live, limits }, now)).toEqual({
    before,
    after,
    site: buildServingRecord(after, live),
    charge: undefined,
    guard: { accountId: ownerId, expects: 'active' },
    pruned: [],
    isVisible: true,
    wantsEdgePlace: true,
    ...times,
  });
  expect(before).toEqual(aProject());
});

const archivedAt = '2026-02-01T00:00:00.000Z';
const charge = { accountId: ownerId, earlierBytes: 0, ...limits };

test.each([
  ['a larger version', aProject(), { bytes: 1500 }, { projects: 0, archived: 0, bytes: 500 }],
  ['a smaller version', aProject(), { bytes: 10 }, { projects: 0, archived: 0, bytes: -990 }],
  ['archiving', aProject(), { archivedAt }, { projects: -1, archived: 1, bytes: -1000 }],
  [
    'unarchiving',
    aProject({ archivedAt }),
    { archivedAt: null },
    { projects: 1, archived: -1, bytes: 1000 },
  ],
  ['a version of an archived project', aProject({ archivedAt }), { bytes: 1500 }, undefined],
  ['an end', aProject(), { expiresAt: archivedAt }, undefined],
  ['a new address', aProject(), { host: 'pier.sites.test' }, undefined],
  ['a takedown', aProject(), { takedown: { reason: 'abuse', at } }, undefined],
])('%s changes the totals of the account by what it is', (_, before, fields, totals) => {
  const change = buildChange(before, { fields, live, limits }, now);
  expect(change.charge).toEqual(totals && { ...charge, ...totals });
});

test.each([
  ['a change', {}, { projects: 0, bytes: -30 }],
  ['a restoration', { removingAt: archivedAt }, { projects: 1, bytes: 1007 }],
])('%s takes ended previews from the project and from what counts', (_, fields, totals) => {
  const running = aPreview({ bytes: 7 });
  const ended = aPreview({ name: 'ended', bytes: 30, expiresAt: at });
  const before = aProject({ previews: [running, ended], ...fields });
  const change = buildChange(before, { fields: { removingAt: null }, live, limits }, now);
  expect(change.after.previews).toEqual([running]);
  expect(change.charge).toEqual({ ...charge, archived: 0, ...totals });
});

test('a new version ends the intent of its upload, and prunes older versions', () => {
  const pruned = [aVersion({ version: 1 })];
  const version = aVersion({ version: 2, store: StoreId.parse('b2') });
  const next = { fields: { version: 2 }, live: version, adds: version, pruned, limits };
  expect(buildChange(aProject(), next, now)).toMatchObject({
    version,
    endsIntent: 'b2',
    pruned,
    site: { version: 2, store: 'b2' },
  });
});

test('switching to a kept version writes no version and ends no intent', () => {
  const change = buildChange(
    aProject({ version: 2 }),
    { fields: { version: 1 }, live, limits },
    now,
  );
  expect(change).not.toHaveProperty('version');
  expect(change).not.toHaveProperty('endsIntent');
  expect(change.site).toMatchObject({ version: 1, store: live.store });
});

const intent = {
  projectId: aProject().id,
  store: StoreId.parse('c3'),
  startedAt: at,
  sweepAt: '2026-03-02T12:00:00.000Z',
};

test('before the first version visitors get nothing, and the address is only reserved', () => {
  const before = aProject({ version: 0, lastVersion: 0 });
  const change = buildChange(before, { fields: {}, live: undefined, begins: intent, limits }, now);
  expect(change).toMatchObject({ site: undefined, begins: intent });
  expect(change).not.toHaveProperty('version');
});

test('the edge is purged for changes that visitors see, and for no others', () => {
  const purgeOf = (fields: Partial<Project>) =>
    buildChange(aProject(), { fields, live, limits }, now).purgeAt;
  expect(purgeOf({ host: 'pier.sites.test' })).toBe(times.purgeAt);
  expect(purgeOf({ takedown: { reason: 'abuse', at } })).toBe(times.purgeAt);
  expect(purgeOf({ version: 2 })).toBe(times.purgeAt);
  expect(purgeOf({ analyticsEnabled: false })).toBe(times.purgeAt);
  expect(purgeOf({ workspaceId: null, failure: 'none' })).toBeUndefined();
  expect(purgeOf({ lastVersion: 2 })).toBeUndefined();
});

test('a project is created with its first version, and ends the intent of its upload', () => {
  const after = aProject({ edgeFrom: undefined });
  const charged = { projects: 1, archived: 0, bytes: 1000 };
  expect(buildCreation(after, { version: live, limits }, now)).toEqual({
    before: undefined,
    after,
    site: buildServingRecord(after, live),
    version: live,
    endsIntent: live.store,
    pruned: [],
    charge: { ...charge, ...charged },
    guard: { accountId: ownerId, expects: 'active' },
    ...times,
    isVisible: true,
    wantsEdgePlace: true,
    purgeAt: undefined,
  });
});

test('a project is created with the upload that will become its first version', () => {
  const after = aProject({ version: 0, lastVersion: 0, bytes: 0, edgeFrom: undefined });
  expect(buildCreation(after, { begins: intent, limits: unlimited }, now)).toEqual({
    before: undefined,
    after,
    site: undefined,
    begins: intent,
    pruned: [],
    charge: {
      accountId: ownerId,
      ...unlimited,
      projects: 1,
      archived: 0,
      bytes: 0,
      earlierBytes: 0,
    },
    guard: { accountId: ownerId, expects: 'active' },
    ...times,
    isVisible: true,
    wantsEdgePlace: false,
    purgeAt: undefined,
  });
});

const retained = {
  hash: ManifestHash.parse('h'.repeat(43)),
  files: 1,
  bytes: 10,
  until: '2026-03-08T12:00:00.000Z',
};

test.each<[string, Partial<Project>, Partial<Project>, boolean]>([
  ['another title', {}, { title: 'New' }, true],
  ['another address', {}, { host: 'pier.sites.test' }, true],
  ['an expiry', {}, { expiresAt: '2026-03-02T12:00:00.000Z' }, true],
  ['a password', {}, { access: 'password', passwordHash: 'x' }, false],
  ['another password', { access: 'password', passwordHash: 'x' }, { passwordHash: 'y' }, false],
  ['less access', {}, { access: 'private' }, false],
  ['more access', { access: 'private' }, { access: 'public' }, false],
  ['unpublishing', {}, { status: 'private' }, false],
  ['a takedown', {}, { takedown: { reason: 'abuse', at } }, false],
  ['the end of a takedown', { takedown: { reason: 'abuse', at } }, { takedown: null }, false],
  ['a suspension', {}, { suspendedAt: at }, false],
  ['an archive', {}, { archivedAt: at }, false],
  ['restoring it', { removingAt: at }, { removingAt: null }, false],
  ['a longer life after the expiry', { expiresAt: at }, { expiresAt: null }, false],
])('after %s, assets of earlier versions stay reachable or end', (_, before, fields, stay) => {
  const change = buildChange(aProject({ retained, ...before }), { fields, live, limits }, now);
  expect(change.after.retained).toEqual(stay ? retained : undefined);
  expect(change.site?.retained).toEqual(stay ? retained : undefined);
});

test('a new list takes the place of the old one, also an empty one', () => {
  const newer = { ...retained, files: 2 };
  for (const next of [newer, undefined]) {
    const fields = { version: 2, retained: next };
    const { after } = buildChange(aProject({ retained }), { fields, live, limits }, now);
    expect(after.retained).toEqual(next);
  }
});

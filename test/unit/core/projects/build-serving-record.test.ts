import { defaultSettings } from '../../../../contract/project-settings.ts';
import { settingsOf } from '../../../../contract/project-settings.ts';
import { expect, test } from '@jest/globals';
import { buildServingRecord } from '../../../../core/projects/build-serving-record.ts';
import { passwordStampOf } from '../../../../core/visit/access/access-token.ts';
import { aProject, aTemporaryProject, aVersion } from '../../../fixtures/projects/a-project.ts';
import { ServingRecord } from '../../../../core/visit/serving-record.ts';

const end = '2026-03-05T00:00:00.000Z';
const manifest = Buffer.from('files');

test('visitors get the settings of the project and the content of the live version', () => {
  const project = aProject({
    access: 'password',
    passwordHash: 'scrypt$secret',
    status: 'private',
    type: 'html',
    expiresAt: end,
    archivedAt: end,
    publishedAt: end,
  });
  const live = aVersion({ version: 4, type: 'pdf', home: null, manifest });
  const record = buildServingRecord(project, live);
  expect(record).toEqual({
    host: 'harbour.sites.test',
    projectId: project.id,
    ownerId: project.ownerId,
    version: 4,
    store: live.store,
    title: 'Harbour',
    type: 'pdf',
    status: 'private',
    access: 'password',
    passwordStamp: passwordStampOf('scrypt$secret'),
    temporary: false,
    ...settingsOf(defaultSettings),
    home: null,
    manifest,
    publishedAt: end,
    expiresAt: end,
    archivedAt: end,
    edgeFrom: project.edgeFrom,
    ownerRevision: 0,
    restingUntil: null,
    takenDown: false,
    domainId: null,
    handedOverAt: null,
  });
  expect(ServingRecord.parse(record)).toEqual(record);
  expect(JSON.stringify(record)).not.toContain('secret');
});

test.each([
  ['somebody’s', aProject(), { temporary: false, noIndex: false, takenDown: false }],
  ['somebody’s, hidden', aProject({ noIndex: true }), { temporary: false, noIndex: true }],
  ['nobody’s: never for search engines', aTemporaryProject(), { temporary: true, noIndex: true }],
  ['taken down', aProject({ takedown: { reason: 'abuse', at: end } }), { takenDown: true }],
])('a project that is %s', (_, project, expected) => {
  expect(buildServingRecord(project, aVersion())).toMatchObject(expected);
});

test('a manifest that stands in storage is not in the record, nor why it was taken down', () => {
  const record = buildServingRecord(
    aProject({ takedown: { reason: 'abuse', at: end } }),
    aVersion({ manifest: undefined }),
  );
  expect(record).not.toHaveProperty('manifest');
  expect(JSON.stringify(record)).not.toContain('abuse');
});

import { describe, expect, test } from '@jest/globals';
import { getQrCode } from '../../../../../core/projects/addresses/qr-code.ts';
import { buildServingRecord } from '../../../../../core/projects/build-serving-record.ts';
import type { Project } from '../../../../../core/projects/project.ts';
import { refuseVisit } from '../../../../../core/visit/refuse-visit.ts';
import { aCaller, aProject, aVersion } from '../../../../fixtures/projects/a-project.ts';

const now = new Date('2026-03-01T12:00:00.000Z');

function drawn(changes: Partial<Project>, isServed = true) {
  const project = aProject(changes);
  const site = isServed ? buildServingRecord(project, aVersion()) : undefined;
  const deps = {
    projects: { get: async () => project },
    sites: { get: async (host: string) => (host === project.host ? site : undefined) },
    accounts: { get: async () => aCaller().account },
    addresses: { siteUrl: (host: string) => `https://${host}` },
    now: () => now,
  };
  const found = getQrCode(deps, { file: `${project.id}.svg`, size: 512 });
  return { found, site };
}

const unknown = {
  code: 'NOT_FOUND',
  message: 'There is no QR code at this address.',
};

describe('a project without a public address has no QR code, like an unknown project', () => {
  test.each<[string, Partial<Project>]>([
    ['unpublished', { status: 'private' }],
    ['unpublished and with a password', { status: 'private', access: 'password' }],
    ['archived', { archivedAt: '2026-03-01T11:00:00.000Z' }],
    ['expired', { expiresAt: '2026-03-01T12:00:00.000Z' }],
    ['taken down', { takedown: { reason: 'phishing', at: '2026-03-01T11:00:00.000Z' } }],
    ['nobody’s', { ownerId: null }],
  ])('%s', async (_, changes) => {
    await expect(drawn(changes).found).rejects.toMatchObject(unknown);
  });

  test('still uploading, or whose address another project has', async () => {
    await expect(drawn({ version: 0 }, false).found).rejects.toMatchObject(unknown);
  });
});

test.each<[string, Partial<Project>]>([
  ['open to everybody', {}],
  ['with a password', { access: 'password', passwordHash: 'x' }],
  ['for its owner alone', { access: 'private' }],
  ['resting', { restingUntil: '2026-04-01T00:00:00.000Z' }],
])('a published project has a QR code: %s', async (_, changes) => {
  const { found, site } = drawn(changes);
  expect((await found).content).toContain('<svg');
  // Visitors find something at its address, whoever they are.
  expect(refuseVisit(site, 'stranger', now)?.kind ?? 'shown').not.toBe('missing');
});

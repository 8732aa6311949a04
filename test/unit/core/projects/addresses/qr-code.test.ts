import { inflateSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { create } from 'qrcode';
import { modulePng } from '../../../../../core/projects/addresses/module-png.ts';
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

test.each([128, 500, 2048])(
  'a PNG of %d pixels has a bit for each, and shows each module',
  (width) => {
    const { modules } = create('https://harbour.sites.test', { errorCorrectionLevel: 'M' });
    const png = modulePng(modules, 4, width);
    // What draws millions of pixels in colours keeps a function busy for anybody who asks.
    expect(png.length).toBeLessThan(8000);
    const dataAt = png.indexOf('IDAT');
    const length = png.readUInt32BE(dataAt - 4);
    const rows = inflateSync(png.subarray(dataAt + 4, dataAt + 4 + length));
    const rowBytes = 1 + Math.ceil(width / 8);
    expect(rows).toHaveLength(width * rowBytes);
    const isDark = (x: number, y: number) =>
      ((rows[y * rowBytes + 1 + (x >> 3)] ?? 0) & (0x80 >> (x & 7))) === 0;
    const middle = (at: number) => Math.floor(((at + 4 + 0.5) * width) / (modules.size + 8));
    for (let row = -4; row < modules.size + 4; row += 1) {
      for (let column = -4; column < modules.size + 4; column += 1) {
        const isIn = Math.min(row, column) >= 0 && Math.max(row, column) < modules.size;
        const expected = isIn && modules.get(row, column) === 1;
        expect(isDark(middle(column), middle(row))).toBe(expected);
      }
    }
  },
);

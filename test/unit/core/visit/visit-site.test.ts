import { describe, expect, test } from '@jest/globals';
import { StoreId } from '../../../../core/content/content-keys.ts';
import { instant, plusSeconds } from '../../../../core/instants.ts';
import type { Version } from '../../../../core/projects/project.ts';
import { encodeManifest } from '../../../../core/visit/manifest.ts';
import { previewToken } from '../../../../core/visit/access/preview-token.ts';
import type { ServingRecord } from '../../../../core/visit/serving-record.ts';
import { visitSite } from '../../../../core/visit/visit-site.ts';
import { aManifest, aSite, aVisit, now, someAddresses } from '../../../fixtures/visits/a-site.ts';
import { fixedSecret } from '../../../../core/secrets/rotating-secret.ts';

const accessSecret = fixedSecret('a secret of a test');
const expires = now.getTime() / 1000 + 3600;
const live = encodeManifest(aManifest('index.html', 'live.css'));
const old: Version = {
  version: 3,
  store: StoreId.parse('b3'),
  type: 'zip',
  home: 'old.html',
  bytes: 100,
  fileCount: 2,
  manifest: encodeManifest(aManifest('old.html', 'old.css')),
  createdAt: '2026-02-01T11:00:00.000Z',
};

/** One visit, and how often versions were read for it. */
async function visit(
  changes: Partial<ServingRecord> = {},
  {
    path = '/',
    version = 3,
    conditions = {},
    access = '-',
    preview = previewToken(accessSecret, { projectId: aSite().projectId, version, expires }),
  } = {},
) {
  const asked: number[] = [];
  const outcome = await visitSite(
    {
      accessSecret,
      sites: { get: async () => aSite({ manifest: live, ...changes }) },
      keptVersion: async (_, wanted) => {
        asked.push(wanted);
        return wanted === old.version ? old : undefined;
      },
      content: { get: async () => undefined },
      manifests: new Map(),
      heads: someAddresses,
    },
    aSite().host,
    { ...aVisit({ path, conditions }), access, preview, cleared: '-' },
    now,
  );
  return { ...outcome, asked };
}

describe('with a token', () => {
  test('a visitor sees the version that it shows, its files and its home', async () => {
    const { site, decision, preview, asked } = await visit();
    expect(decision).toMatchObject({ kind: 'file', file: { path: 'old.html' } });
    expect({ preview, asked }).toEqual({ preview: true, asked: [3] });
    expect(site).toMatchObject({
      version: 3,
      store: 'b3',
      home: 'old.html',
      analyticsEnabled: false,
    });
    expect((await visit({}, { path: '/live.css' })).decision).toMatchObject({ kind: 'missing' });
  });

  test('a link to a large file dies with the preview', async () => {
    const { site } = await visit({ expiresAt: instant(plusSeconds(now, 86_400)) });
    expect(site?.expiresAt).toBe(instant(new Date(expires * 1000)));
  });

  test('a version that left the history ends the preview', async () => {
    const { decision, preview } = await visit({}, { version: 4 });
    expect({ decision, preview }).toEqual({ decision: { kind: 'preview-ended' }, preview: true });
  });

  test('dates do not tell versions apart, tags do', async () => {
    const ifModifiedSince = new Date(now).toUTCString();
    const dated = await visit({}, { conditions: { ifModifiedSince } });
    expect(dated.decision.kind).toBe('file');
    const ifNoneMatch = '"hash-of-old.html"';
    const tagged = await visit({}, { conditions: { ifModifiedSince, ifNoneMatch } });
    expect(tagged.decision.kind).toBe('not-modified');
  });

  test.each<[string, Partial<ServingRecord>, string]>([
    ['has expired', { expiresAt: instant(now) }, 'gone'],
    ['was taken down', { takenDown: true }, 'withheld'],
    ['is archived', { archivedAt: instant(now) }, 'missing'],
    ['is not public', { status: 'private' }, 'missing'],
    ['asks for a password', { access: 'password' }, 'locked'],
    ['is its owner’s alone', { access: 'private' }, 'locked'],
  ])('nobody sees more of a site that %s', async (_, changes, kind) => {
    const { decision, asked } = await visit(changes);
    expect(decision.kind).toBe(kind);
    expect(asked).toEqual([]);
  });
});

test.each(['-', '', 'nonsense', `${aSite().projectId}.3.${expires}.${'A'.repeat(43)}`])(
  'with the token %j a visitor sees the live version, and no version is read',
  async (preview) => {
    const outcome = await visit({}, { preview });
    expect(outcome.decision).toMatchObject({ kind: 'file', file: { path: 'index.html' } });
    expect(outcome.preview).toBeUndefined();
    expect(outcome.asked).toEqual([]);
  },
);

import { describe, expect, test } from '@jest/globals';
import { StoreId } from '../../../../core/content/content-keys.ts';
import { instant, plusSeconds } from '../../../../core/instants.ts';
import { contentMemory } from '../../../../core/visit/content-memory.ts';
import { encodeManifest } from '../../../../core/visit/manifest.ts';
import { previewToken } from '../../../../core/visit/access/preview.ts';
import type { ServingRecord } from '../../../../core/visit/serving-record.ts';
import { applicableConditions, loadSite } from '../../../../core/visit/load-site.ts';
import { decideVisit } from '../../../../core/visit/decide-visit.ts';
import { aVersion } from '../../../fixtures/projects/a-project.ts';
import { aManifest, aSite, aVisit, noRoots, now } from '../../../fixtures/visits/a-site.ts';
import { fixedSecret } from '../../../fixtures/fixed-secret.ts';

const accessSecret = fixedSecret('a secret of a test');
const expires = now.getTime() / 1000 + 3600;
const live = encodeManifest(aManifest('index.html', 'live.css'));
const old = aVersion({
  version: 3,
  store: StoreId.parse('b3'),
  home: 'old.html',
  manifest: encodeManifest(aManifest('old.html', 'old.css')),
});

/** One visit, and how often versions were read for it. */
async function visit(
  changes: Partial<ServingRecord> = {},
  {
    path = '/',
    version = 3,
    conditions = {},
    access = '-',
    host = aSite().host,
    preview = previewToken(accessSecret, { projectId: aSite().projectId, version, expires }),
  } = {},
) {
  const versionsRead: number[] = [];
  const request = { ...aVisit({ path, conditions }), access, preview, cleared: '-' };
  const loaded = await loadSite(
    {
      accessSecret,
      roots: noRoots,
      sites: {
        get: async (versionsRead) =>
          versionsRead === aSite().host ? aSite({ manifest: live, ...changes }) : undefined,
      },
      keptVersion: async (_, wanted) => {
        versionsRead.push(wanted);
        return wanted === old.version ? old : undefined;
      },
      content: { get: async () => undefined },
      contents: contentMemory(),
    },
    { ...request, host, domainId: null },
    now,
  );
  const applicable = { ...request, conditions: applicableConditions(loaded, conditions) };
  const decision = loaded.refusal ?? decideVisit(loaded.site, loaded.files, applicable);
  return { ...loaded, decision, versionsRead };
}

describe('with a token', () => {
  test('a visitor sees the version that it shows, its files and its home', async () => {
    const { site, decision, isPreview, versionsRead } = await visit();
    expect(decision).toMatchObject({ kind: 'file', file: { path: 'old.html' } });
    expect({ isPreview, versionsRead }).toEqual({ isPreview: true, versionsRead: [3] });
    expect(site).toMatchObject({
      version: 3,
      store: 'b3',
      home: 'old.html',
      analyticsEnabled: false,
    });
    expect((await visit({}, { path: '/live.css' })).decision).toMatchObject({ kind: 'missing' });
  });

  test('a link to a large file ends with the preview', async () => {
    const { site } = await visit({ expiresAt: instant(plusSeconds(now, 86_400)) });
    expect(site?.expiresAt).toBe(instant(new Date(expires * 1000)));
  });

  test('a version that left the history ends the preview', async () => {
    const { decision, isPreview } = await visit({}, { version: 4 });
    expect({ decision, isPreview }).toEqual({
      decision: { kind: 'preview-ended' },
      isPreview: true,
    });
  });

  test('versions differ in their ETags, not in their dates', async () => {
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
  ])('a preview shows nothing of a site that %s', async (_, changes, kind) => {
    const { decision, versionsRead } = await visit(changes);
    expect(decision.kind).toBe(kind);
    expect(versionsRead).toEqual([]);
  });
});

test.each(['-', '', 'nonsense', `${aSite().projectId}.3.${expires}.${'A'.repeat(43)}`])(
  'with the token %j a visitor sees the live version, and no version is read',
  async (preview) => {
    const outcome = await visit({}, { preview });
    expect(outcome.decision).toMatchObject({ kind: 'file', file: { path: 'index.html' } });
    expect(outcome.isPreview).toBe(false);
    expect(outcome.versionsRead).toEqual([]);
  },
);

describe('at the host of a version', () => {
  const host = aSite().host.replace('.', '--v3.');
  const tokenFor = (version: number) =>
    previewToken(accessSecret, { projectId: aSite().projectId, version, expires });

  test('a visitor with its link sees this version', async () => {
    const { decision, isPreview, site } = await visit({}, { host, preview: tokenFor(3) });
    expect(decision).toMatchObject({ kind: 'file', file: { path: 'old.html' } });
    expect([isPreview, site?.host]).toEqual([true, host]);
  });

  test.each([
    ['without a link', '-'],
    ['with a link to another version', tokenFor(2)],
    ['with a forged link', `${tokenFor(3).slice(0, -1)}!`],
  ])('a visitor %s sees no version, and not the live one', async (_, preview) => {
    const { decision, files } = await visit({}, { host, preview });
    expect({ decision, files }).toEqual({ decision: { kind: 'preview-ended' }, files: undefined });
  });

  test('the access of the project applies first', async () => {
    const { decision } = await visit({ access: 'private' }, { host, preview: tokenFor(3) });
    expect(decision).toEqual({ kind: 'locked', ask: 'owner' });
  });
});

import { describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { siteDirectory } from '../../../../adapters/dynamodb/projects/site-directory.ts';
import type { SiteDirectory } from '../../../../core/ports.ts';
import { StoreId } from '../../../../core/content/content-keys.ts';
import { instant, plusSeconds } from '../../../../core/instants.ts';
import { contentMemory } from '../../../../core/visit/content-memory.ts';
import { encodeManifest } from '../../../../core/visit/manifest.ts';
import { accessToken } from '../../../../core/visit/access/access-token.ts';
import { previewToken } from '../../../../core/visit/access/preview.ts';
import type { ServingRecord } from '../../../../core/visit/serving-record.ts';
import { applicableConditions, loadSite } from '../../../../core/visit/load-site.ts';
import { decideVisit } from '../../../../core/visit/decide-visit.ts';
import { aVersion } from '../../../fixtures/projects/a-project.ts';
import {
  aManifest,
  aSite,
  aVisit,
  noLinks,
  noVisitors,
  noRoots,
  now,
} from '../../../fixtures/visits/a-site.ts';
import type { ProjectId } from '../../../../contract/fields.ts';
import {
  linkCookieSeconds,
  linkStampOf,
  type ShareLink,
  type ShareLinkId,
} from '../../../../core/share-links/share-link.ts';
import { aShareLink } from '../../../fixtures/visits/share-links.ts';
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
    shareLinks = noLinks as {
      find(projectId: ProjectId, id: ShareLinkId): Promise<ShareLink | undefined>;
    },
    preview = previewToken(accessSecret, { projectId: aSite().projectId, version, expires }),
    sites = {
      get: async (host) =>
        host === aSite().host ? aSite({ manifest: live, ...changes }) : undefined,
    } as SiteDirectory,
  } = {},
) {
  const versionsRead: number[] = [];
  const request = { ...aVisit({ path, conditions }), access, preview, cleared: '-' };
  const loaded = await loadSite(
    {
      accessSecret,
      roots: noRoots,
      shareLinks,
      visitors: noVisitors,
      sites,
      namedPreview: async (_, name) => {
        versionsRead.push(old.version);
        const { publicPreview, until } = {
          publicPreview: name === 'open',
          until: plusSeconds(now, 60),
        };
        const expiresAt = instant(name === 'over' ? now : until);
        const preview = { access: publicPreview ? 'public' : 'project', expiresAt } as const;
        return name === 'none' ? undefined : { preview, version: old };
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

test.each([
  ['expired lately', { host: 'gone.sites.test' }, 'gone'],
  ['expired long ago', { host: 'gone.sites.test', heldUntil: instant(now) }, 'missing'],
  ['expired in another domain', { host: 'gone.sites.test', domainId: randomUUID() }, 'missing'],
  ['was deleted', { host: 'gone.sites.test', expired: undefined }, 'missing'],
  ['never was', undefined, 'missing'],
])('an address whose project %s', async (_, row, kind) => {
  const heldUntil = instant(plusSeconds(now, 60));
  const sites = siteDirectory(async () => row && { heldUntil, expired: true, ...row }, 'sites');
  const { decision } = await visit({}, { host: 'gone.sites.test', sites });
  expect(decision.kind).toBe(kind);
});

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

describe('by a share link', () => {
  const inside = (link: ShareLink, age = 0) =>
    accessToken(accessSecret, {
      projectId: link.projectId,
      role: 'link',
      stamp: linkStampOf(link),
      expires: now.getTime() / 1000 - age + linkCookieSeconds,
    });
  const privately = { access: 'private' } as const;

  test('a private site is shown, to this visitor alone, and the link is read once', async () => {
    const { link } = aShareLink();
    const read: string[] = [];
    const shareLinks = {
      find: async (_: ProjectId, id: ShareLinkId) => {
        read.push(id);
        return link;
      },
    };
    const seen = await visit(privately, { access: inside(link), preview: '-', shareLinks });
    expect(seen.decision).toMatchObject({ kind: 'file', file: { path: 'index.html' } });
    expect(seen).toMatchObject({ isPreview: true, isOwner: false, link: { name: 'Anna' } });
    expect(seen.site?.analyticsEnabled).toBe(true);
    expect(read).toEqual([link.id]);
  });

  test.each<[string, Partial<ShareLink>, number, string]>([
    ['another version', { version: 3 }, 0, 'file'],
    ['a version that is gone', { version: 4 }, 0, 'preview-ended'],
    ['a page that is a new open', { maxOpens: 1 }, 1800, 'new-open'],
    ['a link that has expired', { expiresAt: instant(now) }, 0, 'locked'],
  ])('%s', async (_, changes, age, kind) => {
    const { link } = aShareLink(changes);
    const shareLinks = { find: async () => link };
    const access = inside(link, age);
    const seen = await visit(privately, { access, preview: '-', shareLinks });
    expect(seen.decision.kind).toBe(kind);
    if (kind === 'file') expect(seen.site).toMatchObject({ version: 3, analyticsEnabled: true });
  });

  test.each<[string, Partial<ServingRecord>, string]>([
    ['has expired', { expiresAt: instant(now) }, 'gone'],
    ['was taken down', { takenDown: true }, 'withheld'],
    ['is archived', { archivedAt: instant(now) }, 'missing'],
    ['is not public', { status: 'private' }, 'missing'],
  ])('nothing is shown of a site that %s', async (_, changes, kind) => {
    const { link } = aShareLink({ maxOpens: 1 });
    const shareLinks = { find: async () => link };
    const seen = await visit(changes, { access: inside(link, 3600), preview: '-', shareLinks });
    expect(seen.decision.kind).toBe(kind);
  });

  test('the host of a version stays closed', async () => {
    const { link } = aShareLink({ version: 3 });
    const host = aSite().host.replace('.', '--v3.');
    const shareLinks = { find: async () => link };
    const seen = await visit({}, { access: inside(link), preview: '-', host, shareLinks });
    expect(seen.decision.kind).toBe('preview-ended');
  });

  test('a named preview stays closed', async () => {
    const { link } = aShareLink();
    const host = aSite().host.replace('.', '--pr-42.');
    const shareLinks = { find: async () => link };
    const seen = await visit(privately, { access: inside(link), preview: '-', host, shareLinks });
    expect(seen.decision.kind).toBe('preview-ended');
  });
});

describe('at the address of a named preview', () => {
  const at = (name: string) => ({ host: aSite().host.replace('.', `--${name}.`), preview: '-' });

  test('everybody who may view the project sees it, without a token; nothing counts or is indexed', async () => {
    const { site, decision, isPreview } = await visit({ noIndex: false }, at('pr-42'));
    expect(decision).toMatchObject({ kind: 'file', file: { path: 'old.html' } });
    expect(isPreview).toBe(true);
    expect(site).toMatchObject({ analyticsEnabled: false, noIndex: true, store: 'b3' });
    expect(site?.expiresAt).toBe(instant(plusSeconds(now, 60)));
  });

  test.each(['none', 'over'])('%s: nothing is there', async (name) => {
    const { decision, site } = await visit({}, at(name));
    expect([decision, site]).toEqual([{ kind: 'missing', what: 'site' }, undefined]);
  });

  test.each<[string, Partial<ServingRecord>, string, string]>([
    ['asks for a password', { access: 'password', passwordStamp: 'x' }, 'locked', 'file'],
    ['is its owner’s alone', { access: 'private' }, 'locked', 'file'],
    ['was taken down', { takenDown: true }, 'withheld', 'withheld'],
    ['is archived', { archivedAt: instant(now) }, 'missing', 'missing'],
    ['is not public', { status: 'private' }, 'missing', 'missing'],
    ['has expired', { expiresAt: instant(now) }, 'gone', 'gone'],
  ])('of a project that %s', async (_, changes, ofProject, ofPublic) => {
    expect((await visit(changes, at('pr-42'))).decision.kind).toBe(ofProject);
    expect((await visit(changes, at('open'))).decision.kind).toBe(ofPublic);
  });
});

import { describe, expect, test } from '@jest/globals';
import { DomainId, ProjectId, Slug, WorkspaceId } from '../../../../contract/fields.ts';
import type { Account } from '../../../../core/accounts/account.ts';
import { contentHash } from '../../../../core/content/content-keys.ts';
import type { StoredDomain } from '../../../../core/domains/domain.ts';
import type { ContentStore } from '../../../../core/ports.ts';
import { type Project, Version } from '../../../../core/projects/project.ts';
import { importAccount, type ImportAccountDeps } from '../../../../core/transfer/import-account.ts';
import type { ImportPublication, PublicationOutcome } from '../../../../core/transfer/ports.ts';
import { decodeRules } from '../../../../core/site-rules/site-rules.ts';
import type { Workspace } from '../../../../core/workspaces/workspace.ts';
import { filePlace, readFilePlace } from '../../../../core/visit/file-place.ts';
import { decodeManifest } from '../../../../core/visit/manifest.ts';
import { aDomain, domainId } from '../../../fixtures/domains/a-domain.ts';
import { ownerId } from '../../../fixtures/projects/a-project.ts';
import {
  anArchive,
  anArchivedProject,
  anArchivedVersion,
  anExportedFile,
  bytesAt,
} from '../../../fixtures/archives/an-archive.ts';

const now = new Date('2026-03-02T12:00:00.000Z');

/** An installation in memory, which may be cut off after a number of stored objects. */
class Place {
  accounts: Account[] = [];
  objects = new Map<string, Buffer>();
  begun = new Map<ProjectId, Project>();
  shown = new Map<ProjectId, ImportPublication>();
  versions = new Map<ProjectId, Version[]>();
  workspaces: Workspace[] = [];
  domains: StoredDomain[] = [];
  puts = 0;
  diesAfter = Number.POSITIVE_INFINITY;
  outcome: PublicationOutcome = 'published';
  holder: string | undefined;
  missing: string | undefined;
  reported: unknown[] = [];

  get deps(): ImportAccountDeps {
    const content: Pick<ContentStore, 'put' | 'get' | 'deletePrefix'> = {
      put: async ({ key, bytes }) => {
        if (this.puts === this.diesAfter) throw new Error('cut off');
        this.puts += 1;
        this.objects.set(key, Buffer.from(bytes));
      },
      get: async (key, range) =>
        this.objects.get(key)?.subarray(range?.first, range && range.last + 1),
      deletePrefix: async (prefix) => {
        if (this.puts === this.diesAfter) throw new Error('cut off');
        for (const key of this.objects.keys()) if (key.startsWith(prefix)) this.objects.delete(key);
      },
    };
    return {
      accounts: {
        findByEmail: async (email) => this.accounts.find((one) => one.email === email),
        create: async (account) => {
          this.accounts.push(account);
          return account;
        },
      },
      workspaces: {
        list: async () => this.workspaces,
        createWithinLimit: async (_, __, workspace) => {
          this.workspaces.push(workspace);
          return true;
        },
      },
      projects: {
        listVersions: async (id) => (this.versions.get(id) ?? []).toReversed(),
        checkAvailability: async (host) => (host === this.holder ? 'taken' : 'available'),
        removeRows: async (id) => {
          this.begun.delete(id);
          this.versions.delete(id);
        },
      },
      imports: {
        find: async (id) => {
          const shown = this.shown.get(id)?.project;
          const begun = this.begun.get(id);
          if (shown !== undefined) return { project: shown, isUnfinishedImport: false };
          return begun === undefined ? undefined : { project: begun, isUnfinishedImport: true };
        },
        begin: async ({ project }) => {
          this.begun.set(project.id, project);
          return true;
        },
        addVersion: async (id, version) => {
          this.versions.set(id, [...(this.versions.get(id) ?? []), version]);
        },
        publish: async (showing) => {
          if (this.outcome !== 'published') return this.outcome;
          this.begun.delete(showing.project.id);
          this.shown.set(showing.project.id, showing);
          return 'published';
        },
      },
      content: content as ContentStore,
      objects: {
        holds: async ({ hash }) => contents.has(hash) && hash !== this.missing,
        async *read({ hash }) {
          yield contents.get(hash) ?? Buffer.alloc(0);
        },
      },
      domains: { list: async () => this.domains },
      addresses: { hostOf: (slug, domain = 'other.test') => `${slug}.${domain}` },
      now: () => now,
      report: (_, imported) => void this.reported.push(imported),
    };
  }
}

const [, second] = anArchivedProject().versions;
const numbers = Array.from({ length: 10 }, (_, at) => at);
const contents = new Map(
  [
    bytesAt('index.html'),
    bytesAt('style.css'),
    bytesAt('index.html', 'again'),
    ...numbers.map((at) => bytesAt(`${at}.txt`)),
  ].map((bytes) => [contentHash(bytes), bytes]),
);
const project = anArchivedProject();
const archive = anArchive([project]);
const refused = (reason: string) => [{ refused: expect.stringContaining(reason) }];

describe('an account', () => {
  test('is restored unchanged, with its own totals', async () => {
    const place = new Place();
    const summary = await importAccount(place.deps, archive);
    expect(summary).toMatchObject({ isNew: true, restored: 1, same: 0, refused: 0 });
    const { projectCount: _, storageBytes: __, ...facts } = archive.account;
    expect(place.accounts).toEqual([
      { ...facts, id: summary.account.id, projectCount: 0, storageBytes: 0 },
    ]);
  });

  test('that exists stays unchanged; another address is another account', async () => {
    const place = new Place();
    const mine = {
      ...archive.account,
      id: ownerId,
      email: 'bob@example.org',
      tier: 'free',
    } as const;
    place.accounts.push(mine);
    const summary = await importAccount(place.deps, archive, { email: ' BOB@Example.org ' });
    expect(summary).toMatchObject({ isNew: false, account: mine });
    expect(place.accounts).toEqual([mine]);
    expect(place.shown.get(project.id)?.project.ownerId).toBe(ownerId);
  });
});

test('workspaces are created once, empty, and an existing one keeps its name', async () => {
  const place = new Place();
  const at = project.createdAt;
  const [mine, other] = ['a', 'b'].map((letter) => ({
    id: WorkspaceId.parse(`${letter.repeat(8)}-1111-4111-8111-111111111111`),
    name: letter,
    createdAt: at,
    updatedAt: at,
  }));
  if (mine === undefined || other === undefined) throw new Error('two were made');
  place.workspaces.push({ ...mine, name: 'renamed', projectCount: 3, deletingAt: null });
  const exported = { ...archive, workspaces: [mine, other] };
  await importAccount(place.deps, exported);
  await importAccount(place.deps, exported);
  expect(place.workspaces).toEqual([
    { ...mine, name: 'renamed', projectCount: 3, deletingAt: null },
    { ...other, projectCount: 0, deletingAt: null },
  ]);
});

describe('a project', () => {
  test('is published with its new address, its live version and its charge', async () => {
    const place = new Place();
    const { account } = await importAccount(place.deps, archive);
    const { project: shown, site, charge } = place.shown.get(project.id) ?? {};
    expect(shown).toMatchObject({
      id: project.id,
      host: 'harbour.other.test',
      ownerId: account.id,
      version: 2,
      lastVersion: 2,
      bytes: second?.bytes,
      removingAt: null,
    });
    expect(site).toMatchObject({ host: 'harbour.other.test', version: 2, temporary: false });
    expect(charge).toMatchObject({ projects: 1, bytes: second?.bytes, maxProjects: -1 });
  });

  test('keeps what published its versions', async () => {
    const place = new Place();
    const publishedBy = { kind: 'app', id: null, name: 'Tide table' } as const;
    const first = anArchivedVersion();
    const versions = [first, { ...second, publishedBy, note: 'A new pier' }];
    const older = anArchivedProject({ versions: versions as typeof project.versions });
    const [before, after] = [
      await importAccount(place.deps, anArchive([older])),
      anArchive([older]),
    ];
    expect(place.versions.get(project.id)?.map(({ note }) => note)).toEqual([
      undefined,
      'A new pier',
    ]);
    expect(place.versions.get(project.id)?.map((one) => one.publishedBy)).toEqual([
      first.publishedBy,
      publishedBy,
    ]);
    expect([before.restored, (await importAccount(place.deps, after)).same]).toEqual([1, 1]);
  });

  test('keeps the rules in its files', async () => {
    const rules = '\n/old /new 302';
    const files = [anExportedFile('index.html'), anExportedFile('_redirects', rules)];
    const bytes = bytesAt('_redirects', rules);
    contents.set(contentHash(bytes), bytes);
    const place = new Place();
    const ruled = anArchivedProject({ versions: [anArchivedVersion({}, files)] });
    await importAccount(place.deps, anArchive([ruled]));
    const { site } = place.shown.get(project.id) ?? {};
    expect(decodeRules(site?.rules).redirects).toMatchObject([{ from: '/old', to: '/new' }]);
    const [version] = place.versions.get(project.id) ?? [];
    expect(version?.warnings).toMatchObject([{ file: '_redirects', line: 1 }]);
  });

  test('has rows of a fixed size, however many links its pages have', async () => {
    const page = '<a href="/pier">'.repeat(3);
    const bytes = bytesAt('index.html', page);
    contents.set(contentHash(bytes), bytes);
    const place = new Place();
    const version = anArchivedVersion({}, [anExportedFile('index.html', page)]);
    await importAccount(place.deps, anArchive([anArchivedProject({ versions: [version] })]));
    const [row] = place.versions.get(project.id) ?? [];
    expect(Object.keys(Version.shape)).toEqual(expect.arrayContaining(Object.keys(row ?? {})));
  });

  test('of a workspace that was being deleted has none', async () => {
    const place = new Place();
    const workspaceId = WorkspaceId.parse('aaaaaaaa-1111-4111-8111-111111111111');
    const workspace = { id: workspaceId, name: 'a', createdAt: '', updatedAt: '' };
    const id = '22222222-2222-4222-8222-222222222222' as ProjectId;
    await importAccount(place.deps, anArchive([anArchivedProject({ workspaceId })]));
    const inside = anArchive([anArchivedProject({ id, workspaceId })]);
    await importAccount(place.deps, { ...inside, workspaces: [workspace] });
    const workspaceIn = (one: ProjectId) => place.shown.get(one)?.project.workspaceId;
    expect([workspaceIn(project.id), workspaceIn(id)]).toEqual([null, workspaceId]);
  });

  test('stores every content once, at the place in its manifests', async () => {
    const place = new Place();
    await importAccount(place.deps, archive);
    // Two versions of two files, of which one did not change: a pack, and the other file of the second.
    expect(place.objects.size).toBe(2);
    for (const { store, manifest, version } of place.versions.get(project.id) ?? []) {
      const files = decodeManifest(manifest ?? Buffer.alloc(0));
      expect([...files.keys()].toSorted()).toEqual(['index.html', 'style.css']);
      for (const [path, entry] of files) {
        const at = filePlace({ projectId: project.id, store }, path, entry);
        const text = path === 'index.html' && version === 2 ? 'again' : '';
        expect(await readFilePlace(place.deps.content, at)).toEqual(bytesAt(path, text));
      }
    }
  });

  test('that was archived or blocked keeps that state', async () => {
    const place = new Place();
    const changes = {
      archivedAt: project.createdAt,
      takedown: { reason: 'x', at: project.createdAt },
    };
    await importAccount(place.deps, anArchive([anArchivedProject(changes)]));
    const { charge, site } = place.shown.get(project.id) ?? {};
    // Its live version is out of the quota; what it keeps beside that is kept all the same.
    expect(charge).toMatchObject({ projects: 0, bytes: 0, earlierBytes: expect.any(Number) });
    expect(site).toMatchObject({ archivedAt: project.createdAt, takenDown: true });
  });

  test('that exists is compared and never written', async () => {
    const place = new Place();
    await importAccount(place.deps, archive);
    const { puts } = place;
    await importAccount(place.deps, archive);
    const changed = anArchive([anArchivedProject({ title: 'Another' })]);
    await importAccount(place.deps, changed);
    await importAccount(
      place.deps,
      anArchive([anArchivedProject({ versions: [anArchivedVersion()] })]),
    );
    await importAccount(place.deps, archive, { email: 'bob@example.org' });
    const another = refused('is another')[0];
    expect(place.reported).toEqual([
      'restored',
      'same',
      another,
      another,
      ...refused('belongs to another account'),
    ]);
    expect(place.puts).toBe(puts);
  });

  test.each<[string, (place: Place) => void, string, number]>([
    [
      'whose address is taken',
      (place) => void (place.holder = 'harbour.other.test'),
      'is taken',
      1,
    ],
    [
      'whose address is taken meanwhile',
      (place) => void (place.outcome = 'slug-taken'),
      'taken',
      0,
    ],
    ['whose workspace goes', (place) => void (place.outcome = 'workspace-gone'), 'workspace', 0],
    ['that another import shows', (place) => void (place.outcome = 'lost'), 'try again', 0],
  ])('%s is skipped, and the next one is tried', async (_, meet, reason, restored) => {
    const place = new Place();
    meet(place);
    const id = '22222222-2222-4222-8222-222222222222' as ProjectId;
    const next = anArchivedProject({ id, slug: 'quay' as Project['slug'] });
    const summary = await importAccount(place.deps, anArchive([project, next]));
    expect(place.reported[0]).toEqual(refused(reason)[0]);
    expect(place.reported).toHaveLength(2);
    expect(summary).toMatchObject({ restored, refused: 2 - restored });
    expect(place.shown.has(project.id)).toBe(false);
  });

  test('that was deleted here and is not removed yet stays deleted', async () => {
    const place = new Place();
    const { account } = await importAccount(place.deps, archive);
    const shown = place.shown.get(project.id);
    if (shown !== undefined) shown.project.removingAt = now.toISOString();
    await importAccount(place.deps, archive, { email: account.email });
    expect(place.reported.slice(1)).toEqual(refused('was deleted here'));
  });

  test('with a missing or damaged content is skipped', async () => {
    const place = new Place();
    place.missing = contentHash(bytesAt('style.css'));
    await importAccount(place.deps, archive);
    expect(place.reported).toEqual(refused(`objects/${place.missing}-10 is missing or damaged`));
    expect(place.begun.size).toBe(0);
  });

  test('whose contents differ from its export is not published', async () => {
    const place = new Place();
    const { deps } = place;
    const objects = {
      holds: async () => true,
      async *read({ size }: { size: number }) {
        yield Buffer.alloc(size, 1);
      },
    };
    await expect(importAccount({ ...deps, objects }, archive)).rejects.toThrow('are damaged');
    expect(place.shown.size).toBe(0);
  });
});

describe('a project that had a custom domain', () => {
  const had = anArchivedProject({ domainId });
  const exported = anArchive([had]);
  const other = DomainId.parse('9b1e7c11-2f1a-4c39-9d0e-9a115f600b7e');
  const shownIn = (place: Place) => place.shown.get(had.id)?.project;

  test.each(['harbour--pr-1', 'download', 'slipway-login', 'www'])(
    'with the address %s is skipped: no project may have it',
    async (slug) => {
      const place = new Place();
      await importAccount(place.deps, anArchive([anArchivedProject({ slug: Slug.parse(slug) })]));
      expect(place.reported).toMatchObject(refused(`${slug} is reserved`));
      expect(place.shown.size).toBe(0);
    },
  );

  test('gets an address of this service where the account has no domain', async () => {
    const place = new Place();
    await importAccount(place.deps, exported);
    expect(shownIn(place)).toMatchObject({ host: 'harbour.other.test', domainId: null });
  });

  test('is served there again where the account still has it', async () => {
    const place = new Place();
    place.domains.push(aDomain());
    await importAccount(place.deps, exported);
    expect(shownIn(place)).toMatchObject({ host: 'harbour.customer.com', domainId });
    expect(place.shown.get(had.id)?.site).toMatchObject({ domainId });
    await importAccount(place.deps, exported);
    expect(place.reported).toEqual(['restored', 'same']);
  });

  test('goes to the named domain, a project without one does not', async () => {
    const place = new Place();
    place.domains.push(aDomain(), aDomain({ id: other, name: 'xn--bcher-kva.example' }));
    const without = anArchivedProject({ id: ProjectId.parse(other), slug: Slug.parse('pier') });
    await importAccount(place.deps, anArchive([had, without]), { domain: 'bücher.example' });
    expect(shownIn(place)).toMatchObject({
      host: 'harbour.xn--bcher-kva.example',
      domainId: other,
    });
    expect(place.shown.get(without.id)?.project.domainId).toBeNull();
  });

  test('is refused a named domain that takes no projects, before anything is restored', async () => {
    const place = new Place();
    place.domains.push(aDomain({ status: 'error_dns' }));
    for (const domain of ['customer.com', 'nobody.example']) {
      await expect(importAccount(place.deps, exported, { domain })).rejects.toMatchObject({
        code: 'DOMAIN_NOT_READY',
      });
    }
    expect(place.reported).toEqual([]);
    place.domains = [aDomain()];
    place.outcome = 'domain-not-ready';
    await importAccount(place.deps, exported);
    expect(place.reported).toEqual(refused('its domain takes no projects now'));
  });
});

describe('a project whose import was interrupted', () => {
  test.each([0, 1])('after %i objects is completed, with nothing left over', async (objects) => {
    const whole = new Place();
    await importAccount(whole.deps, archive);
    const place = new Place();
    place.diesAfter = objects;
    await expect(importAccount(place.deps, archive)).rejects.toThrow('cut off');
    expect(place.shown.size).toBe(0);
    place.diesAfter = Number.POSITIVE_INFINITY;
    expect(await importAccount(place.deps, archive)).toMatchObject({ restored: 1 });
    expect([...place.objects.keys()].toSorted()).toEqual([...whole.objects.keys()].toSorted());
    expect(place.versions).toEqual(whole.versions);
  });

  test('starts again if the next import is of another export', async () => {
    const place = new Place();
    place.diesAfter = 1;
    await expect(importAccount(place.deps, archive)).rejects.toThrow('cut off');
    place.diesAfter = Number.POSITIVE_INFINITY;
    const later = anArchivedProject({ versions: [{ ...anArchivedVersion(), version: 2 }] });
    await importAccount(place.deps, anArchive([later]));
    // The pack of its one version.
    expect(place.objects.size).toBe(1);
    expect(place.versions.get(project.id)?.map(({ version }) => version)).toEqual([2]);
  });
});

describe('the packs of versions', () => {
  const packsOf = ({ objects }: Place) =>
    [...objects.keys()].filter((key) => /\/p[0-9a-f]{24}-\d+$/.test(key));

  test('that an interrupted import named otherwise do not stay', async () => {
    const whole = new Place();
    await importAccount(whole.deps, archive);
    const begun = new Place();
    const stray = packsOf(whole).map((key) => key.replace(/p[0-9a-f]{24}/, 'p'.padEnd(25, '0')));
    for (const key of stray) begun.objects.set(key, Buffer.from('x'));
    await importAccount(begun.deps, archive);
    expect(stray.length).toBeGreaterThan(0);
    expect([...begun.objects.keys()].toSorted()).toEqual([...whole.objects.keys()].toSorted());
  });

  test('that a version needed of its own are those that the next one shows', async () => {
    const few = numbers.slice(0, 4).map((at) => anExportedFile(`${at}.txt`));
    const all = numbers.map((at) => anExportedFile(`${at}.txt`));
    const versions = [all, few, few, few].map((files, index) =>
      anArchivedVersion({ version: index + 1, home: null }, files),
    );
    const place = new Place();
    const slides = anArchivedProject({ versions, liveVersion: 4, lastVersion: 4 });
    await importAccount(place.deps, anArchive([slides]));
    expect(packsOf(place)).toHaveLength(2);
  });
});

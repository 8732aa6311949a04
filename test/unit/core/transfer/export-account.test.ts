import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { ExportPage } from '../../../../contract/account-export.ts';
import { ProjectId } from '../../../../contract/fields.ts';
import { defaultPlans } from '../../../../contract/plans.ts';
import { noVisitors } from '../../../fixtures/visits/a-site.ts';
import type { AccountCaller } from '../../../../core/caller.ts';
import { packLocation, StoreId, uploadLocation } from '../../../../core/content/content-keys.ts';
import type { Project, Version } from '../../../../core/projects/project.ts';
import {
  exportAccount,
  type ExportAccountDeps,
  pageBudget,
} from '../../../../core/transfer/export-account.ts';
import { archiveBuilder } from '../../../../core/transfer/gather-pages.ts';
import { fixedSecret } from '../../../fixtures/fixed-secret.ts';
import { parseOwnFilePath } from '../../../../core/visit/access/own-file-link.ts';
import { encodeManifest } from '../../../../core/visit/manifest.ts';
import { aProject, aVersion, ownerId } from '../../../fixtures/projects/a-project.ts';

const createdAt = '2026-03-01T11:00:00.000Z';
const caller = {
  account: {
    id: ownerId,
    email: 'ann@example.org',
    tier: 'pro',
    trialEndsAt: null,
    createdAt,
    projectCount: 1,
    storageBytes: 2,
  },
} as AccountCaller;

function aVersionOf(
  version: number,
  count: number,
  name = (index: number) => `f${index}.txt`,
): Version {
  const files = Array.from(
    { length: count },
    (_, index) => [name(index), { size: 1, hash: `${version}-${index}`.padEnd(16, 'x') }] as const,
  );
  return aVersion({
    version,
    store: StoreId.parse(`${version}`),
    home: null,
    bytes: count,
    fileCount: count,
    createdAt,
    manifest: encodeManifest(new Map(files)),
  });
}

/** An account's projects in memory; what is in `rows` may change between two pages. */
class Shelf {
  rows: { project: Project; versions: Version[] }[] = [];
  reads = 0;

  add(versions: Version[], changes: Partial<Project> = {}): Project {
    const last = Math.max(...versions.map(({ version }) => version));
    const at = new Date(Date.parse(createdAt) + this.rows.length * 1000).toISOString();
    const id = ProjectId.parse(randomUUID());
    const facts = { id, version: last, lastVersion: last, createdAt: at, ...changes };
    const project = aProject(facts);
    this.rows.push({ project, versions });
    return project;
  }

  /** How many pages were counted in this hour. */
  counted = 0;

  get deps(): ExportAccountDeps {
    const find = (id: ProjectId) => this.rows.find(({ project }) => project.id === id);
    const rows = () => this.rows;
    return {
      counters: { count: async () => (this.counted += 1) },
      listing: {
        async *oldestFirst(_, from = '') {
          for (const { project } of rows()) {
            const listedAt = `${project.createdAt}#${project.id}`;
            if (listedAt >= from) yield { projectId: project.id, listedAt };
          }
        },
      },
      workspaces: { list: async () => [] },
      projects: {
        get: async (id) => {
          this.reads += 1;
          return find(id)?.project;
        },
        listVersions: async (id) => (find(id)?.versions ?? []).toReversed(),
      },
      content: { get: async () => undefined },
      accessSecret: fixedSecret('the secret that signs links'),
      addresses: { downloadUrl: (path) => `https://download.test${path}` },
      visitors: noVisitors,
      plans: defaultPlans,
      now: () => new Date(createdAt),
    };
  }

  async pages(
    limit: number,
    between: (page: ExportPage) => void = () => {},
  ): Promise<ExportPage[]> {
    const pages: ExportPage[] = [];
    let cursor: string | undefined;
    do {
      const page = await exportAccount(this.deps, caller, { cursor, limit });
      pages.push(page);
      between(page);
      cursor = page.next ?? undefined;
    } while (cursor !== undefined);
    return pages;
  }
}

function gathered([first, ...rest]: ExportPage[]) {
  if (first === undefined) throw new Error('no page');
  const gathering = archiveBuilder(first);
  for (const page of rest) gathering.add(page);
  return gathering.result();
}

function aShelf(): Shelf {
  const shelf = new Shelf();
  shelf.add([aVersionOf(1, 3), aVersionOf(2, 5), aVersionOf(4, 1)]);
  shelf.add([aVersionOf(1, 1)], { archivedAt: createdAt });
  shelf.add([aVersionOf(7, 11)], { expiresAt: createdAt });
  return shelf;
}

const filesOn = ({ projects }: ExportPage) =>
  projects.flatMap(({ versions }) => versions.flatMap(({ files }) => files)).length;

describe('pages', () => {
  test.each([1, 2, 3, 4, 5, 7, 10, 20, 21, 22, 2000])(
    'of %i files contain no more, and together are complete',
    async (limit) => {
      const shelf = aShelf();
      const pages = await shelf.pages(limit);
      expect(pages.map(filesOn)).toEqual([
        ...Array.from({ length: Math.ceil(21 / limit) - 1 }, () => limit),
        21 - limit * (Math.ceil(21 / limit) - 1),
      ]);
      const { archive, incomplete } = gathered(pages);
      expect(incomplete).toEqual([]);
      expect(archive).toEqual(gathered(await shelf.pages(2000)).archive);
      expect(archive.projects.map(({ versions }) => versions.map((one) => one.version))).toEqual([
        [1, 2, 4],
        [1],
        [7],
      ]);
    },
  );

  test('have a link to every stored file, for an hour, and none to an empty one', async () => {
    const storedAt = packLocation('3', 'c'.repeat(64), 9);
    const hash = 'x'.repeat(16);
    const files = new Map([
      ['a', { size: 5, hash, storedAt, offset: 0 }],
      ['b', { size: 0, hash, storedAt, offset: 5 }],
      ['c/d e', { size: 4, hash }],
    ]);
    const shelf = new Shelf();
    const { id, host } = shelf.add([{ ...aVersionOf(3, 3), manifest: encodeManifest(files) }]);
    const [page] = await shelf.pages(10);
    const urls = page?.projects[0]?.versions[0]?.files.map(({ url }) => url) ?? [];
    const links = urls.map((url = '') => parseOwnFilePath(new URL(url, 'https://none').pathname));
    const bytesOfDay = 5 * defaultPlans.pro.maxStorageBytes;
    const madeAt = Date.parse(createdAt);
    const file = { bytesOfDay, host, projectId: id, madeAt, expires: madeAt / 1000 + 3600 };
    const location = uploadLocation('3', 'c/d e');
    expect(links.map((link) => link?.link)).toEqual([
      { ...file, location: storedAt, offset: 0, size: 5, name: 'a' },
      undefined,
      { ...file, location, offset: undefined, size: 4, name: 'd e' },
    ]);
    expect(urls[1]).toBeUndefined();
  });

  test('end before the API would, however slow storage is', async () => {
    const shelf = new Shelf();
    shelf.add([aVersionOf(1, 1), aVersionOf(2, 1), aVersionOf(3, 1)]);
    let reads = 0;
    // Each look at the clock is ten seconds after the last one.
    const now = () => new Date(Date.parse(createdAt) + (reads += 1) * 10_000);
    const page = await exportAccount({ ...shelf.deps, now }, caller, { limit: 10 });
    expect(filesOn(page)).toBeLessThan(3);
    expect(filesOn(page)).toBeGreaterThan(0);
    expect(page.next).not.toBeNull();
  });

  test('stay below a function’s response limit, for paths of any length', async () => {
    const shelf = new Shelf();
    shelf.add([aVersionOf(1, 2000, (index) => `${'"ü'.repeat(335)}${index}`)]);
    shelf.add([aVersionOf(1, 2000, (index) => `${'"ü'.repeat(335)}${index}`)]);
    const pages = await shelf.pages(2000);
    expect(pages.length).toBeGreaterThan(1);
    for (const page of pages) {
      const answer = JSON.stringify({ body: JSON.stringify({ status: 'success', data: page }) });
      expect(Buffer.byteLength(answer)).toBeLessThan(6 * 1024 * 1024);
    }
    expect(gathered(pages).incomplete).toEqual([]);
  });

  test('are at most 600 in an hour, and what is refused reads nothing', async () => {
    const account = new Shelf();
    account.add([aVersion()]);
    account.counted = 600;
    await expect(account.pages(10)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    expect(account.reads).toBe(0);
  });

  test('have a hundred projects at most', async () => {
    const shelf = new Shelf();
    for (let count = 0; count < 201; count += 1) shelf.add([aVersionOf(1, 1)]);
    const pages = await shelf.pages(2000);
    expect(pages.map(({ projects }) => projects.length)).toEqual([100, 100, 1]);
  });

  test('are one and empty for an account without projects', async () => {
    const [page, ...rest] = await new Shelf().pages(5);
    expect(rest).toEqual([]);
    expect(page).toEqual({
      formatVersion: 1,
      exportedAt: createdAt,
      account: {
        email: 'ann@example.org',
        tier: 'pro',
        trialEndsAt: null,
        createdAt,
        projectCount: 1,
        storageBytes: 2,
      },
      workspaces: [],
      projects: [],
      next: null,
    });
  });
});

describe('an export does not contain', () => {
  test.each<[string, Partial<Project>]>([
    ['a deleted project', { removingAt: createdAt }],
    ['one that was taken down', { takedown: { reason: 'Phishing.', at: createdAt } }],
    ['one that failed', { failure: 'its ZIP is damaged', removingAt: createdAt }],
    ['one whose first upload goes on', { version: 0, lastVersion: 0 }],
    ['one that is somebody else’s by now', { ownerId: null }],
  ])('%s', async (_, changes) => {
    const shelf = aShelf();
    const whole = gathered(await shelf.pages(4)).archive;
    shelf.add([aVersionOf(1, 2)], changes);
    expect(gathered(await shelf.pages(4)).archive).toEqual(whole);
  });
});

describe('changes between two pages', () => {
  test('a deleted project is absent, and its exported part is reported as incomplete', async () => {
    const shelf = aShelf();
    const [, second, third] = shelf.rows;
    const pages = await shelf.pages(2, () => {
      shelf.rows = shelf.rows.filter((row) => row !== second);
    });
    const { archive, incomplete } = gathered(pages);
    expect(incomplete).toEqual([]);
    expect(archive.projects.map(({ id }) => id)).not.toContain(second?.project.id);
    const cut = await shelf.pages(10, () => {
      shelf.rows = shelf.rows.filter((row) => row !== third);
    });
    expect(gathered(cut).incomplete).toEqual([third?.project.id]);
  });

  test('a version that is pruned midway is incomplete, and a completely read one is kept', async () => {
    const shelf = aShelf();
    const [first] = shelf.rows;
    const prune = (version: number) => () => {
      if (first !== undefined) {
        first.versions = first.versions.filter((one) => one.version !== version);
      }
    };
    const kept = gathered(await shelf.pages(3, prune(1)));
    expect(kept.incomplete).toEqual([]);
    expect(kept.archive.projects[0]?.versions.map(({ version }) => version)).toEqual([1, 2, 4]);
    expect(gathered(await shelf.pages(3, prune(2))).incomplete).toEqual([first?.project.id]);
  });

  test('a push is included with its settings', async () => {
    const shelf = aShelf();
    const [, , third] = shelf.rows;
    const pages = await shelf.pages(15, () => {
      if (third === undefined || third.versions.length > 1) return;
      third.versions.push(aVersionOf(8, 2));
      third.project = { ...third.project, version: 8, lastVersion: 8, title: 'Pushed' };
    });
    const { archive, incomplete } = gathered(pages);
    expect(incomplete).toEqual([]);
    expect(archive.projects[2]).toMatchObject({ title: 'Pushed', liveVersion: 8 });
    expect(archive.projects[2]?.versions).toHaveLength(2);
  });

  test('a project is read again while its live version is not among its versions', async () => {
    const shelf = new Shelf();
    shelf.add([aVersionOf(1, 1)], { version: 2, lastVersion: 2 });
    const [row] = shelf.rows;
    const { deps } = shelf;
    const get: typeof deps.projects.get = async (id) => {
      if (shelf.reads === 2) row?.versions.push(aVersionOf(2, 1));
      return deps.projects.get(id);
    };
    const projects = { ...deps.projects, get };
    const page = await exportAccount({ ...deps, projects }, caller, { limit: 5 });
    expect(page.projects[0]?.versions).toHaveLength(2);
    if (row !== undefined) row.versions = [];
    await expect(exportAccount(shelf.deps, caller, { limit: 5 })).rejects.toThrow('5 times');
  });
});

test('a page has room for one file of any size', () => {
  const room = pageBudget(5, { maxBytes: 10 });
  expect(room.addFile({ path: 'a path of some length' })).toBe(true);
  expect(room.addFile({})).toBe(false);
  expect(room.isFull()).toBe(true);
});

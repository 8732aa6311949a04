import { describe, expect, test } from '@jest/globals';
import { ProjectId } from '../../../../../contract/fields.ts';
import { defaultPlans } from '../../../../../contract/plans.ts';
import { packLocation, StoreId, uploadLocation } from '../../../../../core/content/content-keys.ts';
import type { Project } from '../../../../../core/projects/project.ts';
import {
  copyTitle,
  duplicateProject,
  planCopy,
  type ProjectCopy,
} from '../../../../../core/projects/publishing/duplicate-project.ts';
import {
  decodeManifest,
  encodeManifest,
  type FileEntry,
} from '../../../../../core/visit/manifest.ts';
import { aCaller, aProject, aVersion } from '../../../../fixtures/projects/a-project.ts';
import { now } from '../../../../fixtures/visits/a-site.ts';

const source = aProject();
const copyId = ProjectId.parse('3f0c6d52-8b1e-4c39-9d0e-2f1a6f0c9a11');
const files = new Map([['index.html', { size: 3, hash: 'h' }]]);

/** A store with one project; `later` is what becomes of it while its bytes are copied. */
function world(project: Partial<Project> = {}, later: Partial<Project> = {}) {
  const changes: any[] = [];
  const copied: string[][] = [];
  const removed: string[] = [];
  const deps: any = {
    projects: {
      get: async (id: string) =>
        id === source.id ? aProject({ ...project, ...(copied.length > 0 && later) }) : undefined,
      getVersion: async () => aVersion({ manifest: encodeManifest(files) }),
      checkAvailability: async () => 'available',
      createIntent: async () => undefined,
      seizeIntent: async () => true,
      deleteIntent: async () => undefined,
    },
    owned: { change: async (change: any) => (changes.push(change), 'changed') },
    accounts: { get: async () => undefined },
    content: {
      copy: async (from: string, { key, cacheTag }: any) => !!copied.push([from, key, cacheTag]),
      deletePrefix: async (prefix: string) => void removed.push(prefix),
    },
    counters: { count: async () => [0] },
    addresses: {
      hostOf: (slug: string) => `${slug}.sites.test`,
      siteUrl: (host: string) => `https://${host}`,
    },
    plans: defaultPlans,
    brand: 'Slipway',
    now: () => now,
  };
  const duplicate = (input: Partial<ProjectCopy> = {}, caller = aCaller()) =>
    duplicateProject(deps, caller, { projectId: source.id, copyId, ...input });
  return { deps, changes, copied, removed, duplicate };
}

describe('a copy', () => {
  test('has all settings, access, password and expiry, and an address of its own', async () => {
    const kept = {
      status: 'private',
      access: 'password',
      passwordHash: 'scrypt$x',
      workspaceId: '9a1c2b3d-4e5f-4c39-9d0e-2f1a6f0c9a11' as never,
      expiresAt: '2027-03-01T12:15:00.000Z',
      noIndex: true,
      disableDownloads: true,
      pageTitle: 'Page',
      metaDescription: 'About',
      analyticsEnabled: false,
      spa: true,
      prettyUrls: true,
    } as const;
    const { duplicate, changes, copied } = world({
      ...kept,
      domainId: '7d0b9a34-51c2-4c39-9d0e-2f1a6f0c9a11',
    });
    await expect(duplicate()).resolves.toMatchObject({
      projectId: copyId,
      title: 'Harbour (copy)',
      slug: 'harbour-copy',
      url: 'https://harbour-copy.sites.test',
    });
    expect(changes).toHaveLength(1);
    expect(changes[0].after).toMatchObject({ ...kept, domainId: null, version: 1, bytes: 1000 });
    expect(changes[0].charge).toMatchObject({ projects: 1, bytes: 1000 });
    const [[from, to, tag] = []] = copied;
    expect(from).toBe(`content/${source.id}/${uploadLocation('a1', 'index.html')}`);
    expect(to).toMatch(new RegExp(`^content/${copyId}/[0-9a-f]{16}/[0-9a-f]{32}$`));
    expect(tag).toContain(copyId);
  });

  test('of a project that is made private while its bytes are copied is private', async () => {
    const { duplicate, changes } = world({}, { access: 'private' });
    await duplicate();
    expect(changes[0].after.access).toBe('private');
  });

  test('with more people than the plan allows is refused before anything is copied', async () => {
    const { duplicate, deps, copied } = world({ access: 'people', peopleStamp: 'p1' });
    const { maxPeople } = defaultPlans.free;
    const listOf = (length: number) => {
      const people = Array.from({ length }, (_, index) => `anna${index}@example.org`);
      deps.visitors = { listOf: async () => ({ stamp: 'p1', people, deniedPeople: [] }) };
    };
    const ofFreePlan = aCaller({ tier: 'free', trialEndsAt: null });
    listOf(maxPeople + 1);
    await expect(duplicate({}, ofFreePlan)).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      message: `people: may have at most ${maxPeople} entries on your plan.`,
    });
    expect(copied).toEqual([]);
    listOf(maxPeople);
    await expect(duplicate({}, ofFreePlan)).resolves.toMatchObject({ projectId: copyId });
  });

  const refusals: [string, Partial<Project>, string][] = [
    ['that does not belong to the caller', { ownerId: null }, 'NOT_FOUND'],
    ['that is deleted', { removingAt: '2026-03-01T11:00:00.000Z' }, 'NOT_FOUND'],
    ['that failed', { failure: 'Broken.' }, 'NOT_FOUND'],
    ['that has expired', { expiresAt: '2026-03-01T11:00:00.000Z' }, 'NOT_FOUND'],
    [
      'that is taken down',
      { takedown: { reason: 'spam', at: '2026-03-01T11:00:00.000Z' } },
      'FORBIDDEN',
    ],
    ['whose first upload is not published', { version: 0 }, 'UPLOAD_INCOMPLETE'],
  ];
  test.each(refusals)(
    'of a project %s is refused, before and while it is copied',
    async (_, state, code) => {
      const before = world(state);
      await expect(before.duplicate()).rejects.toMatchObject({ code });
      expect(before.copied).toEqual([]);
      const meanwhile = world({}, state);
      await expect(meanwhile.duplicate()).rejects.toMatchObject({ code });
      expect(meanwhile.changes).toEqual([]);
      expect(meanwhile.removed).toEqual([expect.stringContaining(`content/${copyId}/`)]);
    },
  );

  test.each([
    ['of an unknown project', { projectId: 'x' }, {}, 'NOT_FOUND'],
    ['under a reserved address', { slug: 'admin' as never }, {}, 'SLUG_TAKEN'],
    [
      'beneath a domain on the free plan',
      { domainId: 'd' },
      { tier: 'free' },
      'FREE_TIER_RESTRICTED',
    ],
    ['beyond the projects of the plan', {}, { projectCount: 25 }, 'PROJECT_LIMIT_REACHED'],
    ['beyond the bytes of the plan', {}, { storageBytes: 5 * 1024 ** 3 }, 'STORAGE_LIMIT_REACHED'],
  ])('%s is refused before anything is copied', async (_, input, account, code) => {
    const { duplicate, copied } = world();
    await expect(duplicate(input, aCaller(account as {}))).rejects.toMatchObject({ code });
    expect(copied).toEqual([]);
  });

  test('of more objects or bytes than a request copies is refused', async () => {
    const large = world();
    const size = 1024 ** 3 + 1;
    const manifest = encodeManifest(new Map([['a.bin', { size, hash: 'h' }]]));
    large.deps.projects.getVersion = async () => aVersion({ manifest });
    await expect(large.duplicate()).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
    const many = world();
    const entries = Array.from(
      { length: 501 },
      (_, at) => [`${at}.bin`, { size: 1, hash: 'h' }] as const,
    );
    many.deps.projects.getVersion = async () =>
      aVersion({ manifest: encodeManifest(new Map(entries)) });
    await expect(many.duplicate()).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
    expect([...large.copied, ...many.copied]).toEqual([]);
  });

  test('counts each object, because each is a paid call: ten of the largest in an hour', async () => {
    const { deps, duplicate, copied } = world();
    const counted = new Map<string, number>();
    deps.content.put = async () => undefined;
    deps.counters.count = async (key: string, seconds: number, _: Date, events = 1) => {
      const total = (counted.get(`${key} ${seconds}`) ?? 0) + events;
      counted.set(`${key} ${seconds}`, total);
      return total;
    };
    const entries = Array.from(
      { length: 500 },
      (_, at) => [`${at}.txt`, { size: 9, hash: 'h' }] as const,
    );
    deps.projects.getVersion = async () => aVersion({ manifest: encodeManifest(new Map(entries)) });
    for (let copies = 1; copies <= 10; copies += 1) await duplicate();
    expect(copied).toHaveLength(5000);
    await expect(duplicate()).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    expect(copied).toHaveLength(5000);
    const { id } = aCaller().account;
    expect([...counted]).toEqual([
      [`publications#${id} 3600`, 11],
      [`copied-objects#${id} 3600`, 5500],
    ]);
  });

  test('of a project that lost an object is an error, and nothing of it stays', async () => {
    const { deps, duplicate, changes, removed } = world();
    deps.content.copy = async () => false;
    await expect(duplicate()).rejects.toThrow('is not in storage');
    expect([changes.length, removed.length]).toEqual([0, 1]);
  });
});

test.each([
  ['Fair', 'Fair (copy)'],
  ['Fair (copy)', 'Fair (copy 2)'],
  ['Fair (copy 9)', 'Fair (copy 10)'],
  ['(copy)', '(copy) (copy)'],
  ['x'.repeat(255), `${'x'.repeat(248)} (copy)`],
  [`${'x'.repeat(247)}\u{1F6A2}${'x'.repeat(6)}`, `${'x'.repeat(247)} (copy)`],
])('the copy of %j is called %j', (title, copy) => {
  expect(copyTitle(title)).toBe(copy);
  expect(copyTitle(title).length).toBeLessThan(256);
});

describe('the plan of a copy', () => {
  const [one, two, store] = ['a1', 'b2', 'c3'].map((id) => StoreId.parse(id)) as [
    StoreId,
    StoreId,
    StoreId,
  ];
  const pack = (of: StoreId) => packLocation(of, '0'.repeat(24), 30);
  const entry = (more: Partial<FileEntry>): FileEntry => ({ size: 10, hash: 'h', ...more });
  const planned = (entries: Record<string, FileEntry>) => {
    const plan = planCopy({ store: one, files: new Map(Object.entries(entries)) }, store);
    const copies = [...plan.objects].map(([from, { to, bytes }]) => [from, to, bytes]);
    return { ...plan, copies };
  };

  test('copies each object once, with its brotli form, to the place that its path says', () => {
    const { copies, files: own } = planned({
      'a.html': entry({ brotliBytes: 4 }),
      'b.html': entry({ storedAt: two }),
      'moved/a.html': entry({ storedAt: uploadLocation(one, 'a.html'), brotliBytes: 4 }),
    });
    const [a, b] = ['a.html', 'b.html'].map((path) => uploadLocation(store, path));
    expect(copies).toEqual([
      [uploadLocation(one, 'a.html'), a, 10],
      [`${uploadLocation(one, 'a.html')}.br`, `${a}.br`, 4],
      [uploadLocation(two, 'b.html'), b, 10],
    ]);
    expect(Object.fromEntries(own)).toEqual({
      'a.html': entry({ brotliBytes: 4 }),
      'b.html': entry({}),
      'moved/a.html': entry({ storedAt: a, brotliBytes: 4 }),
    });
  });

  test('keeps packs of the same name apart, and names those with other files', () => {
    const {
      copies,
      packs,
      files: own,
    } = planned({
      'a.css': entry({ storedAt: pack(one), offset: 0 }),
      'b.css': entry({ storedAt: pack(one), offset: 10, size: 20 }),
      'c.css': entry({ storedAt: pack(two), offset: 20 }),
      'same-as-c.css': entry({ storedAt: pack(two), offset: 20 }),
    });
    expect(copies.map(([from, , bytes]) => [from, bytes])).toEqual([
      [pack(one), 30],
      [pack(two), 30],
    ]);
    const [first, second] = copies.map(([, to]) => to);
    expect(first).not.toBe(second);
    expect(packs).toEqual([second]);
    expect([...own.values()].map(({ storedAt, offset }) => [storedAt, offset])).toEqual([
      [first, 0],
      [first, 10],
      [second, 20],
      [second, 20],
    ]);
    expect(decodeManifest(encodeManifest(own))).toEqual(own);
  });
});

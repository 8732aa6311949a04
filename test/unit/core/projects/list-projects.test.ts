import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { ProjectId, Slug, type Instant } from '../../../../contract/fields.ts';
import {
  listProjectPage,
  listProjects,
  type ProjectSearch,
} from '../../../../core/projects/list-projects.ts';
import type { AccountCaller } from '../../../../core/caller.ts';
import type { ProjectScan } from '../../../../core/projects/owned-projects.ts';
import type { Project } from '../../../../core/projects/project.ts';
import { listedAt } from '../../../../adapters/dynamodb/projects/project-rows.ts';
import { aCaller, aProject } from '../../../fixtures/projects/a-project.ts';
import { someAddresses } from '../../../fixtures/visits/a-site.ts';

const idOf = (number: number) =>
  ProjectId.parse(`0b7e4c1a-5f60-4c39-9d0e-${String(number).padStart(12, '0')}`);
const minute = (number: number): Instant =>
  `2026-03-01T10:${String(number).padStart(2, '0')}:00.000Z`;

/** Twenty projects of the same two minutes, every fourth of them archived. */
const all: Project[] = Array.from({ length: 20 }, (_, number) =>
  aProject({
    id: idOf(number),
    title: number === 7 ? 'ÉTÉ (draft)' : `Title ${number % 3}`,
    slug: Slug.parse(`site-${number}`),
    host: `site-${number}.sites.test`,
    type: number % 2 === 0 ? 'pdf' : 'zip',
    access: number === 5 ? 'private' : 'public',
    createdAt: minute(number % 2),
    updatedAt: minute(30 - number),
    archivedAt: number % 4 === 3 ? minute(50) : null,
  }),
);

/** How many projects one call of the database gives where nobody says how many. */
const storedPage = 12;

function world(projects: readonly Project[] = all) {
  let readRows = 0;
  return {
    rows: () => readRows,
    owned: {
      list: async () => [],
      async *scan({ state, isNewestFirst, after, pageSize = storedPage }: ProjectScan) {
        const direction = isNewestFirst ? -1 : 1;
        const found = projects
          .filter((one) => (one.archivedAt === null) === (state === 'active'))
          .toSorted((a, b) => (listedAt(a) < listedAt(b) ? -direction : direction));
        const bound = after && `${after.createdAt}#${after.id}`;
        const rest = found
          .filter((one) => bound === undefined || (listedAt(one) < bound ? -1 : 1) === direction)
          .filter((one) => listedAt(one) !== bound);
        for (let first = 0; first < rest.length; first += pageSize) {
          const read = rest.slice(first, first + pageSize);
          readRows += read.length;
          yield read;
        }
      },
    },
    projects: { get: async (id: ProjectId) => projects.find((one) => one.id === id) },
    addresses: someAddresses,
    now: () => new Date('2026-03-01T12:00:00.000Z'),
  };
}
const query = (fields: Partial<ProjectSearch>): ProjectSearch => ({
  archived: 'all',
  limit: 100,
  offset: 0,
  ...fields,
});
const numberOf = ({ id }: { id: string }) => Number(id.slice(-12));

test.each(['newest', 'oldest', 'updated', 'title'] as const)(
  'pages in the order %s have every project once, in order',
  async (sort) => {
    const given = world();
    const [whole] = [await listProjectPage(given, aCaller(), query({ sort, q: 's' }))];
    const paged: number[] = [];
    let cursor: string | undefined;
    do {
      const page = await listProjectPage(
        given,
        aCaller(),
        query({ sort, q: 's', limit: 3, cursor }),
      );
      paged.push(...page.projects.map(numberOf));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(paged).toEqual(whole.projects.map(numberOf));
    expect(new Set(paged).size).toBe(20);
  },
);

test('a page neither repeats nor skips a project when its neighbours vanish', async () => {
  const first = await listProjectPage(world(), aCaller(), query({ sort: 'title', limit: 5 }));
  const gone = new Set(first.projects.slice(2).map(({ id }) => id));
  const left = world(all.filter(({ id }) => !gone.has(id)));
  const cursor = first.nextCursor ?? undefined;
  const second = await listProjectPage(left, aCaller(), query({ sort: 'title', cursor }));
  expect(second.projects).toHaveLength(15);
});

test('an order by age reads no more than a page needs', async () => {
  const given = world();
  await listProjectPage(given, aCaller(), query({ sort: 'oldest', archived: 'false', limit: 2 }));
  expect(given.rows()).toBe(3);
});

test.each(['newest', 'oldest'] as const)(
  'pages in the order %s read one project more than they show',
  async (sort) => {
    const given = world();
    const fields = query({ sort, archived: 'false', limit: 2 });
    const { nextCursor } = await listProjectPage(given, aCaller(), query({ ...fields, q: 's' }));
    const before = given.rows();
    const cursor = nextCursor ?? undefined;
    const page = await listProjectPage(given, aCaller(), query({ ...fields, cursor }));
    expect(page.projects).toHaveLength(2);
    expect(given.rows() - before).toBe(3);
  },
);

test('a search by age ends with the page of the database that has enough', async () => {
  const given = world();
  const fields = { sort: 'oldest', type: 'pdf', archived: 'false', limit: 2 } as const;
  await listProjectPage(given, aCaller(), query(fields));
  expect(given.rows()).toBe(storedPage);
});

test('a page of a workspace is not read in small pieces, because few may be in it', async () => {
  const given = world();
  const workspaceId = idOf(99);
  const fields = { sort: 'oldest', archived: 'false', limit: 2, workspaceId } as const;
  expect((await listProjectPage(given, aCaller(), query(fields))).projects).toEqual([]);
  expect(given.rows()).toBe(15);
});

test.each([
  ['a type', { type: 'pdf' as const }, 10],
  ['an access', { access: 'private' as const }, 1],
  ['a status', { status: 'archived' as const }, 5],
  ['a domain', { domainId: idOf(1) }, 0],
  ['a title in any case', { q: ' été (DRAFT' }, 1],
  ['a title in any form of Unicode', { q: 'E\u0301TE\u0301' }, 1],
  ['an address', { q: 'site-19' }, 1],
  ['two fields at once', { type: 'pdf' as const, q: 'title 1' }, 3],
  ['nothing there is', { q: 'no such thing' }, 0],
])('finds %s', async (_, fields, count) => {
  const { projects, nextCursor } = await listProjectPage(world(), aCaller(), query(fields));
  expect(projects).toHaveLength(count);
  expect(nextCursor).toBeNull();
});

test.each(['x', '', Buffer.from(`title ${idOf(1)} a`).toString('base64url')])(
  'refuses the cursor %j',
  async (cursor) => {
    const listing = listProjectPage(world(), aCaller(), query({ sort: 'updated', cursor }));
    await expect(listing).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  },
);

test.each([
  ['a time that is none', `newest ${idOf(1)} ${'9'.repeat(1400)}`],
  ['an id that is none', `newest ${'a'.repeat(1400)} 2026-03-01T12:00:00.000Z`],
])('refuses a cursor with %s, which the table could not take as a key', async (_, text) => {
  const cursor = Buffer.from(text).toString('base64url');
  const listing = listProjectPage(world(), aCaller(), query({ cursor }));
  await expect(listing).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
});

test.each(['newest', 'oldest', 'updated', 'title'] as const)(
  'a key for some projects lists these alone, in the order %s, with filters and pages',
  async (sort) => {
    const given = world();
    const own = [3, 4, 8, 9].map(idOf);
    const limited = { ...aCaller(), projectIds: [...own, ProjectId.parse(randomUUID())] };
    const whole = await listProjectPage(given, aCaller(), query({ sort, q: 's' }));
    const expected = whole.projects.map(numberOf).filter((number) => own.includes(idOf(number)));
    const listed = await listProjectPage(given, limited, query({ sort }));
    expect(listed.projects.map(numberOf)).toEqual(expected);
    const active = await listProjectPage(given, limited, query({ sort, archived: 'false' }));
    expect(active.projects.map(numberOf)).toEqual(expected.filter((number) => number % 4 !== 3));
    const first = await listProjectPage(given, limited, query({ sort, limit: 3 }));
    const cursor = first.nextCursor ?? undefined;
    const second = await listProjectPage(given, limited, query({ sort, limit: 3, cursor }));
    expect([...first.projects, ...second.projects].map(numberOf)).toEqual(expected);
    expect(second.nextCursor).toBeNull();
    expect(given.rows()).toBe(all.length);
  },
);

test('a page of a key for some projects begins at its offset', async () => {
  const limited = { ...aCaller(), projectIds: [1, 2, 4, 5].map(idOf) };
  const numbers = async (offset: number) =>
    (await listProjectPage(world(), limited, query({ offset, limit: 3 }))).projects.map(numberOf);
  const [first, second, third] = [await numbers(0), await numbers(3), await numbers(4)];
  expect([first.length, second.length, third.length]).toEqual([3, 1, 0]);
  expect(new Set([...first, ...second])).toEqual(new Set([1, 2, 4, 5]));
});

test('a page has the opens of its projects where they are wanted, except for the free plan and projects that count none', async () => {
  const deps = world(
    all.map((one) => (numberOf(one) === 2 ? { ...one, analyticsEnabled: false } : one)),
  );
  const calls: ProjectId[][] = [];
  const lastOpens = async (ids: readonly ProjectId[]) => {
    calls.push([...ids]);
    return new Map([[idOf(0), { opens: 4, lastOpenedAt: minute(3) }]]);
  };
  const opensFor = async (caller: AccountCaller, include?: 'opens') => {
    const input = { ...query({ sort: 'oldest', archived: 'false', limit: 3 }), include };
    const page = await listProjects({ ...deps, opens: { lastOpens } }, caller, input);
    return page.projects.map((one) => [numberOf(one), 'opens' in one ? one.opens : undefined]);
  };
  const free = { ...aCaller(), account: { ...aCaller().account, tier: 'free', trialEndsAt: null } };
  const none = [
    [0, undefined],
    [2, undefined],
    [4, undefined],
  ];
  expect(await opensFor(aCaller())).toEqual(none);
  expect(await opensFor(free as AccountCaller, 'opens')).toEqual(none);
  expect(calls).toEqual([]);
  expect(await opensFor(aCaller(), 'opens')).toEqual([
    [0, 4],
    [2, undefined],
    [4, 0],
  ]);
  expect(calls).toEqual([[0, 2, 4].map(idOf)]);
});

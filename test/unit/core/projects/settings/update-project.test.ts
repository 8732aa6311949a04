import { describe, expect, test } from '@jest/globals';
import { Slug, WorkspaceId } from '../../../../../contract/fields.ts';
import { defaultPlans } from '../../../../../contract/plans.ts';
import type { Plans } from '../../../../../core/accounts/account.ts';
import { addresses } from '../../../../../core/projects/addresses/addresses.ts';
import type {
  ProjectChange,
  ChangeOutcome,
} from '../../../../../core/projects/change/project-change.ts';
import { isPassword } from '../../../../../core/projects/settings/passwords.ts';
import type { PeopleList } from '../../../../../core/people/people-list.ts';
import type { Project } from '../../../../../core/projects/project.ts';
import {
  type ProjectUpdate,
  updateProjectSettings,
} from '../../../../../core/projects/settings/update-project.ts';
import { aCaller, aProject, aVersion } from '../../../../fixtures/projects/a-project.ts';
import { noVisitors, now } from '../../../../fixtures/visits/a-site.ts';

const other = '7f1b7a52-9d0e-4f1a-8f60-4c3911aa2233';

/** Settings as they are sent for a project, and what was written. */
async function update(
  project: Project,
  settings: Omit<ProjectUpdate, 'slug'> & { slug?: string },
  {
    outcomes = [] as ChangeOutcome[],
    times = [now],
    snapshots = [project],
    renamed = 0,
    sendsMail = true,
    list = undefined as PeopleList | undefined,
    plans = defaultPlans as Plans,
  } = {},
) {
  const changes: ProjectChange[] = [];
  const forgotten: string[] = [];
  let newAddresses = renamed;
  let projectReads = 0;
  let clockReads = 0;
  const last = <T>(from: readonly T[], index: number) =>
    from[Math.min(index, from.length - 1)] as T;
  const deps = {
    projects: {
      get: async () => last(snapshots, projectReads++),
      getVersion: async () => (project.version === 0 ? undefined : aVersion()),
    },
    owned: {
      change: async (change: ProjectChange) => {
        changes.push(change);
        return outcomes[changes.length - 1] ?? ('changed' as const);
      },
    },
    edge: {
      purge: async () => undefined,
      purgeAfterDelay: async (id: string) => void forgotten.push(id),
    },
    addresses: addresses('https://app.test', 'sites.test'),
    plans,
    counters: {
      count: async (_key: string, _window: number, _now: Date, events = 1) =>
        (newAddresses += events),
    },
    domains: { get: async () => undefined },
    visitors: { ...noVisitors, listOf: async () => list },
    sendsMail,
    brand: 'Slipway',
    onFailure: () => undefined,
    now: () => last(times, clockReads++),
  };
  const input = {
    ...settings,
    slug: settings.slug && Slug.parse(settings.slug),
  } as ProjectUpdate;
  const answer = await updateProjectSettings(deps, aCaller(), { ...input, projectId: project.id });
  return { answer, changes, forgotten, after: changes.at(-1)?.after, newAddresses };
}

describe('an account takes a hundred new addresses a day for its projects', () => {
  test('the next one is refused, and nothing is written', async () => {
    const refused = update(aProject(), { slug: 'pier-two' }, { renamed: 100 });
    await expect(refused).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    const { after } = await update(aProject(), { slug: 'pier-two' }, { renamed: 99 });
    expect(after?.slug).toBe('pier-two');
  });

  test('a change that meets another one counts once; the address that it has counts not at all', async () => {
    const lost = await update(aProject(), { slug: 'pier-two' }, { outcomes: ['lost', 'changed'] });
    expect(lost.newAddresses).toBe(1);
    const same = await update(aProject(), { slug: aProject().slug, title: 'Pier' });
    expect(same.newAddresses).toBe(0);
  });
});

test.each<[string, Omit<ProjectUpdate, 'slug'>, Partial<Project>]>([
  ['a title', { title: 'Pier' }, { title: 'Pier' }],
  ['private', { status: 'private' }, { status: 'private' }],
  [
    'private access',
    { access: 'private' },
    { access: 'private', ownerRevision: 1, accessChangedAt: now.toISOString() },
  ],
  ['noIndex', { noIndex: true }, { noIndex: true }],
  ['disableDownloads', { disableDownloads: true }, { disableDownloads: true }],
  ['a page title', { pageTitle: 'Tab' }, { pageTitle: 'Tab' }],
  ['an empty page title', { pageTitle: '' }, { pageTitle: '' }],
  ['a description', { metaDescription: 'Words' }, { metaDescription: 'Words' }],
  ['analyticsEnabled', { analyticsEnabled: false }, { analyticsEnabled: false }],
  ['several', { title: 'A', noIndex: true, pageTitle: null }, { title: 'A', noIndex: true }],
])('changes %s and nothing else', async (_, settings, expected) => {
  const { answer, after, forgotten } = await update(aProject(), settings);
  expect(answer).toEqual({ updated: true });
  expect(after).toEqual({
    ...aProject(),
    ...expected,
    // Its earlier state is purged, and its next one takes another place.
    edgeFrom: undefined,
    revision: 4,
    updatedAt: '2026-03-01T12:00:00.000Z',
  });
  expect(forgotten).toEqual([aProject().id]);
});

test('a password cannot be removed while access asks for it', async () => {
  const locked = aProject({ access: 'password' });
  await expect(update(locked, { password: null })).rejects.toMatchObject({
    code: 'VALIDATION_FAILED',
    fields: { nextStep: expect.stringMatching(/`password`.*`access: public`/) },
  });
});

describe('a short password is allowed, with a warning', () => {
  const access = 'password' as const;
  const warning = [{ field: 'password', message: expect.stringContaining('8 characters') }];
  test.each<[string, Omit<ProjectUpdate, 'slug'>, Partial<Project>, unknown]>([
    ['four digits', { access, password: '1234' }, {}, warning],
    ['of a project that has one', { password: '1234567' }, { access }, warning],
    ['characters, not units of UTF-16', { access, password: '🙂🙂🙂🙂' }, {}, warning],
    ['eight characters', { access, password: '12345678' }, {}, undefined],
    ['one without effect', { password: '1234' }, {}, undefined],
    ['none any more', { access: 'public', password: null }, { access }, undefined],
  ])('%s', async (_, settings, before, warnings) => {
    const { answer } = await update(aProject(before), settings);
    expect(answer).toEqual({ updated: true, ...(warnings !== undefined && { warnings }) });
  });
});

test.each([
  ['pageTitle', { pageTitle: null }],
  ['metaDescription', { metaDescription: null }],
  ['workspaceId', { workspaceId: null }],
] as const)('null clears %s', async (_, settings) => {
  const workspaceId = WorkspaceId.parse(other);
  const full = { pageTitle: 'Tab', metaDescription: 'Words', workspaceId };
  const { after } = await update(aProject(full), settings);
  expect(after).toMatchObject({ ...full, ...settings });
});

test('null for a domain that it does not have changes nothing', async () => {
  const { answer, changes } = await update(aProject(), { domainId: null });
  expect({ answer, changes }).toEqual({ answer: { updated: true }, changes: [] });
});

test('a domain of another account is unknown', async () => {
  const refused = update(aProject(), { domainId: other });
  await expect(refused).rejects.toMatchObject({
    code: 'NOT_FOUND',
    message: expect.stringContaining('domainId'),
  });
});

test('an empty change writes nothing', async () => {
  const { answer, changes, forgotten } = await update(aProject(), {});
  expect({ answer, changes, forgotten }).toEqual({
    answer: { updated: false },
    changes: [],
    forgotten: [],
  });
});

describe('a password', () => {
  const locked = aProject({ access: 'password', passwordHash: 'scrypt$old' });

  test('is stored only as a hash, with access by password', async () => {
    const { after } = await update(aProject(), { access: 'password', password: 'open sesame' });
    expect(after?.access).toBe('password');
    expect(after?.passwordHash).toMatch(/^scrypt\$/);
    expect(JSON.stringify(after)).not.toContain('sesame');
    expect(await isPassword('open sesame', after?.passwordHash ?? '')).toBe(true);
  });

  test('is changed if the project has one already', async () => {
    const { after } = await update(locked, { password: 'another' });
    expect(await isPassword('another', after?.passwordHash ?? '')).toBe(true);
    expect(after?.access).toBe('password');
  });

  test.each([
    ['public', aProject(), { password: 'x' }],
    ['private', aProject({ access: 'private' }), { password: 'x' }],
  ] as const)('has no effect where access is %s', async (_, project, settings) => {
    expect((await update(project, settings)).changes).toEqual([]);
  });

  test('has no effect with the access in the same request, and the old one is removed', async () => {
    const { after } = await update(locked, { access: 'public', password: 'x' });
    expect(after).toMatchObject({ access: 'public', passwordHash: null });
  });

  test('is removed by null', async () => {
    const { after } = await update(locked, { access: 'public', password: null });
    expect(after).toMatchObject({ access: 'public', passwordHash: null });
  });

  test('is hashed once, even if the change is repeated', async () => {
    const outcomes: ChangeOutcome[] = ['lost', 'lost', 'changed'];
    const { changes } = await update(locked, { password: 'x' }, { outcomes });
    expect(changes).toHaveLength(3);
    expect(new Set(changes.map(({ after }) => after.passwordHash)).size).toBe(1);
  });
});

describe('an expiry', () => {
  test.each([
    ['15m', '2026-03-01T12:15:00.000Z'],
    ['1h', '2026-03-01T13:00:00.000Z'],
    ['24h', '2026-03-02T12:00:00.000Z'],
    ['7d', '2026-03-08T12:00:00.000Z'],
    ['none', null],
  ] as const)('in %s counts from the request', async (expiresIn, expiresAt) => {
    const ended = aProject({ expiresAt: '2026-02-01T00:00:00.000Z' });
    const { after } = await update(ended, { expiresIn });
    expect(after?.expiresAt).toBe(expiresAt);
  });

  test('counts from the request, not from the try that succeeds', async () => {
    const later = new Date('2026-03-01T12:00:30.000Z');
    const outcomes: ChangeOutcome[] = ['lost', 'changed'];
    const { changes } = await update(
      aProject(),
      { expiresIn: '15m' },
      { outcomes, times: [now, later] },
    );
    const [, { after }] = changes as [ProjectChange, ProjectChange];
    expect(after.expiresAt).toBe('2026-03-01T12:15:00.000Z');
    expect(after.updatedAt).toBe('2026-03-01T12:00:30.000Z');
  });
});

describe('a slug', () => {
  test('moves the address', async () => {
    const { after } = await update(aProject(), { slug: 'pier' });
    expect(after).toMatchObject({ slug: 'pier', host: 'pier.sites.test' });
  });

  test('that is its current one changes nothing', async () => {
    expect((await update(aProject(), { slug: 'harbour' })).changes).toEqual([]);
  });

  test.each(['admin', 's1ipway', 'slipway-login', 'xn--bcher-kva'])('refuses %s', async (slug) => {
    const refused = update(aProject(), { slug });
    await expect(refused).rejects.toMatchObject({ code: 'SLUG_TAKEN' });
  });

  test('that is taken is refused with its name', async () => {
    const refused = update(aProject(), { slug: 'pier' }, { outcomes: ['slug-taken'] });
    await expect(refused).rejects.toMatchObject({
      code: 'SLUG_TAKEN',
      message: expect.stringContaining('pier'),
    });
  });
});

test('a change is repeated on the result of another change', async () => {
  const renamed = aProject({ title: 'By another', revision: 4 });
  const { changes } = await update(
    aProject(),
    { noIndex: true },
    { outcomes: ['lost'], snapshots: [aProject(), renamed] },
  );
  expect(changes).toHaveLength(2);
  expect(changes[1]?.before).toEqual(renamed);
  expect(changes[1]?.after).toMatchObject({ title: 'By another', noIndex: true, revision: 5 });
});

test('settings can change while the first upload is stored; visitors see nothing yet', async () => {
  const { changes } = await update(aProject({ version: 0, lastVersion: 0 }), {
    title: 'A',
    slug: 'jetty',
  });
  expect(changes).toEqual([
    expect.objectContaining({
      site: undefined,
      isVisible: false,
      after: expect.objectContaining({ title: 'A', slug: 'jetty', version: 0 }),
    }),
  ]);
});

describe('who may prove an address', () => {
  test('is written with the project, under a stamp of its own, once for each entry', async () => {
    const people = ['Anna@Example.org', 'anna@example.org', '@Example.com'];
    const { changes, after } = await update(aProject(), { access: 'people', people });
    expect(changes[0]?.people).toEqual({
      stamp: after?.peopleStamp,
      people: ['anna@example.org', '@example.com'],
      deniedPeople: [],
    });
    expect(changes[0]?.site?.peopleStamp).toBe(after?.peopleStamp);
    expect(after?.accessChangedAt).toBeDefined();
  });

  test('changes what browsers may keep, and no owner’s cookie, when only the list changes', async () => {
    const before = aProject({ access: 'people', peopleStamp: 'stamp-000000' });
    const { after } = await update(before, { people: ['bo@example.org'] });
    expect(after?.peopleStamp).not.toBe('stamp-000000');
    expect([after?.accessChangedAt, after?.ownerRevision]).toEqual([
      now.toISOString(),
      before.ownerRevision,
    ]);
  });

  const listed = {
    stamp: 'stamp-000000',
    people: ['anna@example.org'],
    deniedPeople: ['bo@x.org'],
  };
  const withList = aProject({ access: 'people', peopleStamp: listed.stamp });

  test('is not written again, nor counted, by the same list', async () => {
    const { people, deniedPeople } = listed;
    const same = await update(withList, { people, deniedPeople }, { list: listed });
    expect([same.changes, same.newAddresses]).toEqual([[], 0]);
    const other = await update(withList, { deniedPeople: [] }, { list: listed });
    expect(other.changes[0]?.people).toMatchObject({ people, deniedPeople: [] });
    expect(other.newAddresses).toBe(1);
  });

  test('has ten thousand written entries an hour: a change writes the whole list', async () => {
    const people = Array.from({ length: 249 }, (_, index) => `anna${index}@example.org`);
    const refused = update(withList, { people }, { list: listed, renamed: 9751 });
    await expect(refused).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    const { changes } = await update(withList, { people }, { list: listed, renamed: 9750 });
    expect(changes).toHaveLength(1);
  });

  test.each(['people', 'deniedPeople'] as const)(
    'has at most as many entries of %s as the plan allows, and may become shorter',
    async (field) => {
      const entries = (length: number) =>
        Array.from({ length }, (_, index) => `anna${index}@example.org`);
      const plans = { ...defaultPlans, pro: { ...defaultPlans.pro, maxPeople: 3 } };
      const refused = update(withList, { [field]: entries(4) }, { list: listed, plans });
      await expect(refused).rejects.toMatchObject({
        code: 'VALIDATION_FAILED',
        body: { details: [expect.objectContaining({ path: field })] },
      });
      const list = { ...listed, [field]: entries(6) };
      const { changes } = await update(withList, { [field]: entries(5) }, { list, plans });
      expect(changes[0]?.people).toMatchObject({ [field]: entries(5) });
    },
  );

  test.each(['people', 'identify'] as const)(
    'cannot be asked where no mail is sent: %s',
    async (access) => {
      const people = ['anna@example.org'];
      const refused = update(aProject(), { access, people }, { sendsMail: false });
      await expect(refused).rejects.toMatchObject({
        code: 'VALIDATION_FAILED',
        body: { details: [expect.objectContaining({ path: 'access' })] },
      });
    },
  );
});

import { expect, test } from '@jest/globals';
import { defaultPlans } from '../../../../contract/plans.ts';
import type { CountedOpens } from '../../../../core/analytics/ports.ts';
import { instant } from '../../../../core/instants.ts';
import type { Project } from '../../../../core/projects/project.ts';
import {
  createShareLink,
  deleteShareLink,
  listShareLinks,
  updateShareLink,
} from '../../../../core/share-links/manage-share-links.ts';
import { aCaller, aProject, aVersion } from '../../../fixtures/projects/a-project.ts';
import { now } from '../../../fixtures/visits/a-site.ts';
import { MemoryShareLinks } from '../../../fixtures/visits/share-links.ts';

/** A project of an account, and its share links. */
function aWorld(changes: Partial<Project> = {}, tier: 'free' | 'pro' = 'pro') {
  const shareLinks = new MemoryShareLinks();
  const opens = new Map<string, CountedOpens>();
  let created = 0;
  const project = aProject(changes);
  const deps = {
    shareLinks,
    projects: {
      get: async (id: string) => (id === project.id ? project : undefined),
      getVersion: async (_: string, version: number) =>
        version === 3 ? aVersion({ version }) : undefined,
    },
    linkOpens: {
      ofLinks: async () => opens,
      removeLink: async (_: string, id: string) => void opens.delete(id),
    },
    counters: { count: async () => (created += 1) },
    addresses: { siteUrl: (host: string) => `https://${host}` },
    plans: defaultPlans,
    now: () => now,
  };
  const caller = aCaller({ tier });
  const projectId: string = project.id;
  const create = (fields: object = {}) =>
    createShareLink(deps, caller, { projectId, name: 'Anna', ...fields });
  return { deps, caller, projectId, opens, shareLinks, create };
}

test('the address of a link is told once, and its token is stored nowhere', async () => {
  const { deps, caller, projectId, shareLinks, create } = aWorld();
  const { url, ...link } = await create({ password: 'open sesame, please' });
  const [, token = ''] =
    /^https:\/\/harbour\.sites\.test\/_slipway\/share\/([\w-]{43})$/.exec(url) ?? [];
  expect(token).not.toBe('');
  const { links } = await listShareLinks(deps, caller, { projectId });
  expect(links).toEqual([link]);
  const stored = JSON.stringify([...shareLinks.rows.values(), links]);
  expect(stored).not.toContain(token);
  expect(stored).not.toContain('open sesame');
  expect(link).toMatchObject({ hasPassword: true, state: 'active', opens: 0 });
});

test('a list has the opens that were counted of each link', async () => {
  const { deps, caller, projectId, opens, create } = aWorld();
  const [one, two] = [await create(), await create()];
  const counted = { opens: 3, firstOpenedAt: instant(now), lastOpenedAt: instant(now) };
  opens.set(two.id, counted);
  const { links } = await listShareLinks(deps, caller, { projectId });
  expect(links.find(({ id }) => id === two.id)).toMatchObject(counted);
  expect(links.find(({ id }) => id === one.id)).toMatchObject({ opens: 0, lastOpenedAt: null });
});

test('a plan has so many links for a project, and a deleted one makes room', async () => {
  const { deps, caller, projectId, create } = aWorld({}, 'free');
  const made = [];
  for (let count = 0; count < defaultPlans.free.maxLinks; count += 1) made.push(await create());
  await expect(create()).rejects.toMatchObject({ code: 'LINK_LIMIT_REACHED' });
  await deleteShareLink(deps, caller, { projectId, linkId: made[0]?.id ?? '' });
  await create();
});

test('a change keeps what it does not name, and a shorter password brings a warning', async () => {
  const { deps, caller, projectId, shareLinks, create } = aWorld();
  const { id: linkId } = await create({ maxOpens: 3, recipients: ['anna@example.org'] });
  const change = { projectId, linkId, password: '1234', version: 3 };
  expect(await updateShareLink(deps, caller, change)).toMatchObject({
    updated: true,
    warnings: [{ field: 'password' }],
  });
  const [stored] = shareLinks.rows.values();
  expect(stored).toMatchObject({ maxOpens: 3, version: 3, name: 'Anna', usedOpens: 0 });
  await updateShareLink(deps, caller, { projectId, linkId, password: null, maxOpens: null });
  expect([...shareLinks.rows.values()][0]).toMatchObject({ passwordHash: null, maxOpens: null });
});

test.each<[string, Partial<Project>, object, string]>([
  ['a version that is gone', {}, { version: 7 }, 'INVALID_REQUEST'],
  ['an end that is over', {}, { expiresAt: instant(now) }, 'INVALID_REQUEST'],
  ['an end in eleven years', {}, { expiresAt: '2037-03-01T12:00:00Z' }, 'INVALID_REQUEST'],
  ['a project that has expired', { expiresAt: instant(now) }, {}, 'NOT_FOUND'],
  ['an archived project', { archivedAt: instant(now) }, {}, 'NOT_FOUND'],
  ['a project that is being removed', { removingAt: instant(now) }, {}, 'NOT_FOUND'],
  ['a project whose first upload is stored', { version: 0 }, {}, 'UPLOAD_INCOMPLETE'],
  ['somebody else’s project', { ownerId: null }, {}, 'NOT_FOUND'],
])('no link is created for %s', async (_, changes, fields, code) => {
  const { shareLinks, create } = aWorld(changes);
  await expect(create(fields)).rejects.toMatchObject({ code });
  expect(shareLinks.rows.size).toBe(0);
});

test.each(['', 'AAAAAAAAAAAAAAAA', '../META', 'x'.repeat(90)])(
  'the id %j is of no link',
  async (linkId) => {
    const { deps, caller, projectId } = aWorld();
    const input = { projectId, linkId, name: 'Berta' };
    const notFound = { code: 'NOT_FOUND' };
    await expect(updateShareLink(deps, caller, input)).rejects.toMatchObject(notFound);
    await expect(deleteShareLink(deps, caller, input)).rejects.toMatchObject(notFound);
  },
);

test('a deleted link leaves no count of its opens, also when deleting it was interrupted', async () => {
  const { deps, caller, projectId, opens, shareLinks, create } = aWorld();
  const { id: linkId } = await create();
  const counted = { opens: 3, firstOpenedAt: instant(now), lastOpenedAt: instant(now) };
  opens.set(linkId, counted);
  await deleteShareLink(deps, caller, { projectId, linkId });
  expect(opens.size).toBe(0);
  expect(shareLinks.rows.size).toBe(0);
  opens.set(linkId, counted);
  const again = deleteShareLink(deps, caller, { projectId, linkId });
  await expect(again).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(opens.size).toBe(0);
});

test('an account that creates and deletes links without end has to wait', async () => {
  const { deps, caller, projectId, create } = aWorld();
  for (let at = 0; at < 500; at += 1) {
    const { id: linkId } = await create();
    await deleteShareLink(deps, caller, { projectId, linkId });
  }
  await expect(create()).rejects.toMatchObject({
    code: 'RATE_LIMITED',
    fields: { retryAfterSeconds: expect.any(Number) },
  });
});

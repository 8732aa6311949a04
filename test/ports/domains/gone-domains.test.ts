import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { deletedProjects } from '../../../adapters/dynamodb/projects/deleted-projects.ts';
import { accountAdmin } from '../../../adapters/dynamodb/accounts/account-admin.ts';
import { ProjectId, Slug } from '../../../contract/fields.ts';
import { instant } from '../../../core/instants.ts';
import { removeDomains } from '../../../core/domains/removal/remove-domains.ts';
import { deleteProject } from '../../../core/projects/removal/delete-project.ts';
import { restoreProject } from '../../../core/projects/removal/restore-deleted.ts';
import { restoreAsOperator } from '../../../core/projects/removal/restore-project.ts';
import { localStores, tables } from '../../fixtures/clouds/local-stores.ts';
import { DomainWorld } from '../../fixtures/domains/domain-world.ts';

let stores: Awaited<ReturnType<typeof localStores>>;
let names = 0;
beforeAll(async () => {
  stores = await localStores();
});
afterAll(() => stores.close());

const newName = () => `gone-${(names += 1)}.com`;

async function served(world: DomainWorld, name: string): Promise<string> {
  const { id } = await world.add(0, name);
  world.prove(0, name);
  world.route(name);
  await world.minutes(5);
  expect((await world.check(0, id)).status).toBe('ssl_active');
  return id;
}

/** A project of a domain, deleted by its owner, so that it can be restored for 30 days. */
async function deletedProject(world: DomainWorld, domainId: string, slug: string) {
  const projectId = await world.owner(0).publish({ 'index.html': '<p>' });
  await world.assign(0, projectId, domainId, slug);
  const deps = { ...world.owner(0).deps, keptDays: 30 };
  await deleteProject(deps, world.caller(0), { projectId });
  return projectId;
}

const restoring = (world: DomainWorld) => ({
  ...world.deps(),
  deleted: deletedProjects(stores.client, tables.projects),
});

test('a deleted project of a removed domain is restored at an address of this service', async () => {
  const world = await new DomainWorld(stores).open(1);
  const domainId = await served(world, newName());
  const all = await Promise.all(
    ['pier-gone', 'taken-gone', 'chosen-gone', 'operator-gone'].map((slug) =>
      deletedProject(world, domainId, slug),
    ),
  );
  const [free = '', otherProject = '', chosen = '', ofOperator = ''] = all;
  await world.owner(0).publish({ 'index.html': '<p>' }, { slug: Slug.parse('taken-gone') });
  await world.remove(0, domainId);
  const restore = (projectId: string, slug?: Slug) =>
    restoreProject(restoring(world), world.caller(0), { projectId, slug });
  const warnings = [{ field: 'domainId', message: expect.stringContaining('is removed') }];
  // While the domain is being removed, and when nothing of it is left.
  expect(await restore(free)).toMatchObject({ domainId: null, slug: 'pier-gone', warnings });
  await world.minutes(3);
  expect(await world.deps().domains.get(domainId as never)).toBeUndefined();
  const tailed = await restore(otherProject);
  expect(tailed).toMatchObject({ domainId: null, warnings });
  expect(tailed.slug).toMatch(/^taken-gone-/);
  const other = Slug.parse('taken-gone');
  await expect(restore(chosen, other)).rejects.toMatchObject({ code: 'SLUG_TAKEN' });
  const named = Slug.parse('other-gone');
  expect(await restore(chosen, named)).toMatchObject({ slug: 'other-gone', warnings });
  const project = await world.deps().projects.get(ProjectId.parse(free));
  expect(project).toMatchObject({ removingAt: null, host: 'pier-gone.sites.localhost' });

  const byOperator = restoreAsOperator(restoring(world), {
    projectId: ProjectId.parse(ofOperator),
  });
  await expect(byOperator).rejects.toThrow(/custom domain of operator-gone\..* is removed/);
});

test('a deleted project of a domain that is only out of order waits for it', async () => {
  const world = await new DomainWorld(stores).open(1);
  const name = newName();
  const domainId = await served(world, name);
  const projectId = await deletedProject(world, domainId, 'pier');
  world.outside.set('CNAME', `*.${name}`, 'elsewhere.example');
  expect((await world.check(0, domainId)).status).toBe('error_dns');
  const restore = () => restoreProject(restoring(world), world.caller(0), { projectId });
  await expect(restore()).rejects.toMatchObject({ code: 'DOMAIN_NOT_READY' });
  world.route(name);
  await world.minutes(5);
  expect(await restore()).toMatchObject({ domainId, slug: 'pier' });
});

test("the removal of a suspended account's domain ends, and its sites stay blocked", async () => {
  const world = await new DomainWorld(stores).open(1);
  const name = newName();
  const domainId = await served(world, name);
  const projectId = await world.owner(0).publish({ 'index.html': '<p>' });
  await world.assign(0, projectId, domainId, 'blocked-pier');
  const { id } = world.caller(0).account;
  await accountAdmin(stores.client, tables.accounts).beginSuspension(id, instant(world.now));
  // The operator removes it, or another account proves the name.
  const left = await removeDomains(world.owner(0).deps, name, world.now);
  expect(left).toMatchObject([{ name }]);
  await world.minutes(5);
  expect(await world.deps().domains.get(domainId as never)).toBeUndefined();
  expect(await world.deps().projects.get(projectId as never)).toMatchObject({ domainId: null });
});

test('whoever wants a name that another account has verified sees the record to set', async () => {
  const world = await new DomainWorld(stores).open(2);
  const name = newName();
  await served(world, name);
  for (const wanted of [name, `shop.${name}`]) {
    await expect(world.add(1, wanted)).rejects.toMatchObject({
      code: 'DOMAIN_TAKEN',
      fields: {
        nextStep: expect.stringContaining(
          `_slipway.${wanted} with the value ${world.proof(1, wanted)}`,
        ),
      },
    });
  }
  // What it says is enough.
  world.prove(1, name);
  expect((await world.add(1, name)).domain).toBe(name);
});

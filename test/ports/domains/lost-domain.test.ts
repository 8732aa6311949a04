import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { documentItems } from '../../../adapters/dynamodb/document-client.ts';
import { deletedProjects } from '../../../adapters/dynamodb/projects/deleted-projects.ts';
import { siteDirectory } from '../../../adapters/dynamodb/projects/site-directory.ts';
import { deliveryTable } from '../../../adapters/dynamodb/webhooks/delivery-table.ts';
import { webhookTable } from '../../../adapters/dynamodb/webhooks/webhook-table.ts';
import { Slug } from '../../../contract/fields.ts';
import { WebhookId } from '../../../contract/operations/webhooks.ts';
import { updateDomain } from '../../../core/domains/root-project.ts';
import { createProject } from '../../../core/projects/publishing/create-project.ts';
import { liftTakedown, takeDown } from '../../../core/projects/moderation/operator-change.ts';
import { deleteProject } from '../../../core/projects/removal/delete-project.ts';
import { restoreProject } from '../../../core/projects/removal/restore-deleted.ts';
import { updateProjectSettings } from '../../../core/projects/settings/update-project.ts';
import { buildZip } from '../../fixtures/archives/zip-builder.ts';
import { localStores, tables } from '../../fixtures/clouds/local-stores.ts';
import { DomainWorld } from '../../fixtures/domains/domain-world.ts';
import { aWebhook } from '../../fixtures/webhooks/memory-webhooks.ts';

let stores: Awaited<ReturnType<typeof localStores>>;
let names = 0;
beforeAll(async () => {
  stores = await localStores();
});
afterAll(() => stores.close());

/** A registered domain that no other test uses. */
const newName = () => `lost-${(names += 1)}.com`;

const [former, next] = [0, 1];

/** A ZIP that a worker publishes. */
const large = buildZip({
  entries: [{ name: 'a.txt', content: Buffer.alloc(17 * 1024 * 1024, 'a'), method: 8 }],
});

/** A domain of one account with a site at its bare name and one beneath it. */
async function served() {
  const world = await new DomainWorld(stores).open(2);
  const name = newName();
  const id = await world.serve(former, name);
  const [root, page] = [
    await world.owner(former).publish({ 'index.html': '<p>A' }),
    await world.owner(former).publish({ 'index.html': '<p>A' }),
  ];
  await world.assign(former, root, id, 'root');
  await world.assign(former, page, id, 'page');
  await world.setRoot(former, id, root);
  expect(await world.rootOf(name)).toBe(world.caller(former).account.id);
  return { world, name, id, root, page };
}

test('an account that lost a domain touches nothing of it, a moment later and at the end', async () => {
  const { world, name, id, root, page } = await served();
  const theirs = world.caller(next).account.id;
  const webhookId = WebhookId.parse(randomUUID());
  await webhookTable(stores.client, tables.accounts).change(
    world.caller(former).account.id,
    () => ({ next: [aWebhook({ id: webhookId, events: ['domain.failed'] })], result: undefined }),
  );
  // The next owner is served at once; nothing was removed of the former yet.
  world.prove(next, name);
  const newDomain = await world.add(next, name);
  const mine = await world.owner(next).publish({ 'index.html': '<p>B' });
  await world.assign(next, mine, newDomain.id, 'new');
  await world.setRoot(next, newDomain.id, mine);

  const told = await deliveryTable(stores.client, tables.projects).list(webhookId, 50);
  expect(told.map(({ data }) => JSON.parse(data))).toContainEqual({ domain: name, records: [] });

  const late = [
    () => world.setRoot(former, id, root),
    () => world.setRoot(former, id, page),
    () => world.setRoot(former, id, null),
    () => world.check(former, id),
    () => world.remove(former, id),
    () => world.assign(former, page, id, 'late'),
  ];
  for (const request of late) await expect(request()).rejects.toMatchObject({ status: 404 });
  const rename = { projectId: page, slug: Slug.parse('late') };
  await expect(
    updateProjectSettings(world.deps(), world.caller(former), rename),
  ).rejects.toMatchObject({
    code: 'DOMAIN_NOT_READY',
  });
  await expect(world.add(former, name)).rejects.toMatchObject({ code: 'DOMAIN_TAKEN' });
  await world.minutes(8);
  for (const request of late) await expect(request()).rejects.toMatchObject({ status: 404 });

  expect(await world.rootOf(name)).toBe(theirs);
  expect(await world.servedBy(`new.${name}`)).toBe(theirs);
  expect(await world.servedBy(`page.${name}`)).toBeNull();
  expect(await world.servedBy(`late.${name}`)).toBeNull();
  // Its former addresses are the next owner's to give.
  await world.assign(next, mine, newDomain.id, 'page');
  expect(await world.servedBy(`page.${name}`)).toBe(theirs);
});

test('a project whose first upload is still being stored leaves a lost domain at once', async () => {
  const { world, name, id } = await served();
  const { deps } = world.owner(former);
  const caller = {
    ...world.caller(former),
    publishedBy: { kind: 'key', id: null, name: 'CI' },
  } as const;
  // Its worker has not begun.
  const archive = { name: 'a.zip', contentType: 'application/zip', bytes: large };
  const input = { title: 'Large', access: 'public', files: [archive] } as const;
  const addressed = { domainId: id, slug: Slug.parse('queued') };
  const { projectId } = await createProject({ ...deps, domains: world.deps().domains }, caller, {
    ...input,
    ...addressed,
  });
  expect(await world.owner(former).project(projectId)).toMatchObject({ version: 0, domainId: id });
  const newDomain = await world.serve(next, name);
  expect(await world.owner(former).project(projectId)).toMatchObject({
    version: 0,
    domainId: null,
    ownerId: caller.account.id,
  });
  const mine = await world.owner(next).publish({ 'index.html': '<p>B' });
  await world.assign(next, mine, newDomain, 'queued');
  expect(await world.servedBy(`queued.${name}`)).toBe(world.caller(next).account.id);
});

test('a project that was deleted before its domain was lost does not come back at its address', async () => {
  const { world, name, page } = await served();
  const removal = { ...world.owner(former).deps, keptDays: 30, now: () => world.now };
  await deleteProject(removal, world.caller(former), { projectId: page });
  await world.minutes(3);
  const newDomain = await world.serve(next, name);
  const mine = await world.owner(next).publish({ 'index.html': '<p>B' });
  await world.assign(next, mine, newDomain, 'page');
  const deps = { ...world.deps(), deleted: deletedProjects(stores.client, tables.projects) };
  const restore = () => restoreProject(deps, world.caller(former), { projectId: page });
  await restore().catch(() => undefined);
  expect(await world.servedBy(`page.${name}`)).toBe(world.caller(next).account.id);
  await world.assign(next, mine, newDomain, 'elsewhere');
  await restore().catch(() => undefined);
  expect(await world.servedBy(`page.${name}`)).toBeNull();
});

test('an account that was deleted and came back has nothing of a domain that was lost meanwhile', async () => {
  const { world, name, id, root } = await served();
  const { accounts } = world.owner(former).deps;
  const { account } = world.caller(former);
  const [closedAt, at] = ['2026-03-01T13:00:00.000Z', '2026-03-02T13:00:00.000Z'];
  expect(await accounts.close(account.id, { at: closedAt, stopToken: '' })).toBe(true);
  const newDomain = await world.serve(next, name);
  const mine = await world.owner(next).publish({ 'index.html': '<p>B' });
  await world.assign(next, mine, newDomain, 'home');
  await world.setRoot(next, newDomain, mine);
  expect(await accounts.reopen(account.id, { closedAt, at })).toBe(true);
  await expect(world.setRoot(former, id, root)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(await world.list(former)).toEqual([]);
  expect(await world.rootOf(name)).toBe(world.caller(next).account.id);
});

test('an address that an operator shut stays shut when its domain is removed and added again', async () => {
  const { world, name, id, page } = await served();
  const sites = siteDirectory(documentItems(stores.client), tables.sites);
  const target = `page.${name}`;
  await takeDown(world.operatorDeps(), { target, reason: 'Phishing.' });
  const other = await world.owner(former).publish({ 'index.html': '<p>Again' });
  await world.remove(former, id);
  await world.minutes(4);
  const again = await world.serve(former, name);
  await expect(world.assign(former, other, again, 'page')).rejects.toMatchObject({
    code: 'SLUG_TAKEN',
  });
  // Neither under another account that has the same zone.
  const theirs = await world.serve(next, name);
  const mine = await world.owner(next).publish({ 'index.html': '<p>Again' });
  await expect(world.assign(next, mine, theirs, 'page')).rejects.toMatchObject({
    code: 'SLUG_TAKEN',
  });
  // The project itself may return, and is shut there too.
  const back = await world.serve(former, name);
  await world.assign(former, page, back, 'page');
  expect((await sites.get(target))?.takenDown).toBe(true);
});

test('a bare name that an operator shut shows no other project, whatever its owner does', async () => {
  const { world, name, id, root, page } = await served();
  await takeDown(world.operatorDeps(), { target: name, reason: 'Phishing.' });
  const shown = async () => (await world.visit(name, name))?.takenDown;
  expect(await shown()).toBe(true);
  const refused = { code: 'SLUG_TAKEN', message: expect.stringContaining(name) };
  await expect(world.setRoot(former, id, page)).rejects.toMatchObject(refused);
  await expect(world.setRoot(former, id, null)).rejects.toMatchObject(refused);
  await world.setRoot(former, id, root);
  // It leaves the domain, which is removed and added again.
  await world.assign(former, root, null, 'shut-at-the-root');
  await expect(world.setRoot(former, id, page)).rejects.toMatchObject(refused);
  await world.remove(former, id);
  await world.minutes(4);
  const again = await world.serve(former, name);
  await world.assign(former, page, again, 'page');
  await expect(world.setRoot(former, again, page)).rejects.toMatchObject(refused);
  // The next owner of the zone sets a project of its own once the hold is over.
  const mine = await world.owner(next).publish({ 'index.html': '<p>B' });
  const theirs = await world.serve(next, name);
  await world.assign(next, mine, theirs, 'home');
  await expect(world.setRoot(next, theirs, mine)).rejects.toMatchObject(refused);
  world.now = new Date(world.now.getTime() + 91 * 86_400_000);
  await world.setRoot(next, theirs, mine);
  expect(await shown()).toBe(false);
});

test('a bare name that an operator shut stays shut when its project is deleted, and opens when that is lifted', async () => {
  const { world, name, root } = await served();
  const refused = { code: 'SLUG_TAKEN' };
  await takeDown(world.operatorDeps(), { target: root, reason: 'Phishing.' });
  // A loss: the next owner sets a root before anything of the former domain was removed.
  const mine = await world.owner(next).publish({ 'index.html': '<p>B' });
  world.prove(next, name);
  const { id: newDomain } = await world.add(next, name);
  await world.assign(next, mine, newDomain, 'home');
  await expect(world.setRoot(next, newDomain, mine)).rejects.toMatchObject(refused);
  await liftTakedown(world.operatorDeps(), { target: root });
  await world.setRoot(next, newDomain, mine);

  await takeDown(world.operatorDeps(), { target: mine, reason: 'Phishing.' });
  const removal = { ...world.owner(next).deps, keptDays: 0, now: () => world.now };
  await deleteProject(removal, world.caller(next), { projectId: mine });
  const other = await world.owner(next).publish({ 'index.html': '<p>B' });
  await world.assign(next, other, newDomain, 'other');
  for (const wanted of [other, null])
    await expect(world.setRoot(next, newDomain, wanted)).rejects.toMatchObject(refused);
});

test('an address that an operator shut shows no other project when it becomes a domain of its own', async () => {
  const { world, name, id, page, root } = await served();
  await takeDown(world.operatorDeps(), { target: page, reason: 'Phishing.' });
  const refused = { code: 'SLUG_TAKEN' };
  const inside = await world.serve(former, `page.${name}`);
  const other = await world.owner(former).publish({ 'index.html': '<p>Again' });
  await world.assign(former, other, inside, 'other');
  await expect(world.setRoot(former, inside, other)).rejects.toMatchObject(refused);
  // Neither after the shut project and its domain are gone.
  await world.remove(former, id);
  await world.minutes(4);
  await expect(world.setRoot(former, inside, other)).rejects.toMatchObject(refused);
  await world.assign(former, root, inside, 'mine');
  world.now = new Date(world.now.getTime() + 91 * 86_400_000);
  await world.setRoot(former, inside, other);
});

test('a bare name that an operator shut is no address of another project beneath the domain above', async () => {
  const { world, name, id } = await served();
  const inside = await world.serve(former, `shop.${name}`);
  const shut = await world.owner(former).publish({ 'index.html': '<p>A' });
  await world.assign(former, shut, inside, 'any');
  await world.setRoot(former, inside, shut);
  await takeDown(world.operatorDeps(), { target: shut, reason: 'Phishing.' });
  const other = await world.owner(former).publish({ 'index.html': '<p>Again' });
  const refused = { code: 'SLUG_TAKEN' };
  await expect(world.assign(former, other, id, 'shop')).rejects.toMatchObject(refused);
  await world.remove(former, inside);
  await world.minutes(4);
  await expect(world.assign(former, other, id, 'shop')).rejects.toMatchObject(refused);
  await liftTakedown(world.operatorDeps(), { target: shut });
  await world.assign(former, other, id, 'shop');
});

test('a root that is shut between a look and the write is not replaced', async () => {
  const { world, name, id, root, page } = await served();
  const deps = world.deps();
  const setRoot = deps.domains.setRoot.bind(deps.domains);
  let writes = 0;
  const slow: typeof deps.domains = {
    ...deps.domains,
    async setRoot(domain, change) {
      writes += 1;
      if (writes === 1) {
        await takeDown(world.operatorDeps(), { target: root, reason: 'Phishing.' });
        await world.assign(former, root, null, 'shut-meanwhile');
      }
      return setRoot(domain, change);
    },
  };
  const change = { domainId: id, rootProjectId: page };
  await expect(
    updateDomain({ ...deps, domains: slow }, world.caller(former), change),
  ).rejects.toMatchObject({ code: 'SLUG_TAKEN' });
  // The shut project has left; nothing else is there.
  expect(await world.visit(name, name)).toBeUndefined();
});

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { fixedSecret } from '../../fixtures/fixed-secret.ts';
import { clearedMark, mustClearBrowser } from '../../../core/visit/former-tenant.ts';
import { localStores } from '../../fixtures/clouds/local-stores.ts';
import { DomainWorld } from '../../fixtures/domains/domain-world.ts';

let stores: Awaited<ReturnType<typeof localStores>>;
let names = 0;
beforeAll(async () => {
  stores = await localStores();
});
afterAll(() => stores.close());

const [former, next] = [0, 1];
const secret = fixedSecret('secret');

/** A domain that the first account serves, with a site at its bare name and one beneath it. */
async function served(name = `handed-${(names += 1)}.com`) {
  const world = await new DomainWorld(stores).open(2);
  const id = await show(world, former, name, 'page');
  return { world, name, id };
}

/** Serves a domain, with a project at its bare name and at an address beneath it. */
async function show(world: DomainWorld, account: number, name: string, slug: string) {
  const id = await world.serve(account, name);
  const page = await world.owner(account).publish({ 'index.html': '<p>Hello' });
  await world.assign(account, page, id, slug);
  await world.setRoot(account, id, page);
  return id;
}

/** Who answers a browser that was at a host before, and whether the answer clears it; again once it was cleared. */
async function returning(world: DomainWorld, host: string, name: string) {
  const site = await world.visit(host, name);
  if (site === undefined) throw new Error(`nothing at ${host}`);
  const fetch = { dest: 'document' };
  const clears = (cleared: string) => mustClearBrowser(secret, site, { cleared, fetch }, world.now);
  const by = world.owners.findIndex(({ caller }) => caller.account.id === site.ownerId);
  return { by, clears: clears('-'), again: clears(clearedMark(secret, site)) };
}

const kept = (by: number) => ({ by, clears: false, again: false });
const cleared = { by: next, clears: true, again: false };

test.each([
  ['lost', false],
  ['removed', true],
])('who was at a domain that its owner %s is cleared at its next owner', async (_, isRemoved) => {
  const { world, name, id } = await served();
  for (const host of [name, `www.${name}`, `page.${name}`])
    expect(await returning(world, host, name)).toEqual(kept(former));
  if (isRemoved) {
    await world.remove(former, id);
    await world.minutes(8);
  }
  await show(world, next, name, 'new');
  for (const host of [name, `www.${name}`, `new.${name}`])
    expect(await returning(world, host, name)).toEqual(cleared);
  // Whoever returns three months later has nothing of the former owner any more.
  world.now = new Date(world.now.getTime() + 91 * 86_400_000);
  expect(await returning(world, name, name)).toEqual(kept(next));
});

test('another project at the bare name does not start the time again', async () => {
  const { world, name } = await served();
  const id = await show(world, next, name, 'new');
  world.now = new Date(world.now.getTime() + 91 * 86_400_000);
  const other = await world.owner(next).publish({ 'index.html': '<p>Other' });
  await world.assign(next, other, id, 'other');
  await world.setRoot(next, id, other);
  expect(await returning(world, name, name)).toEqual(kept(next));
});

test('an address that was the bare name of a domain of its own is cleared', async () => {
  const name = `handed-${(names += 1)}.com`;
  const { world } = await served(`shop.${name}`);
  await show(world, next, name, 'shop');
  expect(await returning(world, `shop.${name}`, name)).toEqual(cleared);
});

test('an address that was a delegated domain beside the one above is cleared', async () => {
  const zone = `handed-${(names += 1)}.com`;
  const name = `part.${zone}`;
  const world = await new DomainWorld(stores).open(2);
  world.outside.delegated.add(name);
  const part = await show(world, former, name, 'page');
  const whole = await show(world, next, zone, 'home');
  expect(await returning(world, name, name)).toEqual(kept(former));
  await world.remove(former, part);
  await world.minutes(8);
  const page = await world.owner(next).publish({ 'index.html': '<p>Other' });
  await world.assign(next, page, whole, 'part');
  expect(await returning(world, name, zone)).toEqual(cleared);
  expect(await returning(world, `home.${zone}`, zone)).toEqual(kept(next));
});

test('an owner who removes a domain and adds it again keeps what browsers store', async () => {
  const { world, name, id } = await served();
  await world.remove(former, id);
  await world.minutes(8);
  await show(world, former, name, 'page');
  for (const host of [name, `page.${name}`])
    expect(await returning(world, host, name)).toEqual(kept(former));
});

test('a claim that was never proven hands nothing over', async () => {
  const world = await new DomainWorld(stores).open(2);
  const name = `handed-${(names += 1)}.com`;
  await world.add(former, name);
  await show(world, next, name, 'page');
  for (const host of [name, `page.${name}`])
    expect(await returning(world, host, name)).toEqual(kept(next));
});

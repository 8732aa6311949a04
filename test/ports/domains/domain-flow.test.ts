import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { localStores } from '../../fixtures/clouds/local-stores.ts';
import { DomainWorld } from '../../fixtures/domains/domain-world.ts';
import { routingEndpoint } from '../../fixtures/domains/outside-world.ts';

let stores: Awaited<ReturnType<typeof localStores>>;
let names = 0;
beforeAll(async () => {
  stores = await localStores();
});
afterAll(() => stores.close());

/** A registered domain that no other test uses. */
const newName = () => `customer-${(names += 1)}.com`;

test('a domain goes from its records to its sites, and leaves nothing behind', async () => {
  const world = await new DomainWorld(stores).open(1);
  const name = newName();
  const added = await world.add(0, name);
  expect(added).toMatchObject({ domain: name, status: 'pending_verification', projectCount: 0 });
  expect(added.records.map(({ type, name: at, state }) => [type, at, state])).toEqual([
    ['TXT', `_slipway.${name}`, 'missing'],
    // A certificate is requested once the name is proven.
    ['CNAME', null, 'preparing'],
    ['CNAME', `*.${name}`, 'missing'],
  ]);
  expect(added.records[1]?.hint).toContain('appears after the TXT record is found');
  expect(world.outside.requested).toEqual([]);

  world.outside.set('CNAME', `*.${name}`, 'elsewhere.example');
  const wrong = await world.check(0, added.id);
  expect(wrong.status).toBe('error_dns');
  expect(wrong.records[2]).toMatchObject({ found: ['elsewhere.example'], state: 'wrong' });
  expect(wrong.records[2]?.hint).toContain('elsewhere.example');

  world.outside.unset('CNAME', `*.${name}`);
  world.prove(0, name);
  const proven = await world.check(0, added.id);
  expect(proven).toMatchObject({ status: 'propagation_wait' });
  expect(proven.records[1]).toMatchObject({ name: `_a.${name}`, state: 'missing' });
  const projectId = await world.owner(0).publish({ 'index.html': '<p>Blog' });
  await expect(world.assign(0, projectId, added.id)).rejects.toMatchObject({
    code: 'DOMAIN_NOT_READY',
  });
  world.outside.set('CNAME', `*.${name}`, routingEndpoint);
  expect((await world.check(0, added.id)).status).toBe('active');
  await world.assign(0, projectId, added.id, 'pier-notes');
  expect(await world.servedBy(`pier-notes.${name}`)).toBeNull();
  expect((await world.check(0, added.id)).status).toBe('ssl_pending');
  world.route(name);
  await world.minutes(3);
  const served = await world.check(0, added.id);
  expect(served).toMatchObject({ status: 'ssl_active', projectCount: 1, rootProjectId: null });
  expect(served.projects).toMatchObject([{ id: projectId, slug: 'pier-notes' }]);
  expect(served.records.map(({ state }) => state)).toEqual(['ok', 'ok', 'ok']);
  expect(await world.servedBy(`pier-notes.${name}`)).toBe(world.caller(0).account.id);

  expect(await world.remove(0, added.id)).toEqual({ deleted: true });
  expect(await world.list(0)).toEqual([]);
  expect(await world.servedBy(`pier-notes.${name}`)).toBeNull();
  await world.minutes(3);
  expect(world.outside.tenants.size).toBe(0);
  // Its certificate is kept for whoever proves the name again.
  expect(world.outside.certificates.size).toBe(1);
  await world.minutes(30 * 24 * 60, 24 * 60);
  expect(world.outside.certificates.size).toBe(0);
  expect(await world.deps().domains.get(added.id)).toBeUndefined();
  const project = await world.deps().projects.get(projectId as never);
  expect(project).toMatchObject({
    domainId: null,
    slug: 'pier-notes',
    host: 'pier-notes.sites.localhost',
  });
});

describe('a name that two accounts want', () => {
  test('belongs to whoever proves it; the other leaves', async () => {
    const world = await new DomainWorld(stores).open(2);
    const name = newName();
    const squatted = await world.add(0, name);
    await expect(world.add(1, name)).rejects.toMatchObject({
      code: 'DOMAIN_TAKEN',
      fields: { nextStep: expect.stringContaining(world.proof(1, name)) },
    });
    world.prove(1, name);
    const { id } = await world.add(1, name);
    world.route(name);
    await world.minutes(4);
    expect((await world.check(1, id)).status).toBe('ssl_active');
    expect(await world.list(0)).toEqual([]);
    expect(world.outside.tenants.has(squatted.id as never)).toBe(false);
  });

  test('a released name that was proven needs a proof for 30 days, then it is free', async () => {
    const world = await new DomainWorld(stores).open(2);
    const name = newName();
    world.prove(0, name);
    await world.remove(0, (await world.add(0, name)).id);
    world.outside.records.clear();
    await world.minutes(2);
    await expect(world.add(1, name)).rejects.toMatchObject({ code: 'DOMAIN_TAKEN' });
    const again = await world.add(0, name);
    await world.remove(0, again.id);
    world.now = new Date(world.now.getTime() + 31 * 86_400_000);
    expect((await world.add(1, name)).domain).toBe(name);
  });

  test('a zone that changes hands stops the former account, and its slugs are free', async () => {
    const world = await new DomainWorld(stores).open(2);
    const name = newName();
    const first = await world.add(0, name);
    world.prove(0, name);
    world.route(name);
    await world.minutes(4);
    const theirs = await world.owner(0).publish({ 'index.html': '<p>A' });
    await world.assign(0, theirs, first.id, 'pier-notes');
    expect(await world.servedBy(`pier-notes.${name}`)).toBe(world.caller(0).account.id);
    await expect(world.add(1, name)).rejects.toMatchObject({ code: 'DOMAIN_TAKEN' });

    world.prove(1, name);
    const second = await world.add(1, name);
    expect(await world.servedBy(`pier-notes.${name}`)).toBeNull();
    await world.minutes(6);
    const mine = await world.owner(1).publish({ 'index.html': '<p>B' });
    await world.assign(1, mine, second.id, 'pier-notes');
    expect(await world.servedBy(`pier-notes.${name}`)).toBe(world.caller(1).account.id);
    expect(world.mails.map(({ kind }) => kind)).toContain('lost-records');
  });

  test('that three others had proven beneath it is free once all were looked at, two for each request', async () => {
    const world = await new DomainWorld(stores).open(4);
    const name = `west.${newName()}`;
    for (const account of [0, 1, 2]) {
      const beneath = `${'abc'[account]}.${name}`;
      await world.add(account, beneath);
      world.prove(account, beneath);
      world.route(beneath);
    }
    await world.minutes(4);
    world.outside.records.clear();
    world.prove(3, name);
    await expect(world.add(3, name)).rejects.toMatchObject({ code: 'DOMAIN_TAKEN' });
    expect(world.mails.filter(({ kind }) => kind === 'lost-records')).toHaveLength(2);
    expect((await world.add(3, name)).domain).toBe(name);
    expect(world.mails.filter(({ kind }) => kind === 'lost-records')).toHaveLength(3);
  });

  test('a domain beneath a proven one of another account is refused', async () => {
    const world = await new DomainWorld(stores).open(2);
    const name = newName();
    await world.add(0, name);
    world.prove(0, name);
    world.route(name);
    await world.minutes(3);
    const child = `shop.${name}`;
    await expect(world.add(1, child)).rejects.toMatchObject({ code: 'DOMAIN_TAKEN' });
    world.prove(1, child);
    await expect(world.add(1, child)).rejects.toMatchObject({ code: 'DOMAIN_TAKEN' });
    expect((await world.add(0, child)).domain).toBe(child);
  });

  test('of many simultaneous additions, one succeeds', async () => {
    const world = await new DomainWorld(stores).open(4);
    const name = newName();
    const all = await Promise.allSettled([0, 1, 2, 3].map((index) => world.add(index, name)));
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});

test('a proof that is gone stops the site, one that nobody can look up does not', async () => {
  const world = await new DomainWorld(stores).open(1);
  const name = newName();
  const { id } = await world.add(0, name);
  world.prove(0, name);
  world.route(name);
  await world.minutes(4);
  const projectId = await world.owner(0).publish({ 'index.html': '<p>' });
  await world.assign(0, projectId, id, 'site');
  const host = `site.${name}`;
  const me = world.caller(0).account.id;

  world.outside.isServerDown = true;
  await world.minutes(3 * 24 * 60, 6 * 60);
  expect(await world.servedBy(host)).toBe(me);
  world.outside.isServerDown = false;
  world.outside.unset('TXT', `_slipway.${name}`);
  await world.minutes(25 * 60, 60);
  expect(await world.servedBy(host)).toBeNull();
  expect(world.mails).toMatchObject([{ kind: 'lost-records', domain: name }]);
  world.prove(0, name);
  await world.check(0, id);
  await world.minutes(30);
  expect(await world.servedBy(host)).toBe(me);
});

test('a plan includes so many domains', async () => {
  const world = await new DomainWorld(stores).open(1);
  for (let count = 0; count < 5; count += 1) await world.add(0, newName());
  await expect(world.add(0, newName())).rejects.toMatchObject({ code: 'DOMAIN_LIMIT_REACHED' });
  const [one] = await world.list(0);
  await world.remove(0, one?.id ?? '');
  expect((await world.add(0, newName())).status).toBe('pending_verification');
});

test('a plan that ends keeps the sites for 14 days, with a mail before and after', async () => {
  const world = await new DomainWorld(stores).open(1);
  const name = newName();
  const { id } = await world.add(0, name);
  world.prove(0, name);
  world.route(name);
  await world.minutes(4);
  const projectId = await world.owner(0).publish({ 'index.html': '<p>' });
  await world.assign(0, projectId, id, 'site');
  await world.setTier(0, 'free');
  await world.minutes(13 * 24 * 60, 12 * 60);
  expect(await world.servedBy(`site.${name}`)).not.toBeNull();
  await world.minutes(3 * 24 * 60, 12 * 60);
  expect(await world.servedBy(`site.${name}`)).toBeNull();
  expect(world.mails.map(({ kind }) => kind)).toEqual(['plan-ended', 'resting']);
  await world.setTier(0, 'pro');
  await world.minutes(25 * 60, 5 * 60);
  expect(await world.servedBy(`site.${name}`)).not.toBeNull();
});

test('a domain for which AWS makes no tenant is told to the operator, not as long as it may take', async () => {
  const world = await new DomainWorld(stores).open(1);
  const name = newName();
  const { id } = await world.add(0, name);
  world.prove(0, name);
  world.route(name);
  world.outside.isTenantQuotaReached = true;
  await world.minutes(3);
  await world.minutes(330, 330);
  expect(world.troubles).toEqual([]);
  await world.minutes(60, 60);
  expect(world.troubles).toMatchObject([{ kind: 'stuck', domainId: id, domain: name }]);
  world.outside.isTenantQuotaReached = false;
  await world.minutes(120, 60);
  expect((await world.check(0, id)).status).toBe('ssl_active');
  world.troubles.length = 0;
  // The wait is over: a later one begins anew.
  world.outside.tenants.clear();
  world.outside.isTenantQuotaReached = true;
  await world.check(0, id);
  expect(world.troubles).toEqual([]);
});

test('a tenant that could not be seen when the proof was gone is switched off minutes later', async () => {
  const world = await new DomainWorld(stores).open(1);
  const name = newName();
  const { id } = await world.add(0, name);
  world.prove(0, name);
  world.route(name);
  await world.minutes(4);
  world.outside.set('CNAME', `*.${name}`, 'elsewhere.example');
  await world.minutes(120, 60);
  // Given up on by its owner, with the proof still there.
  await world.minutes(4 * 24 * 60, 4 * 24 * 60);
  expect(world.outside.tenants.get(id as never)?.enabled).toBe(true);
  world.outside.unset('TXT', `_slipway.${name}`);
  world.outside.isCloudFrontThrottled = true;
  await world.minutes(60, 60);
  world.outside.isCloudFrontThrottled = false;
  await world.minutes(1);
  expect(world.outside.tenants.get(id as never)?.enabled).toBe(false);
});

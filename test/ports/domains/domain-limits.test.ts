import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { findOwnDomain } from '../../../core/domains/own-domain.ts';
import { updateProjectSettings } from '../../../core/projects/settings/update-project.ts';
import { addDomain } from '../../../core/domains/manage-domains.ts';
import { localStores } from '../../fixtures/clouds/local-stores.ts';
import { DomainWorld } from '../../fixtures/domains/domain-world.ts';

let stores: Awaited<ReturnType<typeof localStores>>;
let names = 0;
beforeAll(async () => {
  stores = await localStores();
});
afterAll(() => stores.close());

const newName = () => `limited-${(names += 1)}.com`;

/** The caller after the plan and the trial have ended. */
function onFreePlan(world: DomainWorld) {
  const caller = world.caller(0);
  return { ...caller, account: { ...caller.account, tier: 'free' as const, trialEndsAt: null } };
}

async function served(world: DomainWorld, name: string) {
  const { id } = await world.add(0, name);
  world.prove(0, name);
  world.route(name);
  await world.minutes(4);
  expect((await world.check(0, id)).status).toBe('ssl_active');
  return id;
}

test('the free plan adds no domain, and its served domains take no other project', async () => {
  const world = await new DomainWorld(stores).open(1);
  const domainId = await served(world, newName());
  const projectId = await world.owner(0).publish({ 'index.html': '<p>' });
  const free = onFreePlan(world);
  await expect(addDomain(world.deps(), free, { domain: newName() })).rejects.toMatchObject({
    code: 'DOMAIN_LIMIT_REACHED',
  });
  await expect(
    updateProjectSettings(world.deps(), free, { projectId, domainId }),
  ).rejects.toMatchObject({
    code: 'FREE_TIER_RESTRICTED',
  });
  await world.assign(0, projectId, domainId);
});

test('a domain above one that another account proved first is not proven, one beneath it is gone', async () => {
  const world = await new DomainWorld(stores).open(2);
  const name = `shop.${newName()}`;
  const child = `pier.${name}`;
  const above = await world.add(1, name);
  const beneath = await world.add(1, `west.${child}`);
  const proven = await world.add(0, child);
  world.prove(0, child);
  world.route(child);
  await world.minutes(4);
  expect((await world.check(0, proven.id)).status).toBe('ssl_active');
  await expect(world.check(1, beneath.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  world.prove(1, name);
  world.route(name);
  await world.minutes(10);
  const refused = await world.check(1, above.id);
  expect(refused.status).toBe('error_dns');
  expect(refused.records[0]).toMatchObject({
    purpose: 'ownership',
    state: 'wrong',
    hint: expect.stringContaining('Another account has verified'),
  });
  expect(world.outside.tenants.has(above.id as never)).toBe(false);
  // The owner of the proven one lets go of it.
  await world.remove(0, proven.id);
  await world.minutes(3);
  await world.check(1, above.id);
  await world.minutes(3);
  expect((await world.check(1, above.id)).status).toBe('ssl_active');
});

test('whoever proves the registered domain wins over everything beneath it that is not delegated', async () => {
  const world = await new DomainWorld(stores).open(3);
  const [owner, tenant, department] = [0, 1, 2];
  const name = newName();
  const proven = async (account: number, domain: string) => {
    world.prove(account, domain);
    world.route(domain);
    const { id } = await world.add(account, domain);
    await world.minutes(3);
    expect((await world.check(account, id)).status).toBe('ssl_active');
    return id;
  };
  world.outside.delegated.add(`physics.${name}`);
  const rented = await proven(tenant, `shop.${name}`);
  const own = await proven(department, `physics.${name}`);
  const pages = await world.owner(tenant).publish({ 'index.html': '<p>' });
  await world.assign(tenant, pages, rented, 'pages');

  // What the zone's servers alone have shown takes nothing from anybody.
  world.prove(owner, name);
  world.outside.unseen.add(`_slipway.${name}`);
  const { id } = await world.add(owner, name);
  world.route(name);
  expect((await world.check(owner, id)).status).toBe('propagation_wait');
  await world.minutes(2);
  expect(await world.servedBy(`pages.shop.${name}`)).toBe(world.caller(tenant).account.id);

  world.outside.unseen.clear();
  await world.check(owner, id);
  await expect(world.check(tenant, rented)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(world.add(tenant, `shop.${name}`)).rejects.toMatchObject({ code: 'DOMAIN_TAKEN' });
  await world.minutes(3);
  expect(await world.servedBy(`pages.shop.${name}`)).toBeNull();
  expect(world.mails.map(({ kind }) => kind)).toEqual(['lost-to-other']);
  expect((await world.check(owner, id)).status).toBe('ssl_active');
  expect((await world.check(department, own)).status).toBe('ssl_active');
});

test('a certificate that failed is replaced once no record is wrong, and its end is forgotten', async () => {
  const world = await new DomainWorld(stores).open(1);
  const name = newName();
  const domainId = await served(world, name);
  const stored = async () => findOwnDomain(world.deps().domains, world.caller(0), domainId);
  const former = await stored();
  expect(former).toMatchObject({ certificateRound: 0, certificateExpiresAt: expect.any(String) });
  world.outside.tenants.clear();
  const certificate = world.outside.certificates.get(former?.certificateArn ?? '');
  if (certificate !== undefined) certificate.failed = true;

  world.outside.set('CNAME', `*.${name}`, 'elsewhere.example');
  await world.check(0, domainId);
  expect(await stored()).toMatchObject({
    certificateArn: former?.certificateArn,
    certificateRound: 0,
  });

  world.route(name);
  await world.check(0, domainId);
  expect(await stored()).toMatchObject({
    certificateArn: null,
    certificateExpiresAt: null,
    certificateRound: 1,
  });
  await world.minutes(4);
  expect((await world.check(0, domainId)).status).toBe('ssl_active');
});

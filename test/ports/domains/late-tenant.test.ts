import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DomainId } from '../../../contract/fields.ts';
import { checkDomain } from '../../../core/domains/manage-domains.ts';
import { localStores } from '../../fixtures/clouds/local-stores.ts';
import { DomainWorld } from '../../fixtures/domains/domain-world.ts';

let stores: Awaited<ReturnType<typeof localStores>>;
beforeAll(async () => {
  stores = await localStores();
});
afterAll(() => stores.close());

test('a tenant that is created while its owner removes the domain keeps the name from nobody', async () => {
  const world = await new DomainWorld(stores).open(2);
  const [former, next] = [0, 1];
  const name = 'late-tenant.com';
  world.prove(former, name);
  world.route(name);
  const { id } = await world.add(former, name);
  const deps = world.deps();
  const create: typeof deps.tenants.create = async (domain) => {
    if (world.outside.tenants.size === 0) await world.remove(former, id);
    return deps.tenants.create(domain);
  };
  const slow = { ...deps, tenants: { ...deps.tenants, create } };
  for (let checks = 0; checks < 6 && world.outside.tenants.size === 0; checks += 1)
    await checkDomain(slow, world.caller(former), { domainId: id }).catch(() => undefined);
  expect([...world.outside.tenants.keys()]).toEqual([id]);

  await world.minutes(5);
  expect(await deps.domains.get(DomainId.parse(id))).toBeUndefined();
  expect([...world.outside.tenants.keys()]).toEqual([]);
  await world.serve(next, name);
});

test('a name that another tenant has is told to the operator, and not asked for each minute', async () => {
  const world = await new DomainWorld(stores).open(1);
  const name = 'foreign-tenant.com';
  world.prove(0, name);
  world.route(name);
  const foreign = DomainId.parse(randomUUID());
  world.outside.tenants.set(foreign, { name, certificateArn: 'another', enabled: true });
  const { id } = await world.add(0, name);
  await world.minutes(90);
  const reported = world.troubles.filter(({ kind }) => kind === 'name-in-use');
  expect(reported[0]).toMatchObject({ domainId: id, domain: name });
  expect(reported.length).toBeLessThan(50);
  world.outside.tenants.delete(foreign);
  await world.minutes(30);
  expect((await world.check(0, id)).status).toBe('ssl_active');
});

test('a certificate that is requested while its domain is removed is kept by the removal, whatever else it writes', async () => {
  const world = await new DomainWorld(stores).open(1);
  const name = 'late-certificate.com';
  const { id } = await world.add(0, name);
  world.prove(0, name);
  world.route(name);
  const domainId = DomainId.parse(id);
  const deps = world.deps();
  let beaten = 0;
  const domains: typeof deps.domains = {
    ...deps.domains,
    // The removal and a look at it are written first, each time that this certificate would be.
    change: async (domain, change, claimed) => {
      if (change.certificateArn === undefined) return deps.domains.change(domain, change, claimed);
      const current = await deps.domains.get(domainId);
      if (current?.removingAt === null) await world.remove(0, id);
      else if (current !== undefined && beaten < 3) {
        beaten += 1;
        await deps.domains.change(current, { checkedAt: current.checkedAt });
      }
      return deps.domains.change(domain, change, claimed);
    },
  };
  for (let runs = 0; runs < 6 && world.outside.certificates.size === 0; runs += 1)
    await checkDomain({ ...deps, domains }, world.caller(0), { domainId: id }).catch(
      () => undefined,
    );
  const [arn = ''] = [...world.outside.certificates.keys()];
  expect([arn === '', beaten]).toEqual([false, 3]);
  expect(await deps.domains.get(domainId)).toMatchObject({ certificateArn: arn });
  await world.minutes(5);
  expect(await deps.domains.get(domainId)).toBeUndefined();
  // For as long as the name is held; then it is deleted.
  await world.minutes(31 * 24 * 60, 24 * 60);
  expect(world.outside.certificates.size).toBe(0);
});

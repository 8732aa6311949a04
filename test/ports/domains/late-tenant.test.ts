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

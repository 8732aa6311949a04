import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { localStores } from '../../fixtures/clouds/local-stores.ts';
import { DomainWorld } from '../../fixtures/domains/domain-world.ts';
import { routingEndpoint } from '../../fixtures/domains/outside-world.ts';

let stores: Awaited<ReturnType<typeof localStores>>;
beforeAll(async () => {
  stores = await localStores();
});
afterAll(() => stores.close());

/** One DNS message of 65 kB has 3,600 of them, as each is written as a label and a pointer. */
const base = ['a', 'b', 'c'].map((letter) => letter.repeat(60)).join('.');
const many = Array.from({ length: 3400 }, (_, index) => `${index}.${base}.example`);

test('a zone that answers with a megabyte neither stops the looks at its domain nor keeps it served', async () => {
  const world = await new DomainWorld(stores).open(1);
  const name = 'huge-answers.com';
  const id = await world.serve(0, name);
  world.outside.set('CNAME', `*.${name}`, routingEndpoint, ...many);
  world.outside.set('A', name, ...many);
  world.outside.set('CAA', name, ...many.map((one) => `issue ${one}`));
  const { records } = await world.check(0, id);
  expect(JSON.stringify(records).length).toBeLessThan(20_000);

  world.outside.unset('CAA', name);
  world.outside.set('CNAME', `_slipway.${name}`, ...many);
  await world.setTier(0, 'free');
  await world.minutes(20 * 24 * 60, 24 * 60);
  expect(world.outside.tenantAt(name)).toBeUndefined();
});

test('an account looks at its domains fifteen times in a minute, however many it has', async () => {
  const world = await new DomainWorld(stores).open(1);
  const ids: string[] = [];
  for (const name of ['looks-a.com', 'looks-b.com', 'looks-c.com'])
    ids.push(await world.serve(0, name));
  const counts = new Map<string, number>();
  world.counters = {
    count: async (key) => {
      counts.set(key, (counts.get(key) ?? 0) + 1);
      return counts.get(key) ?? 0;
    },
  };
  let lookups = 0;
  const checks = async () => {
    for (let round = 0; round < 9; round += 1) {
      for (const id of ids) {
        await world.check(0, id);
        lookups += 1;
      }
    }
  };
  await expect(checks()).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  expect(lookups).toBe(15);
});

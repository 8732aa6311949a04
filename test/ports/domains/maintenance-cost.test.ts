import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { randomUUID } from 'node:crypto';
import { domainRow } from '../../../adapters/dynamodb/domains/domain-rows.ts';
import { DomainId } from '../../../contract/fields.ts';
import { advanceDomain } from '../../../core/domains/advance-domain.ts';
import { sweep } from '../../../core/projects/removal/sweep.ts';
import { localStores, tables } from '../../fixtures/clouds/local-stores.ts';
import { aDomain } from '../../fixtures/domains/a-domain.ts';
import { DomainWorld } from '../../fixtures/domains/domain-world.ts';
import { proofSize } from '../../fixtures/proof-size.ts';

let stores: Awaited<ReturnType<typeof localStores>>;
beforeAll(async () => {
  stores = await localStores();
});
afterAll(() => stores.close());

const settledDomains = proofSize({ short: 500, whole: 10_000 });
const many = 1_000_000;

/** What one run of maintenance calls. */
async function costOfMinute(world: DomainWorld) {
  const calls: Record<string, number> = {};
  world.outside.callsUntilCrash = many;
  const send = stores.client.send.bind(stores.client);
  stores.client.send = ((command: object) => {
    const { name } = command.constructor;
    calls[name] = (calls[name] ?? 0) + 1;
    return send(command as never);
  }) as never;
  const deps = {
    ...world.owner(0).deps,
    advanceDomain: (id: DomainId, now: Date) => advanceDomain(world.deps(), id, now),
  };
  const { domains, failures } = await sweep(deps, world.now, () => 60_000);
  stores.client.send = send;
  return { domains, failures, calls, outside: many - world.outside.callsUntilCrash };
}

async function seed(world: DomainWorld, count: number): Promise<void> {
  const { id: accountId } = world.caller(0).account;
  const dueAt = new Date(world.now.getTime() + 30 * 86_400_000).toISOString();
  for (let from = 0; from < count; from += 25) {
    const rows = Array.from({ length: Math.min(25, count - from) }, (_, index) => {
      const name = `settled-${from + index}.com`;
      const id = DomainId.parse(randomUUID());
      return {
        PutRequest: { Item: domainRow(aDomain({ id, accountId, name, zone: name, dueAt })) },
      };
    });
    const RequestItems = { [tables.projects]: rows };
    await stores.client.send(new BatchWriteCommand({ RequestItems }));
  }
}

test('each minute costs the same, whatever the number of settled domains', async () => {
  const world = await new DomainWorld(stores).open(1);
  const name = 'customer-of-cost.com';
  const { id } = await world.add(0, name);
  world.prove(0, name);
  world.route(name);
  await world.minutes(5);
  expect((await world.check(0, id)).status).toBe('ssl_active');
  const alone = await costOfMinute(world);
  expect(alone).toMatchObject({ domains: 0, failures: 0, outside: 0 });

  await seed(world, settledDomains);
  const among = await costOfMinute(world);
  expect(among).toEqual(alone);

  // Once an hour the proof of a settled domain is looked at, once a day everything.
  world.now = new Date(world.now.getTime() + 3_600_000);
  const hourly = await costOfMinute(world);
  const beside = { ...alone.calls, GetCommand: 2, TransactWriteCommand: 1 };
  expect(hourly).toMatchObject({ domains: 1, failures: 0, calls: beside, outside: 3 });
  world.now = new Date(world.now.getTime() + 23 * 3_600_000);
  const daily = await costOfMinute(world);
  // One write is before the look: its next time.
  const inFull = { ...alone.calls, GetCommand: 3, TransactWriteCommand: 2 };
  expect(daily).toMatchObject({ domains: 1, failures: 0, calls: inFull, outside: 12 });
  expect((await world.list(0)).map(({ status }) => status)).toContain('ssl_active');
}, 300_000);

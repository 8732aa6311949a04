import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { counterTable } from '../../../adapters/dynamodb/counter-table.ts';
import { deliveryTable } from '../../../adapters/dynamodb/webhooks/delivery-table.ts';
import { webhookTable } from '../../../adapters/dynamodb/webhooks/webhook-table.ts';
import { WebhookId } from '../../../contract/operations/webhooks.ts';
import { localStores, tables } from '../../fixtures/clouds/local-stores.ts';
import { DomainWorld } from '../../fixtures/domains/domain-world.ts';
import { routingEndpoint } from '../../fixtures/domains/outside-world.ts';
import { aWebhook } from '../../fixtures/webhooks/memory-webhooks.ts';

let stores: Awaited<ReturnType<typeof localStores>>;
beforeAll(async () => {
  stores = await localStores();
});
afterAll(() => stores.close());

test('records that come and go at every look cause one mail a day, and the last loss is told', async () => {
  const world = await new DomainWorld(stores).open(1);
  const name = 'flickers.com';
  const id = await world.serve(0, name);
  const { id: accountId } = world.caller(0).account;
  const webhookId = WebhookId.parse(randomUUID());
  await webhookTable(stores.client, tables.accounts).change(accountId, () => ({
    next: [aWebhook({ id: webhookId, events: ['domain.failed'] })],
    result: undefined,
  }));
  const point = (target: string) => world.outside.set('CNAME', `*.${name}`, target);
  for (let checks = 0; checks < 20; checks += 1) {
    world.now = new Date(world.now.getTime() + 6000);
    point(checks % 2 === 0 ? 'elsewhere.example' : routingEndpoint);
    await world.check(0, id);
  }
  expect(world.mails).toMatchObject([{ kind: 'lost-records' }]);
  point('elsewhere.example');
  await world.check(0, id);
  await world.minutes(24 * 60, 60);
  await world.minutes(48 * 60, 60);
  expect(world.mails).toHaveLength(2);
  // Webhooks hear of each loss, once: ten of the twenty checks and the last one.
  const told = await deliveryTable(stores.client, tables.projects).list(webhookId, 50);
  expect(told).toHaveLength(11);
  expect(JSON.parse(told[0]?.data ?? '')).toMatchObject({
    domain: name,
    records: [{ type: 'CNAME', name: `*.${name}`, state: 'wrong' }],
  });
});

test('two accounts that take a name from each other get twenty mails a day each, and new ones the next day', async () => {
  const world = await new DomainWorld(stores).open(2);
  world.counters = counterTable(stores.client, tables.counters);
  const name = 'to-and-fro.com';
  world.route(name);
  const takeIt = async (account: number) => {
    world.prove(account, name);
    await world.add(account, name);
    await world.minutes(10, 5);
  };
  for (let times = 0; times < 50; times += 1) await takeIt(times % 2);
  expect(world.mails).toHaveLength(40);
  // The last of each says that there are no others today.
  expect(world.mails.filter(({ isLastToday }) => isLastToday)).toHaveLength(2);
  // What happened is shown all the same.
  expect(await world.list(0)).toEqual([]);
  expect(await world.list(1)).toMatchObject([{ domain: name }]);
  world.now = new Date(world.now.getTime() + 86_400_000);
  await takeIt(0);
  expect(world.mails.length).toBeGreaterThan(40);
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { deliveryTable, eventParts } from '../../adapters/dynamodb/webhooks/delivery-table.ts';
import { projectRepository } from '../../adapters/dynamodb/projects/project-repository.ts';
import { webhookTable } from '../../adapters/dynamodb/webhooks/webhook-table.ts';
import { writeTransaction } from '../../adapters/dynamodb/transaction.ts';
import { accountRepository } from '../../adapters/dynamodb/accounts/account-repository.ts';
import { writeCharged } from '../../adapters/dynamodb/accounts/charged-write.ts';
import { hitTable } from '../../adapters/dynamodb/hits/hit-table.ts';
import { AccountId, ProjectId } from '../../contract/fields.ts';
import { recordBatch } from '../../core/analytics/count-hits.ts';
import { groupHits } from '../../core/analytics/hit-batches.ts';
import type { Hit } from '../../core/analytics/hit.ts';
import { aHit } from '../fixtures/visits/hits.ts';
import { type WebhookEvent, WebhookId } from '../../contract/operations/webhooks.ts';
import { instant, plusSeconds } from '../../core/instants.ts';
import type { DueItem } from '../../core/ports.ts';
import { type DeliveryStore, maxListed, newDelivery } from '../../core/webhooks/delivery.ts';
import type { LaneKey, Webhook } from '../../core/webhooks/webhook.ts';
import { localStores, tables } from '../fixtures/clouds/local-stores.ts';
import { aCaller, aProject } from '../fixtures/projects/a-project.ts';
import { now } from '../fixtures/visits/a-site.ts';
import { anEvent, aWebhook, MemoryDeliveries } from '../fixtures/webhooks/memory-webhooks.ts';

let stores: Awaited<ReturnType<typeof localStores>>;
beforeAll(async () => {
  stores = await localStores();
});
afterAll(() => stores.close());

const later = (seconds: number) => plusSeconds(now, seconds);
const until = instant(later(60));

describe.each<[string, () => DeliveryStore]>([
  ['DynamoDB', () => deliveryTable(stores.client, tables.projects)],
  ['memory', () => new MemoryDeliveries()],
])('deliveries in %s', (_, implementation) => {
  let deliveries: DeliveryStore;
  let key: LaneKey;
  let webhook: Webhook;
  beforeEach(() => {
    deliveries = implementation();
    webhook = aWebhook({ id: WebhookId.parse(randomUUID()) });
    key = { webhookId: webhook.id, subject: aProject().id };
  });
  const added = async (seconds: number) => {
    const delivery = newDelivery(webhook, anEvent(1, { at: instant(later(seconds)) }));
    await deliveries.add(delivery);
    return delivery;
  };

  test('all of a webhook are removed together, those that wait and those that are done', async () => {
    const [done] = [await added(1), await added(2)];
    await deliveries.finish({ ...done, state: 'delivered', nextAttemptAt: null });
    await deliveries.removeAll(WebhookId.parse(randomUUID()));
    expect(await deliveries.list(key.webhookId, 9)).toHaveLength(2);
    await deliveries.removeAll(key.webhookId);
    expect(await deliveries.list(key.webhookId, 9)).toEqual([]);
    expect(await deliveries.lease(key, now, until)).toBeUndefined();
  });

  test('a line gives its oldest delivery until that is finished', async () => {
    const [second, first] = [await added(2), await added(1)];
    expect(await deliveries.first(key)).toEqual(first);
    const lastAttempt = { at: instant(now), milliseconds: 3, status: 500, body: 'no' };
    const tried = { ...first, attempts: 1, lastAttempt };
    await deliveries.update(tried);
    expect(await deliveries.first(key)).toEqual(tried);
    expect(await deliveries.find(key.webhookId, first.id)).toBeUndefined();
    const done = { ...tried, state: 'delivered' as const, nextAttemptAt: null };
    await deliveries.finish(done);
    expect(await deliveries.first(key)).toEqual(second);
    expect(await deliveries.find(key.webhookId, first.id)).toEqual(done);
    expect(await deliveries.list(key.webhookId, 9)).toEqual([second, done]);
    expect(await deliveries.list(key.webhookId, 1)).toEqual([second]);
    expect(await deliveries.first({ ...key, subject: 'account' })).toBeUndefined();
  });

  test('what is finished twice is not brought back', async () => {
    const first = await added(1);
    await deliveries.finish({ ...first, state: 'delivered' });
    await deliveries.finish({ ...first, state: 'delivered' });
    expect(await deliveries.first(key)).toBeUndefined();
  });

  test('what is moved to another line leaves its own once', async () => {
    const [first, second] = [await added(1), await added(2)];
    const aside = { ...key, subject: `${key.subject}~visitors` };
    await deliveries.move(first, aside.subject);
    await deliveries.move(first, aside.subject);
    expect(await deliveries.first(key)).toEqual(second);
    expect(await deliveries.first(aside)).toEqual({ ...first, ...aside });
    expect(await deliveries.list(key.webhookId, 9)).toEqual([second, { ...first, ...aside }]);
    expect(await deliveries.lease(aside, now, until)).toBe(1);
  });

  test('one sender has a line at a time, until its lease ends', async () => {
    expect(await deliveries.lease(key, now, until)).toBeUndefined();
    await added(1);
    await added(2);
    expect(await deliveries.lease(key, now, until)).toBe(2);
    expect(await deliveries.lease(key, later(59), until)).toBeUndefined();
    expect(await deliveries.lease(key, later(60), instant(later(120)))).toBe(2);
    await deliveries.release(key, instant(later(90)));
    expect(await deliveries.lease(key, later(61), until)).toBe(2);
  });

  test('a line is due once', async () => {
    expect(await deliveries.postpone(key, now, until)).toBe(false);
    await added(1);
    expect(await deliveries.postpone(key, now, until)).toBe(false);
    expect(await deliveries.postpone(key, later(1), until)).toBe(true);
    await added(2);
    expect(await deliveries.postpone(key, later(2), until)).toBe(false);
    await deliveries.release(key, instant(later(5)));
    expect(await deliveries.postpone(key, later(5), until)).toBe(true);
  });

  test('a line is brought forward from its beginning, by any delivery that waits in it, and not while it is sent', async () => {
    const [second, first] = [await added(2), await added(1)];
    const waits = { ...first, attempts: 1, nextAttemptAt: instant(later(3600)) };
    await deliveries.update(waits);
    await deliveries.release(key, instant(later(3600)));
    const at = instant(later(60));
    const elsewhere = WebhookId.parse(randomUUID());
    expect(await deliveries.bringForward(elsewhere, second.id, at)).toBe(false);
    expect(await deliveries.postpone(key, later(60), until)).toBe(false);
    expect(await deliveries.bringForward(key.webhookId, second.id, at)).toBe(true);
    expect(await deliveries.first(key)).toEqual({ ...waits, nextAttemptAt: at });
    const leasedUntil = instant(later(120));
    expect(await deliveries.postpone(key, later(60), leasedUntil)).toBe(true);
    await deliveries.lease(key, later(60), leasedUntil);
    expect(await deliveries.bringForward(key.webhookId, first.id, instant(later(61)))).toBe(true);
    expect(await deliveries.postpone(key, later(62), until)).toBe(false);
    await deliveries.finish({ ...first, state: 'delivered' });
    expect(await deliveries.bringForward(key.webhookId, first.id, at)).toBe(false);
  });

  test('of those that wait, as many are looked at to bring one forward as are listed', async () => {
    const all = [];
    for (let at = 0; at <= maxListed; at += 1) all.push(await added(at));
    const [oldest, listed] = all;
    if (oldest === undefined || listed === undefined) throw new Error('nothing waits');
    const at = instant(later(90));
    expect(await deliveries.bringForward(key.webhookId, oldest.id, at)).toBe(false);
    expect(await deliveries.bringForward(key.webhookId, listed.id, at)).toBe(true);
    expect(await deliveries.first(key)).toEqual({ ...oldest, nextAttemptAt: at });
  });

  test('a line to which something was added does not end', async () => {
    await added(1);
    await added(2);
    expect(await deliveries.end(key, 1)).toBe(2);
    expect(await deliveries.end(key, 2)).toBeUndefined();
    expect(await deliveries.lease(key, now, until)).toBeUndefined();
    expect(await deliveries.end(key, 2)).toBeUndefined();
    await deliveries.release(key, until);
    expect(await deliveries.lease(key, now, until)).toBeUndefined();
  });
});

describe('opens of a project', () => {
  const aWatchedProject = async () => {
    const project = aProject({ id: ProjectId.parse(randomUUID()) });
    const webhook = aWebhook({
      id: WebhookId.parse(randomUUID()),
      events: ['project.opened', 'project.first_opened'],
    });
    const watched = new Map([[project.id, { project, webhooks: [webhook] }]]);
    let milliseconds = 0;
    const hits = hitTable(stores.client, tables, () => later((milliseconds += 5) / 1000));
    const open = (id: string, changes: Partial<Hit> = {}) =>
      aHit({ projectId: project.id, kind: 'open', id, ...changes });
    const record = async (some: Hit[]) => {
      for (const batch of groupHits(some, watched))
        expect(await recordBatch(hits, batch)).toEqual([]);
    };
    const told = async () => {
      const all = await deliveryTable(stores.client, tables.projects).list(webhook.id, 50);
      return all.toReversed().map(({ type, data }) => [type, JSON.parse(data).opens]);
    };
    return { open, record, told };
  };

  test('are told once, in the transaction that counts them, also if they are delivered again', async () => {
    const { open, record, told } = await aWatchedProject();
    await record([open('own', { isOwner: true })]);
    expect(await told()).toEqual([]);
    await record([open('a'), open('b')]);
    await record([open('a'), open('b'), open('c')]);
    expect(await told()).toEqual([
      ['project.first_opened', undefined],
      ['project.opened', 2],
      ['project.opened', 1],
    ]);
  });

  test('that are counted at once have one first', async () => {
    const { open, record, told } = await aWatchedProject();
    // Of other minutes, so that they share no block.
    const opens = Array.from({ length: 8 }, (_, minute) =>
      open(`o${minute}`, { at: `2026-03-01T12:0${minute}:00.000Z` }),
    );
    await Promise.all(opens.map((one) => record([one])));
    const types = (await told()).map(([type]) => type);
    expect(types.filter((type) => type === 'project.first_opened')).toHaveLength(1);
    expect(types.filter((type) => type === 'project.opened')).toHaveLength(8);
  });

  test('before there was a webhook leave no first', async () => {
    const { open, record, told } = await aWatchedProject();
    for (const batch of groupHits([open('early')]))
      await recordBatch(
        hitTable(stores.client, tables, () => now),
        batch,
      );
    await record([open('a')]);
    expect(await told()).toEqual([['project.opened', 1]]);
  });
});

describe('limits of an account', () => {
  const anAccount = async (events: WebhookEvent[] = ['quota.near']) => {
    const { account } = aCaller({
      id: AccountId.parse(randomUUID()),
      email: `${randomUUID()}@a.org`,
      projectCount: 0,
      storageBytes: 0,
    });
    const { id: accountId } = await accountRepository(stores.client, tables.accounts).create(
      account,
    );
    const webhook = aWebhook({ id: WebhookId.parse(randomUUID()), events });
    await webhookTable(stores.client, tables.accounts).change(accountId, () => ({
      next: [webhook],
      result: undefined,
    }));
    const charged = async (projects: number, bytes = 0) => {
      const limits = { maxProjects: 10, maxStorageBytes: 1000, hasWebhooks: true as const };
      const charge = { accountId, projects, archived: 0, bytes, earlierBytes: 0, ...limits };
      const change = { charge, guard: undefined, events: [], at: instant(now) };
      return (await writeCharged(stores.client, tables, { parts: [], account: change })).size === 0;
    };
    const told = async () => {
      const all = await deliveryTable(stores.client, tables.projects).list(webhook.id, 50);
      return all
        .map(({ data }) => JSON.parse(data))
        .map(({ what, percent, used, limit }) => `${what} ${percent} %: ${used} of ${limit}`)
        .toSorted();
    };
    return { charged, told };
  };

  test('are told at 80 and 100 % once each, however many charges come at once', async () => {
    const { charged, told } = await anAccount();
    const charges = Array.from({ length: 12 }, () => charged(1, 10));
    expect((await Promise.all(charges)).filter(Boolean)).toHaveLength(10);
    expect(await told()).toEqual([
      expect.stringMatching(/^projects 100 %: 10 of 10$/),
      expect.stringMatching(/^projects 80 %: [89] of 10$/),
    ]);
  });

  test('are told again only after the use has fallen', async () => {
    const { charged, told } = await anAccount();
    await charged(0, 810);
    for (let turn = 0; turn < 3; turn += 1) {
      await charged(0, -60);
      await charged(0, 60);
    }
    expect(await told()).toEqual(['storage 80 %: 810 of 1000']);
    await charged(0, -200);
    await charged(0, 90);
    await charged(0, 200);
    expect(await told()).toEqual(['storage 80 %: 810 of 1000', 'storage 80 %: 900 of 1000']);
    expect(await charged(0, 101)).toBe(false);
    expect(await told()).toHaveLength(2);
  });

  test('of an account whose webhooks do not want that are not told', async () => {
    const { charged, told } = await anAccount(['version.published']);
    await charged(0, 1000);
    expect(await told()).toEqual([]);
  });
});

describe('webhooks in DynamoDB', () => {
  test('the first one marks its account, so that opens are looked up for it', async () => {
    const webhooks = webhookTable(stores.client, tables.accounts);
    const accounts = accountRepository(stores.client, tables.accounts);
    const { account } = aCaller({
      id: AccountId.parse(randomUUID()),
      email: `${randomUUID()}@a.org`,
    });
    const { id } = await accounts.create(account);
    expect(await accounts.get(id)).not.toHaveProperty('hasWebhooks');
    await webhooks.change(id, () => ({ next: [aWebhook()], result: undefined }));
    expect(await accounts.get(id)).toMatchObject({ hasWebhooks: true });
  });

  test('changes at once lose none', async () => {
    const webhooks = webhookTable(stores.client, tables.accounts);
    const accountId = AccountId.parse(randomUUID());
    const all = Array.from({ length: 5 }, () => aWebhook({ id: WebhookId.parse(randomUUID()) }));
    await Promise.all(
      all.map((one) =>
        webhooks.change(accountId, (before) => ({ next: [...before, one], result: undefined })),
      ),
    );
    const ids = (await webhooks.list(accountId)).map(({ id }) => id);
    expect(new Set(ids)).toEqual(new Set(all.map(({ id }) => id)));
  });

  test('two events of one change are two deliveries in one line, in their order', async () => {
    const webhooks = webhookTable(stores.client, tables.accounts);
    const deliveries = deliveryTable(stores.client, tables.projects);
    const projects = projectRepository(stores.client, tables);
    const accountId = AccountId.parse(randomUUID());
    const id = WebhookId.parse(randomUUID());
    await webhooks.change(accountId, () => ({ next: [aWebhook({ id })], result: undefined }));
    const events = [
      anEvent(1, { accountId, type: 'upload.received' }),
      anEvent(1, { accountId }),
      anEvent(1, { accountId }),
    ];
    await writeTransaction(stores.client, await eventParts(stores.client, tables, events));
    const key = { webhookId: id, subject: aProject().id };
    expect(await deliveries.lease(key, now, until)).toBe(3);
    const listed = await deliveries.list(id, 9);
    expect(listed.map(({ type }) => type).toReversed()).toEqual(events.map(({ type }) => type));
    const due = async (seconds: number) => {
      const items: DueItem[] = [];
      for await (const item of projects.listDue(later(seconds))) items.push(item);
      return items;
    };
    expect(await due(1)).not.toContainEqual({ kind: 'webhook', ...key });
    expect(await due(61)).toContainEqual({ kind: 'webhook', ...key });
  });
});

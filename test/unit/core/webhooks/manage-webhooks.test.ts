import { beforeEach, expect, test } from '@jest/globals';
import { defaultPlans } from '../../../../contract/plans.ts';
import { CodedError } from '../../../../core/errors.ts';
import { plusSeconds } from '../../../../core/instants.ts';
import {
  listDeliveries,
  redeliver,
  testWebhook,
} from '../../../../core/webhooks/manage-deliveries.ts';
import {
  createWebhook,
  deleteWebhook,
  listWebhooks,
  rotateWebhookSecret,
  updateWebhook,
} from '../../../../core/webhooks/manage-webhooks.ts';
import { aCaller, aProject, ownerId } from '../../../fixtures/projects/a-project.ts';
import { now } from '../../../fixtures/visits/a-site.ts';
import {
  aWebhook,
  MemoryDeliveries,
  MemoryWebhooks,
} from '../../../fixtures/webhooks/memory-webhooks.ts';

let webhooks: MemoryWebhooks;
let deliveries: MemoryDeliveries;
let tests: number;
beforeEach(() => {
  [webhooks, deliveries, tests] = [new MemoryWebhooks(), new MemoryDeliveries(), 0];
});

const project = aProject();
const deps = (allowsLoopback = false) => ({
  projects: { get: async (id: string) => (id === project.id ? project : undefined) },
  webhooks,
  deliveries,
  counters: { count: async () => (tests += 1) },
  plans: defaultPlans,
  allowsLoopback,
  now: () => now,
});
const url = 'https://hooks.example.org/in?token=s3cret';
const input = { url, events: ['version.published' as const] };
const create = (fields = {}, caller = aCaller()) =>
  createWebhook(deps(), caller, { ...input, ...fields });
const refusal = (code: string) => expect.objectContaining({ code });

test('the secret is shown once, and signs', async () => {
  const { secret, ...shown } = await create();
  expect(shown).toMatchObject({ url, enabled: true, format: 'standard', projectId: null });
  expect(await listWebhooks(deps(), aCaller())).toEqual({ webhooks: [shown] });
  expect(JSON.stringify(await listWebhooks(deps(), aCaller()))).not.toContain('whsec_');
  expect((await webhooks.list(ownerId))[0]?.secrets).toEqual([{ secret, until: null }]);
});

test('twenty webhooks are made in an hour, however many are deleted', async () => {
  for (let made = 0; made < 20; made += 1) {
    const { id } = await create();
    await deleteWebhook(deps(), aCaller(), { webhookId: id });
  }
  await expect(create()).rejects.toEqual(refusal('RATE_LIMITED'));
});

test('a new secret leaves the former one valid for a day', async () => {
  const { id, secret: former } = await create();
  const { secret, formerUntil } = await rotateWebhookSecret(deps(), aCaller(), { webhookId: id });
  expect(formerUntil).toBe(plusSeconds(now, 86_400).toISOString());
  const { secret: third } = await rotateWebhookSecret(deps(), aCaller(), { webhookId: id });
  expect((await webhooks.list(ownerId))[0]?.secrets).toEqual([
    { secret: third, until: null },
    { secret, until: formerUntil },
  ]);
  expect(former).not.toBe(secret);
});

test.each([
  'http://hooks.example.org/in',
  'https://127.0.0.1/in',
  'https://[::1]/in',
  'https://2130706433/in',
  'https://localhost/in',
  'https://user:password@hooks.example.org/in',
  'http://localhost:8080/in',
])('%s is no address for a webhook', async (address) => {
  await expect(create({ url: address })).rejects.toEqual(refusal('INVALID_REQUEST'));
  webhooks.rows.set(ownerId, [aWebhook()]);
  const changed = updateWebhook(deps(), aCaller(), { webhookId: aWebhook().id, url: address });
  await expect(changed).rejects.toEqual(refusal('VALIDATION_FAILED'));
});

test('a webhook for one project cannot have events of the account', async () => {
  const events = ['version.published', 'quota.near'] as const;
  const refused = create({ projectId: project.id, events: [...events] });
  await expect(refused).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
    message: expect.stringContaining('quota.near'),
  });
  const { id: webhookId } = await create({ projectId: project.id });
  const changed = updateWebhook(deps(), aCaller(), { webhookId, events: ['domain.failed'] });
  await expect(changed).rejects.toEqual(refusal('VALIDATION_FAILED'));
  expect(await create({ events: [...events] })).toMatchObject({ projectId: null, events });
});

test('the local cloud takes its own computer over http', async () => {
  const address = 'http://localhost:8080/in';
  expect(await createWebhook(deps(true), aCaller(), { ...input, url: address })).toMatchObject({
    url: address,
  });
});

test('a plan has so many webhooks, and no plan more than ten', async () => {
  const free = aCaller({ tier: 'free' });
  await create({}, free);
  await expect(create({}, free)).rejects.toEqual(refusal('WEBHOOK_LIMIT_REACHED'));
  const scale = aCaller({ tier: 'scale' });
  while ((await webhooks.list(ownerId)).length < 10) await create({}, scale);
  await expect(create({}, scale)).rejects.toEqual(refusal('WEBHOOK_LIMIT_REACHED'));
});

test('a key for some projects finds and makes webhooks of these alone', async () => {
  const { id: ofAccount } = await create();
  const { id: ofProject } = await create({ projectId: project.id });
  const limited = { ...aCaller(), projectIds: [project.id] };
  const { webhooks: seen } = await listWebhooks(deps(), limited);
  expect(seen.map(({ id }) => id)).toEqual([ofProject]);
  const notFound = refusal('NOT_FOUND');
  const webhookId: string = ofAccount;
  await expect(deleteWebhook(deps(), limited, { webhookId })).rejects.toEqual(notFound);
  await expect(rotateWebhookSecret(deps(), limited, { webhookId })).rejects.toEqual(notFound);
  await expect(testWebhook(deps(), limited, { webhookId })).rejects.toEqual(notFound);
  await expect(listDeliveries(deps(), limited, { webhookId })).rejects.toEqual(notFound);
  const elsewhere = { ...aCaller(), projectIds: [] };
  await expect(create({ projectId: project.id }, elsewhere)).rejects.toEqual(notFound);
});

test('a change keeps the other fields; switched on again, its failures are forgotten', async () => {
  const failingSince = now.toISOString();
  webhooks.rows.set(ownerId, [aWebhook({ enabled: false, failingSince })]);
  const webhookId: string = aWebhook().id;
  const changed = await updateWebhook(deps(), aCaller(), { webhookId, enabled: true });
  expect(changed).toMatchObject({ enabled: true, failingSince: null, url: aWebhook().url });
  expect((await webhooks.list(ownerId))[0]?.secrets).toEqual(aWebhook().secrets);
});

test('a deleted webhook is gone', async () => {
  const { id: webhookId } = await create();
  expect(await deleteWebhook(deps(), aCaller(), { webhookId })).toEqual({ deleted: true });
  const again = deleteWebhook(deps(), aCaller(), { webhookId });
  await expect(again).rejects.toBeInstanceOf(CodedError);
});

test('a test and a repeat are new deliveries, begun at once; a repeat has the same event', async () => {
  const { id: webhookId } = await create();
  const { deliveryId } = await testWebhook(deps(), aCaller(), { webhookId });
  const { deliveries: listed } = await listDeliveries(deps(), aCaller(), { webhookId });
  expect(listed).toMatchObject([{ id: deliveryId, type: 'webhook.test', projectId: null }]);
  // One that waits is no second delivery.
  expect(await redeliver(deps(), aCaller(), { webhookId, deliveryId })).toEqual({ deliveryId });
  expect(await deliveries.list(webhookId, 9)).toHaveLength(1);
  const unknown = redeliver(deps(), aCaller(), { webhookId, deliveryId: webhookId });
  await expect(unknown).rejects.toEqual(refusal('NOT_FOUND'));
  const [first] = await deliveries.list(webhookId, 1);
  if (first !== undefined) await deliveries.finish({ ...first, state: 'failed' });
  const again = await redeliver(deps(), aCaller(), { webhookId, deliveryId });
  expect(again.deliveryId).not.toBe(deliveryId);
  const events = (await deliveries.list(webhookId, 9)).map(({ eventId }) => eventId);
  expect(new Set(events).size).toBe(1);
  // Nothing that the receiver refused is before them.
  const lines = [...deliveries.lanes.keys()].map((line) => line.replace(/[0-9a-f-]{36}$/, 'id'));
  expect(lines).toEqual([`${webhookId} account~id`, `${webhookId} account~id`]);
  expect(deliveries.lanes.size).toBe(2);
});

test('tests and repeats are limited', async () => {
  const { id: webhookId } = await create();
  tests = 60;
  const late = testWebhook(deps(), aCaller(), { webhookId });
  await expect(late).rejects.toEqual(refusal('RATE_LIMITED'));
  const [waiting] = await deliveries.list(webhookId, 1);
  const again = redeliver(deps(), aCaller(), { webhookId, deliveryId: waiting?.id ?? webhookId });
  await expect(again).rejects.toEqual(refusal('RATE_LIMITED'));
});

test('a webhook belongs to the key that made it or changed it last, and to none after a change in a browser', async () => {
  const byKey = (keyHash: string) => ({
    ...aCaller(),
    credential: { kind: 'key' as const, keyHash },
  });
  const inBrowser = {
    ...aCaller(),
    credential: { kind: 'session' as const, tokenHash: 'browser' },
  };
  const hashes: (string | undefined)[] = [];
  const note = async () => void hashes.push((await webhooks.list(ownerId))[0]?.keyHash);
  const { id: webhookId } = await create({}, byKey('one'));
  await note();
  await updateWebhook(deps(), byKey('two'), { webhookId, enabled: false });
  await note();
  await rotateWebhookSecret(deps(), byKey('three'), { webhookId });
  await note();
  await updateWebhook(deps(), inBrowser, { webhookId, enabled: true });
  await note();
  expect(hashes).toEqual(['one', 'two', 'three', undefined]);
});

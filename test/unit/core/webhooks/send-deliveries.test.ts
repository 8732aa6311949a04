import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { AccountId, ProjectId } from '../../../../contract/fields.ts';
import type { Account } from '../../../../core/accounts/account.ts';
import { newSignInKey, type StoredKey } from '../../../../core/accounts/keys/api-key.ts';
import { instant, plusSeconds } from '../../../../core/instants.ts';
import type { RateLimitRule } from '../../../../core/limits/sliding-window.ts';
import { memoryCounters } from '../../../fixtures/memory-counters.ts';
import { addresses } from '../../../../core/projects/addresses/addresses.ts';
import { type Delivery, newDelivery } from '../../../../core/webhooks/delivery.ts';
import {
  laneLeaseSeconds,
  sendLane,
  startDueLane,
} from '../../../../core/webhooks/send-deliveries.ts';
import { newWebhookSecret, signatureHeaders } from '../../../../core/webhooks/signature.ts';
import type { LaneKey, Webhook } from '../../../../core/webhooks/webhook.ts';
import { aCaller, aProject, ownerId } from '../../../fixtures/projects/a-project.ts';
import { now } from '../../../fixtures/visits/a-site.ts';
import {
  anEvent,
  aWebhook,
  MemoryDeliveries,
  MemoryWebhooks,
} from '../../../fixtures/webhooks/memory-webhooks.ts';

const key: LaneKey = { webhookId: aWebhook().id, subject: aProject().id };
const other = { ...aProject(), id: aWebhook().id as string as typeof key.subject };
let webhooks: MemoryWebhooks;
let deliveries: MemoryDeliveries;
let seconds: number;
let attempts: number;
let visitorAttempts: number;
/** The bodies that the receiver got, and its answer to the next ones. */
let got: { version: number; headers: Record<string, string>; body: string }[];
let answer: (version: number) => number | null;
/** How long each attempt takes, in milliseconds. */
let took: number;
/** Where there is no answer within two seconds: resolves when the ten are over. */
let hanging: (() => Promise<void>) | undefined;
/** The lines that were passed to the queue again, and after how many seconds. */
let again: { lane: LaneKey; seconds: number | undefined }[];
let mails: string[];
let mailCounts = memoryCounters();
/** The key that made the webhook. */
let foundKey: StoredKey | undefined;
let account: Account | undefined;

beforeEach(() => {
  webhooks = new MemoryWebhooks();
  deliveries = new MemoryDeliveries();
  [seconds, attempts, got, mails, answer] = [0, 0, [], [], () => 204];
  mailCounts = memoryCounters();
  visitorAttempts = 0;
  [took, again, hanging] = [5, [], undefined];
  [foundKey, account] = [undefined, aCaller().account];
  webhooks.rows.set(ownerId, [aWebhook()]);
});

const time = () => plusSeconds(now, seconds);
const deps = () => ({
  webhooks,
  deliveries,
  client: {
    async post(
      _: URL,
      { headers, body }: { headers: Record<string, string>; body: string },
      mayGoOn: () => Promise<boolean>,
    ) {
      const { version } = JSON.parse(body).data;
      got.push({ version, headers, body });
      if (hanging === undefined) return { milliseconds: took, status: answer(version), body: '' };
      if (!(await mayGoOn())) return { milliseconds: 2005, status: null, body: 'ended' };
      await hanging();
      return { milliseconds: 10_000, status: null, body: 'no answer' };
    },
  },
  accounts: { get: async () => account },
  keys: { find: async () => foundKey },
  counters: {
    async count(counted: string, windowSeconds: number, at: Date) {
      if (counted.startsWith('slow-webhooks-waiting'))
        return mailCounts.count(counted, windowSeconds, at);
      return counted.endsWith('#visitors') ? (visitorAttempts += 1) : (attempts += 1);
    },
    // All mails are of one day.
    reserve: (counted: string, rules: readonly RateLimitRule[], at: Date) =>
      mailCounts.reserve(counted, rules, counted.startsWith('slow-webhooks') ? at : now),
    release: (counted: string, at: Date) => mailCounts.release(counted, at),
  },
  startLane: async (lane: LaneKey, afterSeconds?: number) =>
    void again.push({ lane, seconds: afterSeconds }),
  addresses: addresses('https://app.test', 'sites.test'),
  webhookMailer: {
    sendWebhookOff: async (email: string, { host }: { host: string }) =>
      void mails.push(`${email} ${host}`),
  },
  allowsLoopback: false,
  onFailure: (_: unknown, error: unknown) => {
    throw error;
  },
  now: time,
});
const happened = async (...versions: number[]) => {
  for (const version of versions) {
    seconds += 1;
    await deliveries.happened(
      await webhooks.list(ownerId),
      anEvent(version, { at: instant(time()) }),
    );
  }
};
const send = (isLate = () => false, lane = key) => sendLane(deps(), lane, isLate);
const versions = () => got.map(({ version }) => version);
const webhook = async (): Promise<Webhook> =>
  (await webhooks.list(ownerId))[0] ?? aWebhook({ url: 'gone' });
const states = async () =>
  (await deliveries.list(key.webhookId, 50)).map(({ state }: Delivery) => state);

test('a line is sent in its order, signed, and ends', async () => {
  await happened(1, 2, 3);
  await send();
  expect(versions()).toEqual([1, 2, 3]);
  expect(await states()).toEqual(['delivered', 'delivered', 'delivered']);
  expect(deliveries.lanes.size).toBe(0);
  for (const { headers, body } of got) {
    const id = headers['webhook-id'] ?? '';
    expect(headers).toEqual(signatureHeaders(aWebhook().secrets, { id, body }, time()));
  }
  expect(new Set(got.map(({ headers }) => headers['webhook-id'])).size).toBe(3);
});

test('what was added while a line was being sent is sent too', async () => {
  await happened(1);
  answer = () => {
    answer = () => 204;
    void happened(2);
    return 204;
  };
  await send();
  expect(versions()).toEqual([1, 2]);
  expect(deliveries.lanes.size).toBe(0);
});

test('after a failure the next ones wait, and the same body comes again later', async () => {
  await happened(1, 2);
  answer = () => 500;
  await send();
  await send();
  expect(versions()).toEqual([1]);
  seconds += 61;
  answer = () => 200;
  await send();
  expect(versions()).toEqual([1, 1, 2]);
  expect(got[1]?.body).toBe(got[0]?.body);
  expect(got[1]?.headers['webhook-id']).toBe(got[0]?.headers['webhook-id']);
  // The time is that of the attempt, so that a receiver whose clock is right never refuses a late one.
  const sentAt = got.map(({ headers }) => Number(headers['webhook-timestamp']));
  expect((sentAt[1] ?? 0) - (sentAt[0] ?? 0)).toBe(61);
});

test('a delivery that waits while the secret is replaced is signed with both, a day later with the new one', async () => {
  await happened(1);
  answer = () => 500;
  await send();
  const until = instant(plusSeconds(now, 86_400));
  const [former] = aWebhook().secrets;
  const secrets = [
    { secret: newWebhookSecret(), until: null },
    { secret: former?.secret ?? '', until },
  ];
  webhooks.rows.set(ownerId, [aWebhook({ secrets })]);
  for (const wait of [61, 7200, 86_400 - 7200]) {
    seconds += wait;
    if (wait > 7200) await happened(2);
    await send();
  }
  const signatures = got.map(({ headers }) => headers['webhook-signature']?.split(' ').length);
  expect(signatures).toEqual([1, 2, 2, 1]);
});

test('lines of other projects do not wait', async () => {
  await happened(1);
  const ofOther = anEvent(9, { projectId: other.id as never });
  await deliveries.happened(await webhooks.list(ownerId), ofOther);
  answer = (version) => (version === 1 ? 500 : 204);
  await send();
  await send(undefined, { ...key, subject: other.id });
  expect(versions()).toEqual([1, 9]);
});

test('a delivery is given up after a day, and the next one follows', async () => {
  await happened(1);
  answer = () => null;
  for (let hour = 0; hour < 26; hour += 1) {
    for (let minute = 0; minute < 60; minute += 1, seconds += 60) await send();
  }
  expect(await states()).toEqual(['failed']);
  expect(got).toHaveLength(10);
  expect(deliveries.lanes.size).toBe(0);
});

test('a crash after the request makes it come again, once its lease has ended', async () => {
  await happened(1);
  const finish = deliveries.finish.bind(deliveries);
  deliveries.finish = async () => {
    throw new Error('crash');
  };
  await expect(send()).rejects.toThrow('crash');
  deliveries.finish = finish;
  await send();
  expect(versions()).toEqual([1]);
  seconds += laneLeaseSeconds + 1;
  await send();
  expect(versions()).toEqual([1, 1]);
  expect(await states()).toEqual(['delivered']);
});

test('a line whose turn is over goes on behind the others, or is found by the sweep', async () => {
  await happened(1, 2, 3);
  await send(() => got.length === 2);
  expect([versions(), again]).toEqual([[1, 2], [{ lane: key, seconds: undefined }]]);
  await send();
  expect(versions()).toEqual([1, 2, 3]);
  await happened(4);
  await send(() => true);
  expect(got).toHaveLength(3);
  seconds += 300;
  const started: LaneKey[] = [];
  const startLane = async (lane: LaneKey) => void started.push(lane);
  expect(await startDueLane({ deliveries, startLane }, key, time())).toBe(true);
  expect(await startDueLane({ deliveries, startLane }, key, time())).toBe(false);
  expect(started).toEqual([key]);
});

test('attempts that its owner asks for end no delivery before its day is over', async () => {
  await happened(1);
  answer = () => 500;
  for (let attempt = 0; attempt < 15; attempt += 1) {
    await send();
    seconds += 60;
    const [waiting] = await deliveries.list(key.webhookId, 1);
    if (waiting !== undefined)
      await deliveries.bringForward(key.webhookId, waiting.id, instant(time()));
  }
  expect([got.length, await states()]).toEqual([15, ['waiting']]);
  seconds += 86_400;
  await send();
  expect([got.length, await states()]).toEqual([15, ['failed']]);
});

describe('a slow receiver', () => {
  /** Reserves places as other senders do that are in the middle of an attempt. */
  const hold = (key: string, count: number) =>
    Promise.all(
      Array.from({ length: count }, () =>
        mailCounts.reserve(key, [{ limit: 9, windowSeconds: 15 }], time()),
      ),
    );
  const becomeSlow = async () => {
    [took, answer] = [2000, () => 200];
    await happened(1);
    await send();
    took = 5;
  };

  test('counts as slow for ten minutes, also if it accepts everything; a quick one does not', async () => {
    await happened(1);
    await send();
    expect((await webhook()).slowUntil).toBeUndefined();
    await becomeSlow();
    const { slowUntil } = await webhook();
    expect(slowUntil).toBe(instant(plusSeconds(time(), 600)));
    seconds += 200;
    await becomeSlow();
    expect(await webhook()).toMatchObject({ slowUntil });
    seconds += 200;
    await becomeSlow();
    expect(await webhook()).toMatchObject({ slowUntil: instant(plusSeconds(time(), 600)) });
  });

  test.each([
    ['two senders have others of its account', `slow-webhooks#${ownerId}`, 2],
    ['three senders have those of other accounts', 'slow-webhooks', 3],
  ])('waits while %s, the longer the more lines wait', async (_, place, count) => {
    await becomeSlow();
    await hold(place, count);
    await happened(2);
    got.length = 0;
    const before = attempts;
    await send();
    await send();
    expect(got).toEqual([]);
    expect(attempts).toBe(before);
    expect(again.map((one) => one.seconds)).toEqual([5, 10]);
    expect(again[0]?.lane).toMatchObject(key);
    // The line is free, and the sweep does not start it before its message comes.
    const startLane = async () => undefined;
    seconds += 10;
    expect(await startDueLane({ deliveries, startLane }, key, time())).toBe(false);
    seconds += 10;
    await send();
    expect(versions()).toEqual([2]);
  });

  test('has its place for one attempt: the next line finds it free', async () => {
    await becomeSlow();
    await hold(`slow-webhooks#${ownerId}`, 1);
    answer = (version) => {
      if (version === 3) throw new Error('the connection broke in an unknown way');
      return 200;
    };
    await happened(2, 3);
    await expect(send()).rejects.toThrow('unknown way');
    answer = () => 200;
    seconds += laneLeaseSeconds - 110;
    await happened(4);
    deliveries.lanes.clear();
    await happened(5);
    await send();
    expect(again).toEqual([]);
    expect(versions()).toContain(5);
  });

  test('that nobody expected holds two of five senders of its account after two seconds, and each delivery comes again', async () => {
    let [open, mostOpen] = [0, 0];
    const over = new EventEmitter();
    hanging = async () => {
      mostOpen = Math.max(mostOpen, (open += 1));
      await once(over, 'end');
      open -= 1;
    };
    const lanes = Array.from({ length: 5 }, () => ({ ...key, subject: randomUUID() }));
    const events = lanes.map(({ subject }) => anEvent(1, { projectId: ProjectId.parse(subject) }));
    for (const event of events) await deliveries.happened(await webhooks.list(ownerId), event);
    const sending = lanes.map((lane) => send(undefined, lane));
    await setImmediate();
    expect([got.length, open]).toEqual([5, 2]);
    // Those that ended gave nothing back that they did not have.
    expect(
      (
        await mailCounts.reserve(
          `slow-webhooks#${ownerId}`,
          [{ limit: 2, windowSeconds: 15 }],
          time(),
        )
      ).reserved,
    ).toBe(false);
    expect((await webhook()).slowUntil).toBe(instant(plusSeconds(time(), 600)));
    over.emit('end');
    await Promise.all(sending);
    expect(mostOpen).toBe(2);
    hanging = undefined;
    seconds += 60;
    got.length = 0;
    for (const lane of lanes) await send(undefined, lane);
    expect(got).toHaveLength(5);
    expect(new Set(await states())).toEqual(new Set(['delivered']));
  });

  test('that answers quickly for ten minutes needs no place any more', async () => {
    await becomeSlow();
    seconds += 600;
    await hold('slow-webhooks', 3);
    await happened(2);
    await send();
    expect(versions()).toEqual([1, 2]);
  });
});

describe('a webhook', () => {
  const failFor = async (days: number) => {
    await happened(1);
    await send();
    seconds += days * 86_400;
    await happened(2);
    await send();
  };

  test('is switched off after three days of failures alone, and its owner gets a mail', async () => {
    answer = () => 503;
    await failFor(2.9);
    expect(await webhook()).toMatchObject({ enabled: true, failingSince: expect.any(String) });
    seconds += 0.2 * 86_400;
    await happened(3);
    await send();
    expect(await webhook()).toMatchObject({ enabled: false });
    expect(mails).toEqual(['ann@example.org hooks.example.org']);
    await happened(4);
    seconds += 86_400;
    await send();
    expect(versions()).not.toContain(4);
  });

  test('that succeeds in between begins anew', async () => {
    answer = () => 503;
    await happened(1);
    await send();
    seconds += 3600;
    answer = () => 200;
    await send();
    expect(await webhook()).toMatchObject({ failingSince: null });
    answer = () => 503;
    await failFor(2.9);
    expect(await webhook()).toMatchObject({ enabled: true });
    expect(mails).toEqual([]);
  });

  test('whose receiver says that it is gone is switched off at once', async () => {
    answer = () => 410;
    await happened(1);
    await send();
    expect(await webhook()).toMatchObject({ enabled: false });
    expect(mails).toHaveLength(1);
  });

  test('that has another address by then keeps it, whatever the former one answers', async () => {
    const url = 'https://other.example/in';
    answer = () => {
      webhooks.rows.set(ownerId, [aWebhook({ url })]);
      return 410;
    };
    await happened(1);
    await send();
    expect(await webhook()).toMatchObject({ url, enabled: true, failingSince: null });
    expect(mails).toEqual([]);
  });

  test('that was deleted gets nothing of what waits', async () => {
    await happened(1, 2);
    webhooks.rows.set(ownerId, []);
    await send();
    expect(got).toEqual([]);
    expect(await states()).toEqual(['failed', 'failed']);
  });

  test('whose address is none that is allowed gets no request', async () => {
    webhooks.rows.set(ownerId, [aWebhook({ url: 'http://127.0.0.1/in' })]);
    await happened(1);
    await send();
    expect(got).toEqual([]);
    const [delivery] = await deliveries.list(key.webhookId, 1);
    expect(delivery?.lastAttempt).toMatchObject({ status: null });
  });
});

test('over a thousand attempts in an hour, an account waits for the next hour', async () => {
  await happened(1);
  attempts = 1000;
  await send();
  expect(got).toEqual([]);
  const [lane] = deliveries.lanes.values();
  expect(Date.parse(lane?.dueAt ?? '') % 3_600_000).toBe(0);
});

test('what visitors cause leaves a part of the attempts to everything else, also of its project', async () => {
  const visitors = { ...key, subject: `${key.subject}~visitors` };
  const event = async (version: number, type: Delivery['type']) =>
    deliveries.add(newDelivery(aWebhook(), { ...anEvent(version, { at: instant(time()) }), type }));
  for (const version of [1, 2, 3]) {
    await event(version, 'upload.received');
    seconds += 1;
  }
  await event(4, 'version.published');
  [attempts, visitorAttempts] = [799, 799];
  await send();
  expect(versions()).toEqual([1, 4]);
  expect(deliveries.lanes.has(`${key.webhookId} ${key.subject}`)).toBe(false);
  await send(undefined, visitors);
  expect([attempts, versions()]).toEqual([801, [1, 4]]);
  const [lane] = deliveries.lanes.values();
  expect(Date.parse(lane?.dueAt ?? '') % 3_600_000).toBe(0);
  visitorAttempts = 0;
  seconds += 3600;
  await send(undefined, visitors);
  expect(versions()).toEqual([1, 4, 2, 3]);
  expect(deliveries.lanes.size).toBe(0);
});

test('nothing waits behind opens', async () => {
  const event = (version: number, type: Delivery['type']) => {
    const at = instant(plusSeconds(time(), version));
    return deliveries.add(newDelivery(aWebhook(), { ...anEvent(version, { at }), type }));
  };
  await event(1, 'project.first_opened');
  await event(2, 'project.opened');
  await event(3, 'version.published');
  seconds += 10;
  visitorAttempts = 799;
  await send(undefined, { ...key, subject: `${key.subject}~visitors` });
  expect([versions(), attempts]).toEqual([[1], 1]);
  await send();
  expect([versions(), deliveries.lanes.size]).toEqual([[1, 3], 1]);
});

test('a webhook ends with the key that made it, and its owner gets a mail', async () => {
  const aKey = newSignInKey(ownerId, 'sw_live_x', now);
  const made = { ...aWebhook(), keyHash: 'hash' };
  const isThere = async () => (await webhooks.list(ownerId)).length === 1;
  foundKey = aKey;
  webhooks.rows.set(ownerId, [made]);
  await happened(1);
  await send();
  expect([versions(), await isThere()]).toEqual([[1], true]);
  for (const gone of [
    undefined,
    { ...aKey, accountId: AccountId.parse(randomUUID()) },
    { ...aKey, expiresAt: instant(time()) },
  ]) {
    foundKey = gone;
    webhooks.rows.set(ownerId, [made]);
    await happened(2);
    await send();
    expect([versions(), await isThere(), mails.splice(0).length]).toEqual([[1], false, 1]);
  }
});

test('fifty mails a day are the most, also about a webhook that is switched on again', async () => {
  answer = () => 410;
  for (let times = 0; times < 60; times += 1) {
    webhooks.rows.set(ownerId, [aWebhook()]);
    // What waits becomes too old.
    seconds += 2 * 86_400;
    await happened(times);
    await send();
    expect((await webhook()).enabled).toBe(false);
  }
  expect(mails).toHaveLength(50);
});

test('nothing is sent for an account that is suspended, deleted by its owner or gone', async () => {
  const suspendedAt = instant(now);
  const states = [{ suspendedAt }, { suspendedAt, closedAt: suspendedAt }, undefined];
  for (const state of states) {
    account = state && { ...aCaller().account, ...state };
    await happened(1);
    await send();
  }
  expect(versions()).toEqual([]);
  account = aCaller().account;
  await happened(2);
  await send();
  expect(versions()).toEqual([2]);
});

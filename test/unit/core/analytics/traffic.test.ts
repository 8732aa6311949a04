import { describe, expect, test } from '@jest/globals';
import { defaultPlans } from '../../../../contract/plans.ts';
import type { AccountId } from '../../../../contract/fields.ts';
import { networkCaps } from '../../../../core/analytics/cap-visits.ts';
import {
  countTraffic,
  type CountTrafficDeps,
  maxTemporaryBytes,
} from '../../../../core/analytics/count-traffic.ts';
import {
  type Traffic,
  trafficMeter,
  trafficStepBytes,
} from '../../../../core/analytics/traffic.ts';
import type { ProjectChange } from '../../../../core/projects/change/project-change.ts';
import { aCaller, aProject, aVersion, ownerId } from '../../../fixtures/projects/a-project.ts';
import { now } from '../../../fixtures/visits/a-site.ts';

const mebibyte = 1024 ** 2;
const { id: projectId } = aProject();
const of = { ownerId, projectId };
const network = (count: number) => count.toString(16).padStart(16, '0');

describe('what a function sent', () => {
  test('is one message for each four megabytes of an account, by network', () => {
    const meter = trafficMeter();
    const part = trafficStepBytes / 4;
    const messages = [1, 2, 1, 3, 1].map((from) =>
      meter({ ...of, network: network(from), bytes: part }, now),
    );
    expect(messages).toEqual([
      undefined,
      undefined,
      undefined,
      {
        kind: 'traffic',
        ownerId,
        at: now.toISOString(),
        networks: {
          [network(1)]: 2 * part,
          [network(2)]: part,
          [network(3)]: part,
        },
      },
      undefined,
    ]);
  });

  test('is kept apart for each account, and for each project that nobody owns', () => {
    const meter = trafficMeter();
    const other = 'another' as AccountId;
    const some = { projectId, network: network(1), bytes: trafficStepBytes - 1 };
    for (const owner of [ownerId, other, null])
      expect(meter({ ...some, ownerId: owner }, now)).toBeUndefined();
    expect(meter({ ...some, ownerId: other }, now)?.ownerId).toBe(other);
    expect(meter({ ...some, ownerId: null }, now)).toMatchObject({ ownerId: null, projectId });
  });

  test('takes bounded memory, and fits into a message', () => {
    const meter = trafficMeter();
    let message: Traffic | undefined;
    let count = 0;
    while (message === undefined) {
      count += 1;
      message = meter({ ...of, network: network(count), bytes: 1 }, now);
    }
    expect(JSON.stringify(message).length).toBeLessThan(64 * 1024);
    let sentMessages = 0;
    for (let account = 0; account < 5000; account += 1) {
      const at = { ...of, ownerId: `${account}` as AccountId, network: network(1), bytes: 1 };
      if (meter(at, now) !== undefined) sentMessages += 1;
    }
    // Those that have no place are told, not forgotten.
    expect(sentMessages).toBe(4500);
  });
});

/** A counter in memory for an account of the plan `pro`. */
function aCounter({ bytes = 0, fails = false } = {}) {
  const log = { mails: new Array<string>(), rested: new Array<string>(), failures: 0 };
  const counts = new Map<string, number>();
  const marks: Record<string, number> = {};
  const month = { bytes };
  const deps: CountTrafficDeps = {
    projects: { get: async () => aProject(), getVersion: async () => aVersion() },
    owned: {
      change: async ({ after }: ProjectChange) => {
        log.rested.push(`${after.restingUntil}`);
        return 'changed' as const;
      },
      list: async () => [aProject()],
    },
    accounts: { get: async () => aCaller().account },
    plans: { ...defaultPlans, pro: { ...defaultPlans.pro, maxBytesPerMonth: 1000 * mebibyte } },
    months: {
      get: async () => ({ visits: 0, bytes: month.bytes, notified: { ...marks } }),
      addBytes: async (_account, _month, more) => {
        if (fails) throw new Error('throttled');
        month.bytes += more;
      },
      recordStep: async (_month, { mark, limit }) => {
        if ((marks[mark] ?? -1) >= limit) return false;
        marks[mark] = limit;
        return true;
      },
    },
    mailer: {
      sendMonthlyNotice: async (_email, { what, percent }) =>
        void log.mails.push(`${what} ${percent}`),
    },
    counters: {
      count: async (key, _window, _now, events = 1) => {
        counts.set(key, (counts.get(key) ?? 0) + events);
        return counts.get(key) ?? 0;
      },
    },
    edge: { purge: async () => undefined, purgeAfterDelay: async () => undefined },
    onFailure: () => void (log.failures += 1),
    now: () => new Date('2026-03-15T12:00:00.000Z'),
  };
  return { deps, log, month };
}

const sentBy = (from: number, bytes: number): Traffic => ({
  kind: 'traffic',
  ownerId,
  at: '2026-03-15T11:59:00.000Z',
  networks: { [network(from)]: bytes },
});

describe('counting', () => {
  test('mails at 80 % and 100 %, once each, and rests at 200 %', async () => {
    const { deps, log, month } = aCounter();
    for (let from = 1; from <= 20; from += 1) {
      await countTraffic(deps, [sentBy(from, 100 * mebibyte)]);
      if (from === 10) expect([log.mails, log.rested]).toEqual([['bytes 80', 'bytes 100'], []]);
    }
    expect(month.bytes).toBe(2000 * mebibyte);
    expect(log.mails).toEqual(['bytes 80', 'bytes 100']);
    expect(log.rested).toEqual(['2026-04-01T00:00:00.000Z']);
  });

  test('counts a hundredth of what one network is sent beyond its cap', async () => {
    const { deps, month, log } = aCounter();
    for (let count = 0; count < 40; count += 1)
      await countTraffic(deps, [sentBy(1, 50 * mebibyte)]);
    const beyond = (2000 * mebibyte - networkCaps.bytes) / networkCaps.bytesPart;
    expect(month.bytes).toBe(networkCaps.bytes + beyond);
    expect(log.rested).toEqual([]);
    await countTraffic(deps, [sentBy(2, 50 * mebibyte)]);
    expect(month.bytes).toBe(networkCaps.bytes + beyond + 50 * mebibyte);
  });

  test('one network within its cap cannot make a plan’s projects rest in a month', () => {
    const limits = Object.values(defaultPlans).map((plan): number => plan.maxBytesPerMonth);
    const smallest = Math.min(...limits.filter((limit) => limit > 0));
    expect(31 * networkCaps.bytes).toBeLessThan(2 * smallest);
  });

  test('bytes of one network alone make projects rest in the end, also those that come later', async () => {
    const { deps, log } = aCounter();
    await countTraffic(deps, [sentBy(1, 200_000 * mebibyte)]);
    expect(log.rested).toHaveLength(1);
    await countTraffic(deps, [sentBy(1, 10)]);
    expect(log.rested).toHaveLength(2);
  });

  test('a project that nobody owns rests after a gigabyte until it ends, and not after its claim', async () => {
    const { deps, log } = aCounter();
    const sent = { ...sentBy(1, maxTemporaryBytes / 2), ownerId: null, projectId };
    const expiresAt = '2026-03-15T12:10:00.000Z';
    let project = aProject({ ownerId: null, expiresAt });
    deps.projects.get = async () => project;
    await countTraffic(deps, [sent]);
    expect(log.rested).toEqual([]);
    await countTraffic(deps, [sent]);
    expect(log.rested).toEqual([expiresAt]);
    project = aProject({ expiresAt: null });
    await countTraffic(deps, [sent]);
    expect(log.rested).toEqual([expiresAt]);
  });

  test('a message that could not be counted is delivered again', async () => {
    const { deps, log } = aCounter({ fails: true });
    const message = sentBy(1, 10);
    expect(await countTraffic(deps, [message])).toEqual(new Set([message]));
    expect(log.failures).toBe(1);
  });
});

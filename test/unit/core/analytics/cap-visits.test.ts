import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { AccountId, ProjectId } from '../../../../contract/fields.ts';
import { defaultPlans } from '../../../../contract/plans.ts';
import { networkCaps } from '../../../../core/analytics/cap-visits.ts';
import { type Hit, createHit } from '../../../../core/analytics/hit.ts';
import { groupHits } from '../../../../core/analytics/hit-batches.ts';
import { joinOpens } from '../../../../core/analytics/join-opens.ts';
import type { HitStore } from '../../../../core/analytics/ports.ts';
import { recordBatch } from '../../../../core/analytics/count-hits.ts';
import { aSite, now } from '../../../fixtures/visits/a-site.ts';
import { aHit, aRecord } from '../../../fixtures/visits/hits.ts';
import { memoryHits } from '../../../fixtures/visits/memory-hits.ts';
import { proofSize } from '../../../fixtures/proof-size.ts';

const owner = AccountId.parse('6f0c9a11-0b7e-4c1a-8f60-4c399d0e2f1a');
const projects = ['0b7e4c1a', '1b7e4c1a', '2b7e4c1a'].map((start) =>
  ProjectId.parse(`${start}-5f60-4c39-9d0e-2f1a6f0c9a11`),
);

async function deliver(store: HitStore, hits: readonly Hit[]): Promise<void> {
  for (const batch of groupHits(hits)) expect(await recordBatch(store, batch)).toEqual([]);
}

/** Some visits of one network to one project in one hour. */
const aRun = fc.record({
  network: fc.constantFrom('00000000000000aa', '00000000000000bb'),
  project: fc.constantFrom(...projects),
  hour: fc.constantFrom('01T00', '01T07', '01T08', '01T23', '02T00'),
  count: fc.integer({ min: 1, max: 90 }),
});

const visitsOf = (runs: readonly (typeof aRun extends fc.Arbitrary<infer T> ? T : never)[]) =>
  runs.flatMap(({ network, project, hour, count }, run) =>
    Array.from({ length: count }, (_, index) =>
      aHit({
        id: `${run}-${index}`,
        projectId: project,
        ownerId: owner,
        network,
        visitor: index.toString(16).padStart(16, '0'),
        at: `2026-03-${hour}:${String(index % 60).padStart(2, '0')}:00.000Z`,
      }),
    ),
  );

/** What the rule says of all visits together, whatever their order. */
function expectedPlanVisits(hits: readonly Hit[]): number {
  const days = new Map<string, Map<string, number>>();
  for (const { network, at, projectId } of hits) {
    const name = `${network} ${at.slice(0, 10)}`;
    const slots = days.get(name) ?? new Map<string, number>();
    const slot = `${projectId} ${at.slice(0, 13)}`;
    days.set(name, slots.set(slot, (slots.get(slot) ?? 0) + 1));
  }
  return [...days.values()]
    .map((slots) => [...slots.values()].reduce((sum, count) => sum + Math.min(60, count), 0))
    .reduce((sum, count) => sum + Math.min(300, count), 0);
}

describe('the visits of one visitor are capped exactly', () => {
  test('over all orders, redeliveries and concurrent batches', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(aRun, { minLength: 1, maxLength: 6 }),
        fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 4 }),
        fc.scheduler(),
        async (runs, cuts, scheduler) => {
          const hits = visitsOf(runs);
          const memory = memoryHits();
          const { store: direct } = memory;
          const store: HitStore = {
            networkDays: scheduler.scheduleFunction(async (batch) => direct.networkDays(batch)),
            write: scheduler.scheduleFunction(async (batch) => direct.write(batch)),
          };
          const parts = cuts.map(([from, length]) => {
            const start = from % hits.length;
            return hits.slice(start, start + (length % hits.length) + 1);
          });
          const all = Promise.all([hits, ...parts].map((part) => deliver(store, part)));
          await scheduler.waitFor(all);

          const counted = expectedPlanVisits(hits);
          expect(memory.totals.planVisits.get(owner)).toBe(counted);
          expect(memory.rows.size).toBe(hits.length);
          const excess = [...memory.rows.values()].filter(({ reason }) => reason === 'excess');
          expect(excess).toHaveLength(hits.length - counted);
          const visits = [...memory.totals.visits.values()].reduce((sum, count) => sum + count, 0);
          expect(visits).toBe(hits.length);
        },
      ),
      { numRuns: proofSize({ short: 15, whole: 40 }) },
    );
  });

  test('a flood adds a limited number of rows and is still counted as visits', async () => {
    const memory = memoryHits();
    const hits = Array.from({ length: 3000 }, (_, index) =>
      aHit({ id: `${index}`, network: '00000000000000aa' }),
    );
    await deliver(memory.store, hits);
    expect(memory.rows.size).toBe(networkCaps.kept);
    expect(memory.totals.visits.get(aHit().projectId)).toBe(3000);
    expect(memory.totals.planVisits.get(owner)).toBe(60);
  });

  test('bots add no more rows either, and do not count', async () => {
    const memory = memoryHits();
    const hits = Array.from({ length: 1500 }, (_, index) =>
      aHit({ id: `${index}`, userAgent: 'Googlebot/2.1', network: '00000000000000aa' }),
    );
    await deliver(memory.store, hits);
    expect(memory.rows.size).toBe(networkCaps.kept);
    expect([...memory.rows.values()].every(({ reason }) => reason === 'bot')).toBe(true);
    expect(memory.totals.visits.get(aHit().projectId)).toBe(0);
  });

  test('one network alone cannot make a plan’s projects rest in a month', () => {
    const smallest = Math.min(
      ...Object.values(defaultPlans)
        .map(({ maxVisitorsPerMonth }) => maxVisitorsPerMonth)
        .filter((limit) => limit > 0),
    );
    expect(31 * networkCaps.counted).toBeLessThan(2 * smallest);
  });
});

describe('a network', () => {
  const secret = 'a secret of sixteen letters';
  const networkOf = (
    address: string,
    more: { userAgent?: string; at?: Date; site?: object } = {},
  ) =>
    createHit(
      aSite(more.site),
      { address, userAgent: more.userAgent ?? 'x', referrer: '', country: '' },
      { id: 'a', kind: 'visit', path: '/', isOwner: false, prefetch: false },
      { secret, now: more.at ?? now },
    ).network;
  const name = networkOf('2001:db8:1::1');

  test('has one name for every user agent, every address of its /48 and every project of an account', () => {
    expect(networkOf('2001:db8:1:ffff::2')).toBe(name);
    expect(networkOf('2001:db8:1::1', { userAgent: 'y' })).toBe(name);
    expect(networkOf('2001:db8:1::1', { site: { projectId: projects[1] } })).toBe(name);
  });

  test.each([
    ['from another network', () => networkOf('2001:db8:2::1')],
    ['on another day', () => networkOf('2001:db8:1::1', { at: new Date('2026-03-02T00:00:00Z') })],
    ['at another account', () => networkOf('2001:db8:1::1', { site: { ownerId: null } })],
    ['as an IPv4 address', () => networkOf('192.0.2.1')],
  ])('has another name %s', (_, other) => {
    expect(other()).not.toBe(name);
  });
});

test('a visit above the cap with an open counts as an open, also the owner’s', () => {
  const visits = [aRecord({ id: 'v', reason: 'excess' })];
  const open = aRecord({ id: 'o', kind: 'open', reason: null, at: '2026-03-01T12:00:05.000Z' });
  const outcomes = (opens: Parameters<typeof joinOpens>[1]) =>
    joinOpens(visits, opens).map(({ id, outcome }) => `${id} ${outcome}`);
  expect(outcomes([])).toEqual(['v excess']);
  expect(outcomes([open])).toEqual(['v open']);
  expect(outcomes([{ ...open, reason: 'owner' }])).toEqual(['v owner']);
});

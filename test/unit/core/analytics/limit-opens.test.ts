import fc from 'fast-check';
import { expect, test } from '@jest/globals';
import { admitOpens, groupOpens } from '../../../../core/analytics/limit-opens.ts';
import type { Hit } from '../../../../core/analytics/hit.ts';
import { aHit } from '../../../fixtures/visits/hits.ts';

function counted() {
  const counts = new Map<string, number>();
  const log = { calls: 0 };
  const count = async (key: string, windowSeconds: number, now: Date, events = 1) => {
    log.calls += 1;
    const name = `${key} ${Math.floor(now.getTime() / 1000 / windowSeconds)}`;
    counts.set(name, (counts.get(name) ?? 0) + events);
    return counts.get(name) ?? 0;
  };
  return { counters: { count }, log };
}

/** The hits of one delivery that may be counted. */
async function admitted(deps: ReturnType<typeof counted>, hits: readonly Hit[]): Promise<Hit[]> {
  const groups = await Promise.all(groupOpens(hits).map((group) => admitOpens(deps, group)));
  return groups.flat();
}

const open = aHit({ kind: 'open', network: 'a'.repeat(16) });
const opens = (count: number, changes: Partial<Hit> = {}) =>
  Array.from({ length: count }, (_, index) => ({ ...open, id: `o-${index}`, ...changes }));

test('120 opens of a network in a minute are counted, by the minute in which they happened', async () => {
  const deps = counted();
  const first = await Promise.all(opens(121).map((one) => admitted(deps, [one])));
  expect(first.flat()).toHaveLength(120);
  expect(await admitted(deps, opens(1, { network: 'b'.repeat(16) }))).toHaveLength(1);
  expect(await admitted(deps, opens(1, { at: '2026-03-01T12:01:00.000Z' }))).toHaveLength(1);
});

test('visits are not limited, and cost no call', async () => {
  const deps = counted();
  expect(await admitted(deps, [aHit(), ...opens(1)])).toHaveLength(1);
  expect(deps.log.calls).toBe(1);
  expect(groupOpens([aHit()])).toEqual([]);
});

test('the opens of one network in one delivery take their places with one call', async () => {
  const deps = counted();
  const others = opens(5, { network: 'b'.repeat(16) });
  const later = opens(5, { at: '2026-03-01T12:01:00.000Z' });
  expect(await admitted(deps, [...opens(30), ...others, ...later])).toHaveLength(40);
  expect(deps.log.calls).toBe(3);
});

test('property: however opens are divided into deliveries, exactly 120 of a minute are counted', async () => {
  const deliveries = fc.array(fc.nat({ max: 60 }), { maxLength: 12 });
  const property = fc.asyncProperty(deliveries, async (sizes) => {
    const deps = counted();
    const all = await Promise.all(sizes.map((size) => admitted(deps, opens(size))));
    const sent = sizes.reduce((sum, size) => sum + size, 0);
    expect(all.flat()).toHaveLength(Math.min(120, sent));
  });
  await fc.assert(property, { numRuns: 100 });
});

import { expect, test } from '@jest/globals';
import { isWithinOpenRate } from '../../../../core/analytics/limit-opens.ts';
import { aHit } from '../../../fixtures/visits/hits.ts';

function counted() {
  const counts = new Map<string, number>();
  const count = async (key: string, windowSeconds: number, now: Date) => {
    const name = `${key} ${Math.floor(now.getTime() / 1000 / windowSeconds)}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
    return counts.get(name) ?? 0;
  };
  return { counters: { count }, counts };
}

test('120 opens of a network in a minute are counted, by the minute in which they happened', async () => {
  const deps = counted();
  const open = aHit({ kind: 'open', network: 'a'.repeat(16) });
  const first = await Promise.all(Array.from({ length: 121 }, () => isWithinOpenRate(deps, open)));
  expect(first.filter(Boolean)).toHaveLength(120);
  expect(await isWithinOpenRate(deps, { ...open, network: 'b'.repeat(16) })).toBe(true);
  expect(await isWithinOpenRate(deps, { ...open, at: '2026-03-01T12:01:00.000Z' })).toBe(true);
});

test('visits are not limited, and cost no call', async () => {
  const deps = counted();
  expect(await isWithinOpenRate(deps, aHit())).toBe(true);
  expect(deps.counts.size).toBe(0);
});

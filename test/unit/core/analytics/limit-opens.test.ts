import { expect, test } from '@jest/globals';
import { findManyOpens, isWithinOpenRate } from '../../../../core/analytics/limit-opens.ts';
import { aHit } from '../../../fixtures/visits/hits.ts';

function counted() {
  const counts = new Map<string, number>();
  const count = async (key: string, windowSeconds: number, now: Date) => {
    const name = `${key} ${Math.floor(now.getTime() / 1000 / windowSeconds)}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
    return counts.get(name) ?? 0;
  };
  return { counters: { count } };
}

const open = aHit({ kind: 'open', network: 'a'.repeat(16) });
const times = (count: number, changes = {}) =>
  Array.from({ length: count }, (_, index) => ({ ...open, id: `load-${index}`, ...changes }));

test('120 opens of a network in a minute are counted, by the minute in which they happened', async () => {
  const deps = counted();
  const first = await Promise.all(times(121).map((hit) => isWithinOpenRate(deps, hit)));
  expect(first.filter(Boolean)).toHaveLength(120);
  expect(await isWithinOpenRate(deps, { ...open, network: 'b'.repeat(16) })).toBe(true);
  expect(await isWithinOpenRate(deps, { ...open, at: '2026-03-01T12:01:00.000Z' })).toBe(true);
});

test('only more than ten opens of one network, project and minute need a counter', () => {
  const few = [
    ...times(10),
    ...times(10, { network: 'b'.repeat(16) }),
    ...times(10, { at: '2026-03-01T12:01:00.000Z' }),
    ...times(50, { kind: 'visit' }),
  ];
  expect(findManyOpens(few).size).toBe(0);
  expect(findManyOpens([...few, open]).size).toBe(11);
});

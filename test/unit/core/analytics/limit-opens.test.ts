import fc from 'fast-check';
import { describe, expect, test } from '@jest/globals';
import { groupHits, type HitBatch } from '../../../../core/analytics/hit-batches.ts';
import {
  markName,
  networkMark,
  withoutExcessOpens,
} from '../../../../core/analytics/limit-opens.ts';
import type { Hit } from '../../../../core/analytics/hit.ts';
import { aHit } from '../../../fixtures/visits/hits.ts';

const open = aHit({ kind: 'open', network: 'a'.repeat(16) });
const opens = (count: number, changes: Partial<Hit> = {}) =>
  Array.from({ length: count }, (_, index) => ({ ...open, id: `o-${index}`, ...changes }));

/** The batches that count, of deliveries that come one after another; blocks have the opens of those before. */
function admit(deliveries: readonly (readonly Hit[])[]): HitBatch[] {
  const counts = new Map<string, number>();
  return deliveries
    .flatMap((hits) => groupHits(hits))
    .map((batch) => {
      const counted = withoutExcessOpens(batch, counts);
      for (const hit of counted.hits) {
        const name = markName(hit.record.at.slice(0, 16), networkMark(batch, hit));
        counts.set(name, (counts.get(name) ?? 0) + 1);
      }
      return counted;
    });
}
const sizeOf = (batches: readonly HitBatch[]) =>
  batches.reduce((sum, { hits }) => sum + hits.length, 0);

test('120 opens of a network in a minute are counted, by the minute in which they happened', () => {
  const other = opens(1, { network: 'b'.repeat(16) });
  const later = opens(1, { at: '2026-03-01T12:01:00.000Z' });
  expect(sizeOf(admit([opens(121)]))).toBe(120);
  expect(sizeOf(admit([opens(121), other]))).toBe(121);
  expect(sizeOf(admit([opens(121), later]))).toBe(121);
});

test('visits are not limited', () => {
  const visits = Array.from({ length: 150 }, (_, index) => aHit({ id: `v-${index}` }));
  expect(sizeOf(admit([visits]))).toBe(150);
});

test('property: however opens are divided into deliveries, exactly 120 of a minute are counted', () => {
  const sizes = fc.array(fc.nat({ max: 300 }), { maxLength: 12 });
  const property = fc.property(sizes, (all) => {
    const sent = all.reduce((sum, size) => sum + size, 0);
    expect(sizeOf(admit(all.map((size) => opens(size))))).toBe(Math.min(120, sent));
  });
  fc.assert(property, { numRuns: 100 });
});

describe('the mark of a network', () => {
  const markOf = (hit: Hit) => {
    const [batch] = groupHits([hit]);
    const [counted] = batch?.hits ?? [];
    if (batch === undefined || counted === undefined) throw new Error('nothing is counted');
    return Buffer.from(networkMark(batch, counted)).toString('hex');
  };

  test('is the same for all opens of a project and minute', () => {
    const second = { at: '2026-03-01T12:00:59.999Z', visitor: 'c'.repeat(16), path: '/other' };
    expect(markOf({ ...open, ...second, id: 'o-2' })).toBe(markOf(open));
  });

  test.each([
    ['network', { network: 'b'.repeat(16) }],
    ['minute', { at: '2026-03-01T12:01:00.000Z' }],
    ['project', { projectId: aHit().projectId.replace(/.$/, '0') as Hit['projectId'] }],
  ])('is another one for another %s', (_, changes) => {
    expect(markOf({ ...open, ...changes })).not.toBe(markOf(open));
  });

  test('has three bytes, for which many networks stand', () => {
    expect(markOf(open)).toHaveLength(6);
    expect(open.network).not.toContain(markOf(open));
  });
});

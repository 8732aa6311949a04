import { capVisits } from './cap-visits.ts';
import type { HitBatch } from './hit-batches.ts';
import { hitName, type HitStore } from './ports.ts';

/** Days only grow towards their caps, so that a batch soon knows them. */
const turns = 100;

/**
 * Keeps and counts the hits of a batch, each once however often it comes, under the caps of their
 * networks. What is kept already is left out; where another batch took the room that was seen, the
 * rest is judged again.
 */
export async function recordBatch(hits: HitStore, batch: HitBatch): Promise<void> {
  let left = batch;
  for (let turn = 1; left.hits.length > 0; turn += 1) {
    if (turn > turns) throw new Error('the days of networks changed under every try');
    const refused = await hits.write(capVisits(left, await hits.networkDays(left)));
    if (refused === undefined) return;
    left = { ...left, hits: left.hits.filter(({ record }) => !refused.kept.has(hitName(record))) };
  }
}

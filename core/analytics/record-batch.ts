import { backOff } from '../back-off.ts';
import { capVisits } from './cap-visits.ts';
import { type CountedHit, type HitBatch, spreadBatch } from './hit-batches.ts';
import { hitName, type HitStore, type RefusedBatch } from './ports.ts';

/** Hits of a batch that were not written. */
export interface UnwrittenPart {
  part: HitBatch;
  error: unknown;
}

/** A network's day only grows towards its caps, so retries end soon. */
const maxAttempts = 100;

/**
 * Stores and counts the hits of a batch, each once even if it is delivered several times, within
 * the caps of their networks. Skips hits that are stored already. If another batch has changed a block or a
 * network's day meanwhile, applies the caps again. Returns the parts that could not be written; all
 * other hits are.
 */
export async function recordBatch(hits: HitStore, batch: HitBatch): Promise<UnwrittenPart[]> {
  const unwritten: UnwrittenPart[] = [];
  let remaining = batch;
  try {
    for (let attempt = 1; remaining.hits.length > 0; attempt += 1) {
      if (attempt > maxAttempts)
        throw new Error('other batches changed the same rows at every attempt');
      const refused = await hits.write(capVisits(remaining, await hits.networkDays(remaining)));
      if (refused === undefined) break;
      const { spread, others } = divide(remaining, refused);
      if (others.length === remaining.hits.length) await backOff(attempt);
      remaining = { ...remaining, hits: others };
      for (const own of spread) unwritten.push(...(await recordBatch(hits, own)));
    }
  } catch (error) {
    unwritten.push({ part: remaining, error });
  }
  return unwritten;
}

/** Divides the hits that are not stored yet: those that go to their own shards, and the others. */
function divide(
  { hits, ...batch }: HitBatch,
  { kept, spread = new Set() }: RefusedBatch,
): { spread: HitBatch[]; others: CountedHit[] } {
  const isSpread = ({ record }: CountedHit) => spread.has(hitName(record));
  return {
    spread: spreadBatch({ ...batch, hits: hits.filter(isSpread) }),
    others: hits.filter((hit) => !isSpread(hit) && !kept.has(hitName(hit.record))),
  };
}

import {
  markName,
  networkMark,
  networkMarkBytes,
  type OpenCounts,
} from '../../../core/analytics/limit-opens.ts';
import type { CappedBatch } from '../../../core/analytics/cap-visits.ts';

/** A block of opens with the marks of their networks. */
interface MarkedBlock {
  sk: string;
  networks?: Uint8Array | undefined;
}

/**
 * The marks of a block's opens and of further ones. They are sorted, so that a mark cannot be
 * matched with its open.
 */
export function grownMarks(
  block: Pick<MarkedBlock, 'networks'> | undefined,
  batch: Pick<CappedBatch, 'projectId'>,
  hits: CappedBatch['hits'],
): { networks?: Uint8Array } {
  const more = hits.flatMap((hit) =>
    hit.record.kind === 'open' ? Buffer.from(networkMark(batch, hit)) : [],
  );
  if (more.length === 0) return {};
  const all = [...marksOf(block?.networks), ...more].toSorted((one, other) => one.compare(other));
  return { networks: Buffer.concat(all) };
}

/** The number of opens of each network in blocks, by minute. */
export function countOpens(blocks: readonly MarkedBlock[]): OpenCounts {
  const counts = new Map<string, number>();
  for (const { sk, networks } of blocks) {
    const [, minute = ''] = sk.split('#');
    for (const mark of marksOf(networks)) {
      const name = markName(minute, mark);
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  return counts;
}

function marksOf(networks: Uint8Array = new Uint8Array()): Buffer[] {
  const bytes = Buffer.from(networks);
  return Array.from({ length: bytes.length / networkMarkBytes }, (_, index) =>
    bytes.subarray(index * networkMarkBytes, (index + 1) * networkMarkBytes),
  );
}

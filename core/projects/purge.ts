import type { Instant } from '../../contract/fields.ts';
import { instant, plusSeconds } from '../instants.ts';

/** Longer than any gate takes that read the old state and may still let the edge keep an answer. */
const straggleSeconds = 60;

/** When the edge is to be told to forget what it keeps of a project that changes now. */
export function purgeDueAt(now: Date): Instant {
  return instant(plusSeconds(now, straggleSeconds));
}

import { logger } from './logger.ts';

/** Tells the log of what failed in passing: the next sweep finishes it. */
export function leftToSweep(item: unknown, error: unknown): void {
  logger.error('left to the next sweep', {
    item,
    error: error instanceof Error ? error : String(error),
  });
}

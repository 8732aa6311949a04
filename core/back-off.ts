import { setTimeout } from 'node:timers/promises';

/**
 * The longest wait after the first try, which doubles with each further try, and the longest wait
 * of all.
 */
export interface BackOffLimits {
  firstMs: number;
  longestMs: number;
}

/** For tries to write a row, which takes some milliseconds. */
const betweenWrites: BackOffLimits = { firstMs: 10, longestMs: 200 };

/**
 * Waits for a random time that grows with the tries, so that competing callers do not collide again.
 * @param tries how many have failed
 */
export async function backOff(tries: number, limits = betweenWrites): Promise<void> {
  await setTimeout(backOffMs(tries, limits));
}

/** The time that {@link backOff} waits; the average is half of the longest one. */
export function backOffMs(tries: number, { firstMs, longestMs }: BackOffLimits): number {
  return Math.random() * Math.min(longestMs, firstMs * 2 ** (tries - 1));
}

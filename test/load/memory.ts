import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const kilobytesOfMegabyte = 1024;
/** By how much memory may grow in a minute of the second half, in megabytes. */
const maxGrowth = 60;
/** Shorter runs end before each worker has compiled its code. */
const leastSeconds = 60;

/** Resident memory of processes at one time. */
export interface MemorySample {
  /** Since the first sample. */
  seconds: number;
  megabytes: number;
}

/** Resident memory of these processes together, in megabytes. */
export async function residentMegabytes(pids: readonly number[]): Promise<number> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', pids.join(',')]);
  const kilobytes = stdout.trim().split('\n').map(Number);
  return kilobytes.reduce((sum, one) => sum + one, 0) / kilobytesOfMegabyte;
}

/**
 * By how many megabytes memory grows in a minute: the slope of a straight line through the second
 * half of the samples. The first half is left out, because each worker compiles its code once.
 */
export function growthPerMinute(samples: readonly MemorySample[]): number {
  const later = samples.slice(Math.floor(samples.length / 2));
  const meanSeconds = mean(later.map(({ seconds }) => seconds));
  const meanMegabytes = mean(later.map(({ megabytes }) => megabytes));
  let covariance = 0;
  let variance = 0;
  for (const { seconds, megabytes } of later) {
    covariance += (seconds - meanSeconds) * (megabytes - meanMegabytes);
    variance += (seconds - meanSeconds) ** 2;
  }
  return variance === 0 ? 0 : (covariance / variance) * 60;
}

/** What is wrong with the memory of a run of so many seconds; a short run says nothing. */
export function memoryProblems(
  { growthPerMinute }: { growthPerMinute: number },
  seconds: number,
): string[] {
  if (seconds < leastSeconds || growthPerMinute <= maxGrowth) return [];
  const growth = growthPerMinute.toFixed(0);
  return [`memory grew by ${growth} MB a minute in the second half, more than ${maxGrowth}`];
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

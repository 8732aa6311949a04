const units = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const;
const step = 1024;

/** Bytes as people read them: `1 byte`, `987 bytes`, `1.5 kB`, `12 MB`. Steps of 1024, as the limits count. */
export function formatBytes(bytes: number): string {
  let size = bytes;
  let unit = 0;
  while (unit < units.length - 1 && rounded(size, unit) >= step) {
    size /= step;
    unit += 1;
  }
  return bytes === 1 ? '1 byte' : `${rounded(size, unit)} ${units[unit]}`;
}

/** A number with its noun: `1 file`, `12 files`, `4,500 files`. */
export function count(amount: number, noun: string): string {
  return `${amount.toLocaleString('en-US')} ${noun}${amount === 1 ? '' : 's'}`;
}

/** One decimal below ten, none above: more would only be noise. */
function rounded(size: number, unit: number): number {
  const tenths = Math.round(size * 10) / 10;
  return unit === 0 || tenths >= 10 ? Math.round(size) : tenths;
}

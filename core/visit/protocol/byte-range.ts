/** First and last byte, both included (RFC 9110 §14.1.2). */
export interface ByteRange {
  first: number;
  last: number;
}

/**
 * Reads a Range field for a file of `size` bytes: one range, the whole file, or nothing that can be met.
 *
 * An unknown unit, a malformed field and several ranges are answered with the whole file, as
 * RFC 9110 §14.2 allows; several ranges would let one small request ask for much.
 */
export function readRange(
  field: string | undefined,
  size: number,
): ByteRange | 'whole' | 'unsatisfiable' {
  const match = field?.trim().match(/^bytes=\s*(\d{0,15})-(\d{0,15})$/i);
  const [, from = '', to = ''] = match ?? [];
  if (from === '' && to === '') return 'whole';
  if (from === '') return suffix(Number(to), size);
  const first = Number(from);
  if (to !== '' && Number(to) < first) return 'whole';
  if (first >= size) return 'unsatisfiable';
  return { first, last: to === '' ? size - 1 : Math.min(Number(to), size - 1) };
}

function suffix(length: number, size: number): ByteRange | 'unsatisfiable' {
  if (length === 0 || size === 0) return 'unsatisfiable';
  return { first: Math.max(0, size - length), last: size - 1 };
}

/** How many bytes a range holds. */
export function lengthOf({ first, last }: ByteRange): number {
  return last - first + 1;
}

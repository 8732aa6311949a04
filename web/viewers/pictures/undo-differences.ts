/** How the numbers of a picture are stored. */
interface StoredRows {
  /** Of one point. */
  samples: number;
  /** Of one row. */
  numbers: number;
  /** Of one number. */
  bytes: number;
  isLittle: boolean;
}

/**
 * Makes the numbers of rows in which each byte is the difference to the one before, and the first bytes of all numbers
 * come first (Adobe Photoshop TIFF Technical Note 3).
 */
export function undoDifferences(
  data: Uint8Array,
  { samples, numbers, bytes, isLittle }: StoredRows,
): void {
  const rowBytes = numbers * bytes;
  for (let start = 0; start + rowBytes <= data.length; start += rowBytes) {
    const row = data.slice(start, start + rowBytes);
    for (let at = samples; at < rowBytes; at += 1)
      row[at] = (row[at] ?? 0) + (row[at - samples] ?? 0);
    for (let at = 0; at < rowBytes; at += 1) {
      const byte = at % bytes;
      const place = isLittle ? bytes - 1 - byte : byte;
      data[start + at - byte + place] = row[byte * numbers + Math.floor(at / bytes)] ?? 0;
    }
  }
}

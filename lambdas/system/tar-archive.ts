/** A file of an archive. */
export interface PackedFile {
  /** ASCII, at most 100 bytes (POSIX.1-1988, ustar). */
  path: string;
  content: string;
}

const block = 512;

/** A tar archive (ustar) of these files. The same files make the same bytes: all have one date, and one owner. */
export function tarArchive(files: readonly PackedFile[]): Buffer {
  const parts = files.flatMap(({ path, content }) => {
    const bytes = Buffer.from(content);
    const rest = (block - (bytes.length % block)) % block;
    return [tarHeader(path, bytes.length), bytes, Buffer.alloc(rest)];
  });
  return Buffer.concat([...parts, Buffer.alloc(2 * block)]);
}

/** 26 October 1985, the date that `npm pack` gives to all files. */
const modifiedAt = 499_162_500;

function tarHeader(path: string, size: number): Buffer {
  const header = Buffer.alloc(block);
  const octal = (value: number, digits: number) => value.toString(8).padStart(digits, '0');
  const fields: readonly [at: number, text: string][] = [
    [0, path],
    [100, octal(0o755, 7)],
    [108, octal(0, 7)],
    [116, octal(0, 7)],
    [124, octal(size, 11)],
    [136, octal(modifiedAt, 11)],
    // The checksum counts its own field as spaces.
    [148, ' '.repeat(8)],
    [156, '0'],
    [257, 'ustar\u000000'],
  ];
  for (const [at, text] of fields) header.write(text, at, 'latin1');
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${octal(sum, 6)}\u0000 `, 148, 'latin1');
  return header;
}

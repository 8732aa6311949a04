import { createHash, type Hash } from 'node:crypto';
import { closeSync, createReadStream, openSync, readFileSync, readSync } from 'node:fs';
import { Readable } from 'node:stream';
import { CommandError, exitCodes } from './command-error.ts';

/** A file to publish. */
export interface LocalFile {
  /** Its path on the site, with slashes. */
  path: string;
  /** Where it is on this computer; the bytes of one that the command makes. */
  source: string | Uint8Array;
  /** In bytes. */
  size: number;
  /** When it was last changed, in milliseconds since 1970; 0 for one that the command makes. */
  changedMs: number;
}

/** A file that is on no disk. */
export function madeFile(path: string, text: string): LocalFile {
  const source = Buffer.from(text);
  return { path, source, size: source.length, changedMs: 0 };
}

/** The bytes of a file, or of a part of it. */
export function readFileOf({ source }: Pick<LocalFile, 'source'>, part = wholeFile): Readable {
  const { offset: start, size } = part;
  if (typeof source !== 'string') return Readable.from([source.subarray(start, start + size)]);
  return size === 0
    ? Readable.from([])
    : createReadStream(source, { start, end: start + size - 1 });
}

const wholeFile = { offset: 0, size: Number.POSITIVE_INFINITY };

/** Files up to this are read at once: for many small ones, streams take ten times as long. */
const maxReadAtOnce = 1024 * 1024;

/** Whether a file is read at once. */
export function isSmall({ size }: Pick<LocalFile, 'size'>): boolean {
  return size <= maxReadAtOnce;
}

/** All bytes of a small file. @throws CommandError where it has changed since it was found */
export function readSmall({ source, size }: Pick<LocalFile, 'source' | 'size'>): Uint8Array {
  const bytes = typeof source === 'string' ? readAtOnce(source, size) : source;
  if (bytes.length === size) return bytes;
  throw new CommandError(exitCodes.refused, 'A file changed while it was read.', {
    next: 'Run the same command again.',
  });
}

/** `readFileSync` also finds out the size, which is known here, unless the file has another by now. */
function readAtOnce(source: string, size: number): Uint8Array {
  const bytes = Buffer.allocUnsafe(size + 1);
  const file = openSync(source, 'r');
  try {
    return readSync(file, bytes, 0, size + 1, 0) === size
      ? bytes.subarray(0, size)
      : readFileSync(source);
  } finally {
    closeSync(file);
  }
}

/** A SHA-256 as the API names it: its first 96 bits, base64url. */
export function nameOfHash(hash: Hash): string {
  return hash.digest().subarray(0, 12).toString('base64url');
}

/** The hash of a file, as the API names it. */
export async function hashOf(file: LocalFile): Promise<string> {
  const hash = createHash('sha256');
  if (isSmall(file)) return nameOfHash(hash.update(readSmall(file)));
  for await (const chunk of readFileOf(file)) hash.update(chunk);
  return nameOfHash(hash);
}

/** The bytes of some files together. */
export function bytesOf(files: readonly Pick<LocalFile, 'size'>[]): number {
  return files.reduce((sum, { size }) => sum + size, 0);
}

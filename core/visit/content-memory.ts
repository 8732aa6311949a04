import { boundedMemory } from '../bounded-memory.ts';
import type { ContentMemory, Manifest, VersionContent } from './manifest.ts';

/** A small part of the smallest function that serves sites. It holds ten manifests of 20,000 files. */
const defaultMaxBytes = 64 * 1024 * 1024;

/** Remembers contents of about `maxBytes` together. */
export function contentMemory(maxBytes = defaultMaxBytes): ContentMemory {
  const kept = boundedMemory<VersionContent>(maxBytes);
  return {
    get: (key) => kept.get(key),
    add: (key, content) => kept.add(key, content, contentBytes(content)),
  };
}

/** A generous estimate of an entry of a map, its object and its short strings in V8. */
const entryBytes = 300;

/**
 * The most bytes that decoded rules need for each byte of their text; patterns with many short
 * segments need most.
 */
const rulesExpansion = 20;

function contentBytes({ files, rules }: VersionContent): number {
  return filesBytes(files) + (rules === undefined ? 0 : inflatedBytes(rules) * rulesExpansion);
}

/** The length of what gzip compressed: the last four bytes (RFC 1952 §2.3.1, ISIZE). */
export function inflatedBytes(gzip: Uint8Array): number {
  if (gzip.byteLength < 4) return 0;
  return new DataView(gzip.buffer, gzip.byteOffset, gzip.byteLength).getUint32(
    gzip.byteLength - 4,
    true,
  );
}

/** Strings have one or two bytes a character. */
function filesBytes(files: Manifest): number {
  let bytes = files.size * entryBytes;
  for (const path of files.keys()) bytes += 2 * path.length;
  return bytes;
}

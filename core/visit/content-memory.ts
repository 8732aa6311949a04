import type { ContentMemory, Manifest, VersionContent } from './manifest.ts';

/** A small part of the smallest function that serves sites. It holds ten manifests of 20,000 files. */
const defaultMaxBytes = 64 * 1024 * 1024;

/**
 * Remembers contents of about `maxBytes` together; those that were not needed for longest leave
 * first. A content that is larger alone is not remembered.
 */
export function contentMemory(maxBytes = defaultMaxBytes): ContentMemory {
  const kept = new Map<string, { content: VersionContent; bytes: number }>();
  let total = 0;
  const remove = (key: string) => {
    total -= kept.get(key)?.bytes ?? 0;
    kept.delete(key);
  };
  return {
    get(key) {
      const found = kept.get(key);
      if (found === undefined) return undefined;
      // A map keeps the order of insertion: the first entry is the one to leave next.
      kept.delete(key);
      kept.set(key, found);
      return found.content;
    },
    add(key, content) {
      remove(key);
      const bytes = contentBytes(content);
      if (bytes > maxBytes) return;
      kept.set(key, { content, bytes });
      total += bytes;
      for (const oldest of kept.keys()) {
        if (total <= maxBytes) return;
        remove(oldest);
      }
    },
  };
}

/** A generous estimate of an entry of a map, its object and its short strings in V8. */
const entryBytes = 300;

/** Decoded rules need at most so many bytes for each byte of their text. */
const rulesExpansion = 4;

function contentBytes({ files, rules }: VersionContent): number {
  return filesBytes(files) + (rules === undefined ? 0 : textBytes(rules) * rulesExpansion);
}

/** The length of what gzip packed: the last four bytes (RFC 1952 §2.3.1, ISIZE). */
function textBytes(gzip: Uint8Array): number {
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

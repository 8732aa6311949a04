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

/** Rules expand at most this many times when they are decoded. */
const rulesExpansion = 20;

function contentBytes({ files, rules }: VersionContent): number {
  return filesBytes(files) + (rules?.length ?? 0) * rulesExpansion;
}

/** Strings have one or two bytes a character. */
function filesBytes(files: Manifest): number {
  let bytes = files.size * entryBytes;
  for (const path of files.keys()) bytes += 2 * path.length;
  return bytes;
}

/** One cached answer. */
export interface Entry {
  distributionId: string;
  /** The tenant, or the distribution where there is none. */
  scope: string;
  /** The paths that an invalidation may name: as the viewer sent it, and as the function rewrote it. */
  paths: readonly string[];
  tags: ReadonlySet<string>;
  status: number;
  headers: Record<string, string | string[]>;
  body: Buffer;
  /** Milliseconds since 1970. */
  storedAt: number;
  /** Milliseconds since 1970; after it, the entry must be revalidated. */
  freshUntil: number;
  /** Milliseconds since 1970; until then a stale answer is served, because the origin failed. */
  retryAt: number;
}

const MAX_TAGS = 50;
const HEADER_BYTES = 1024;

/** A cache of limited size that evicts the least recently used entry. */
export type CacheStore = ReturnType<typeof cacheStore>;

/**
 * The tags of one answer: lowercase, at most 50, each of visible ASCII.
 *
 * CloudFront stores no tag past the fiftieth and compares tags without regard to case.
 */
export function cacheTags(header: string | undefined): Set<string> {
  const tags = (header ?? '').split(',').map((tag) => tag.trim().toLowerCase());
  return new Set(tags.filter((tag) => /^[\x21-\x7e]{1,256}$/.test(tag)).slice(0, MAX_TAGS));
}

/** Creates an empty cache of at most `maxBytes`. */
export function cacheStore(maxBytes: number) {
  const entries = new Map<string, Entry>();
  let bytes = 0;
  function remove(key: string): void {
    const entry = entries.get(key);
    if (entry === undefined) return;
    bytes -= entry.body.byteLength + HEADER_BYTES;
    entries.delete(key);
  }
  return {
    get(key: string) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      entries.delete(key);
      entries.set(key, entry);
      return entry;
    },
    set(key: string, entry: Entry) {
      remove(key);
      entries.set(key, entry);
      bytes += entry.body.byteLength + HEADER_BYTES;
      for (const oldest of entries.keys()) {
        if (bytes <= maxBytes) break;
        remove(oldest);
      }
    },
    delete: remove,
    invalidate(id: string, items: readonly string[]) {
      for (const [key, entry] of entries) {
        if (entry.scope !== id && entry.distributionId !== id) continue;
        if (items.some((item) => isInvalidatedBy(entry, item))) remove(key);
      }
    },
  };
}

/** A tag must match exactly; in a path only a trailing `*` is a wildcard. */
function isInvalidatedBy(entry: Entry, item: string): boolean {
  if (item.startsWith('#')) return entry.tags.has(item.slice(1).toLowerCase());
  const pattern = item.startsWith('/') ? item : `/${item}`;
  return entry.paths.some((path) =>
    pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern,
  );
}

/** Values by key, with a limit of bytes for all of them; the least recently used ones are removed first. */
export interface BoundedMemory<T> {
  get(key: string): T | undefined;
  /** @param bytes the size of the value; one that is larger than the whole memory is not kept */
  add(key: string, value: T, bytes: number): void;
  remove(key: string): void;
}

export function boundedMemory<T>(maxBytes: number): BoundedMemory<T> {
  // A map keeps the order of insertion: the first entry is removed next.
  const kept = new Map<string, { value: T; bytes: number }>();
  let total = 0;
  const remove = (key: string) => {
    total -= kept.get(key)?.bytes ?? 0;
    kept.delete(key);
  };
  return {
    get(key) {
      const found = kept.get(key);
      if (found === undefined) return undefined;
      kept.delete(key);
      kept.set(key, found);
      return found.value;
    },
    add(key, value, bytes) {
      remove(key);
      if (bytes > maxBytes) return;
      kept.set(key, { value, bytes });
      total += bytes;
      for (const oldest of kept.keys()) {
        if (total <= maxBytes) return;
        remove(oldest);
      }
    },
    remove,
  };
}

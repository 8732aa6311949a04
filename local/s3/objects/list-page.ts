/** The parameters of one page of a listing. */
export interface ListQuery {
  prefix: string;
  maxKeys: number;
  /** The last key of the page before. */
  after?: string | undefined;
}

/** One page of keys. */
export interface ListPage {
  keys: string[];
  /** The last key of this page; absent on the last page. */
  next?: string | undefined;
}

/** Selects one page of the sorted keys. */
export function listPage(keys: SortedKeys, { prefix, maxKeys, after }: ListQuery): ListPage {
  const page: ListPage = { keys: [] };
  if (maxKeys === 0) return page;
  const start = after !== undefined && compareUtf8(after, prefix) > 0 ? after : prefix;
  for (const key of keys.from(start)) {
    if (!key.startsWith(prefix)) break;
    if (key === after) continue;
    if (page.keys.length === maxKeys) return { ...page, next: page.keys.at(-1) };
    page.keys.push(key);
  }
  return page;
}

/** Orders two texts by their UTF-8 bytes, as S3 lists keys; UTF-16 order differs beyond U+FFFF. */
export function compareUtf8(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return rank(x) - rank(y);
  }
  return a.length - b.length;
}

/** Surrogates encode the highest code points. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

/** Keys in UTF-8 order; adding and removing cost one binary search and one array move. */
export interface SortedKeys {
  add(key: string): void;
  remove(key: string): void;
  /** The keys from `start` on, in order. */
  from(start: string): Generator<string>;
}

/** Creates sorted keys from distinct keys in any order. */
export function sortedKeys(initial: Iterable<string>): SortedKeys {
  const keys = [...initial].sort(compareUtf8);

  function lowerBound(key: string): number {
    let low = 0;
    let high = keys.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareUtf8(keys[middle] ?? '', key) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  return {
    add(key) {
      const at = lowerBound(key);
      if (keys[at] !== key) keys.splice(at, 0, key);
    },
    remove(key) {
      const at = lowerBound(key);
      if (keys[at] === key) keys.splice(at, 1);
    },
    *from(start) {
      for (let at = lowerBound(start); at < keys.length; at++) yield keys[at] ?? '';
    },
  };
}

/** Where a listing continues: after a key, or after a common prefix. */
export type ListMarker = { key: string } | { prefix: string };

/** The parameters of one page of a listing. */
export interface ListQuery {
  prefix: string;
  /** Empty for none. */
  delimiter: string;
  maxKeys: number;
  after?: ListMarker;
}

/** One page: keys and common prefixes together count against `maxKeys`. */
export interface ListPage {
  keys: string[];
  commonPrefixes: string[];
  /** The start of the next page; absent on the last page. */
  next?: ListMarker;
}

/** Selects one page of the sorted keys. */
export function listPage(keys: SortedKeys, query: ListQuery): ListPage {
  const page: ListPage = { keys: [], commonPrefixes: [] };
  if (query.maxKeys === 0) return page;
  let last: ListMarker | undefined = query.after;
  for (const key of keys.from(startOf(query))) {
    if (!key.startsWith(query.prefix)) break;
    if (last !== undefined && isCovered(key, last)) continue;
    if (page.keys.length + page.commonPrefixes.length === query.maxKeys) {
      return last === undefined ? page : { ...page, next: last };
    }
    last = entryOf(key, query);
    if ('key' in last) page.keys.push(last.key);
    else page.commonPrefixes.push(last.prefix);
  }
  return page;
}

function startOf({ prefix, after }: ListQuery): string {
  if (after === undefined) return prefix;
  const marker = 'key' in after ? after.key : after.prefix;
  return compareUtf8(marker, prefix) > 0 ? marker : prefix;
}

function isCovered(key: string, marker: ListMarker): boolean {
  return 'key' in marker ? compareUtf8(key, marker.key) <= 0 : key.startsWith(marker.prefix);
}

function entryOf(key: string, { prefix, delimiter }: ListQuery): ListMarker {
  const at = delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length);
  return at === -1 ? { key } : { prefix: key.slice(0, at + delimiter.length) };
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

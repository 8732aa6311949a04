import { compareUtf8, type SortedKeys } from './sorted-keys.ts';

/** Where a listing goes on: after a key, or after everything below a common prefix. */
export type ListMarker = { key: string } | { prefix: string };

/** What one page of a listing asks for. */
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
  /** Where the next page begins; absent on the last one. */
  next?: ListMarker;
}

/** Cuts one page out of the sorted keys. */
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

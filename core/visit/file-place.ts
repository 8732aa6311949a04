import { contentKey, brotliLocation, type StoreKey } from '../content/content-keys.ts';
import type { ContentStore } from '../ports.ts';
import { type FileEntry, fileLocation } from './manifest.ts';
import type { ByteRange } from './protocol/conditional-request.ts';

/** The place of a file's bytes: a whole object, or a range of a pack. */
export interface FilePlace {
  key: string;
  size: number;
  /** Where the bytes begin in the pack; `undefined` for a whole object. */
  offset?: number | undefined;
}

/** The place of a file of a version as it was uploaded. */
export function filePlace(
  { projectId, store }: StoreKey,
  path: string,
  entry: FileEntry,
): FilePlace {
  const key = contentKey(projectId, fileLocation(store, path, entry));
  return { key, size: entry.size, offset: entry.offset };
}

/** The place of a file's brotli form. In a pack it follows the file. */
export function brotliPlace(at: StoreKey, path: string, entry: FileEntry): FilePlace {
  const { key, size, offset } = filePlace(at, path, entry);
  const { brotliBytes = 0 } = entry;
  return offset === undefined
    ? { key: brotliLocation(key), size: brotliBytes }
    : { key, size: brotliBytes, offset: offset + size };
}

/** A part of a file as a range of its object; `undefined` for all of an object. */
export function rangeAt({ size, offset }: FilePlace, range?: ByteRange): ByteRange | undefined {
  if (offset === undefined) return range;
  const { first, last } = range ?? { first: 0, last: size - 1 };
  return { first: offset + first, last: offset + last };
}

/** The bytes of a file, or a part of them; `undefined` if its object does not exist. */
export async function readFilePlace(
  content: Pick<ContentStore, 'get'>,
  place: FilePlace,
  range?: ByteRange,
): Promise<Uint8Array | undefined> {
  // A range of zero bytes cannot be requested.
  if (place.offset !== undefined && place.size === 0) return new Uint8Array();
  return content.get(place.key, rangeAt(place, range));
}

import { baseName } from '../../content/file-name.ts';
import { type FileEntry, keptAt, type Manifest, placeIn } from '../../visit/manifest.ts';
import type { StoreId } from '../../content/content-keys.ts';

/** Files that a project holds already, in any version that it keeps. */
export interface KnownFiles {
  /** The entry of a file at `path` with this content, where one stands already. */
  find(path: string, entry: FileEntry): FileEntry | undefined;
  /** Whether a kept version still holds what stands at `place`. */
  holds(place: string): boolean;
}

/** A version with its manifest read. */
export interface KeptVersion {
  store: StoreId;
  files: Manifest;
}

/**
 * Everything that kept versions hold. A file is the same under another path only if its last
 * segment is: storage answers with the name and the type that it was stored with.
 */
export function knownFiles(versions: readonly KeptVersion[]): KnownFiles {
  const places = new Map<string, string>();
  const all = new Set<string>();
  for (const { store, files } of versions) {
    for (const [path, entry] of files) {
      const place = placeIn(store, path, entry);
      places.set(identity(path, entry), place);
      all.add(place);
    }
  }
  return {
    find(path, entry) {
      const place = places.get(identity(path, entry));
      return place === undefined ? undefined : keptAt(place, path, entry);
    },
    holds: (place) => all.has(place),
  };
}

/** What a first version finds. */
export const nothingKnown: KnownFiles = knownFiles([]);

function identity(path: string, { size, hash }: FileEntry): string {
  return `${hash} ${size} ${baseName(path)}`;
}

import type { StoreId } from '../../content/content-keys.ts';
import { baseName } from '../../content/media-type.ts';
import {
  allLocations,
  entryStoredAt,
  type FileEntry,
  fileLocation,
  type Manifest,
} from '../../visit/manifest.ts';

/** Files that a project has in the versions that it keeps. */
export interface KnownFiles {
  /** The entry for `path` if a kept version has a file with this content and name. */
  find(path: string, entry: FileEntry): FileEntry | undefined;
  /** Whether a kept version uses the object at `location`. */
  holds(location: string): boolean;
}

/** A version with its manifest read. */
export interface KeptVersion {
  store: StoreId;
  files: Manifest;
}

/** Different files that are remembered, some 100 MB: ten versions of the largest plan that share none. */
const maxRemembered = 200_000;

/**
 * Files of the kept versions, learnt from one manifest after another: all of them do not fit into memory. A
 * file in another folder is reused only under the same file name, because its object was stored with that
 * name and type. Of several places the first version's is found: add the newest first, because the next
 * one shows most of what that one shows, also of its packs.
 */
export function rememberedFiles() {
  const stored = new Map<
    string,
    { location: string; form: Pick<FileEntry, 'brotliBytes' | 'offset'> }
  >();
  const all = new Set<string>();
  return {
    /** Whether there is room for more; a file that is not known is stored again. */
    hasRoom: () => all.size < maxRemembered,
    add({ store, files }: KeptVersion): void {
      for (const [path, entry] of files) {
        const { brotliBytes, offset } = entry;
        const form = {
          ...(brotliBytes !== undefined && { brotliBytes }),
          ...(offset !== undefined && { offset }),
        };
        const key = identityKey(path, entry);
        if (!stored.has(key)) {
          stored.set(key, { location: fileLocation(store, path, entry), form });
        }
        for (const one of allLocations(store, path, entry)) all.add(one);
      }
    },
    find(path: string, entry: FileEntry) {
      const found = stored.get(identityKey(path, entry));
      if (found === undefined) return undefined;
      return entryStoredAt(found.location, path, { ...entry, ...found.form });
    },
    holds: (location: string) => all.has(location),
  };
}

/** All files of a few versions, newest first. */
export function knownFiles(versions: readonly KeptVersion[]): KnownFiles {
  const known = rememberedFiles();
  for (const version of versions) known.add(version);
  return known;
}

/** For the first version of a project. */
export const noKnownFiles: KnownFiles = knownFiles([]);

function identityKey(path: string, { size, hash }: FileEntry): string {
  return `${hash} ${size} ${baseName(path)}`;
}

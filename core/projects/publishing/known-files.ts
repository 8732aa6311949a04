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

/**
 * The most files that are remembered, about 100 MB: as many as ten versions of the largest plan
 * have if they share none.
 */
const maxRemembered = 200_000;

/**
 * Files of the kept versions. Their manifests are added one after another, because all of them
 * together do not fit into memory. A file in another folder is reused only if it has the same file
 * name, because its object is stored with that name and type. If several versions have a file, the
 * one that was added first counts: add the newest first, because the next version will share most
 * files and packs with it.
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

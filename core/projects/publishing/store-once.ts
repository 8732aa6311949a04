import { storePrefix } from '../../content/content-keys.ts';
import type { PreparedUpload } from '../../content/prepare-upload.ts';
import { placeIn } from '../../visit/manifest.ts';
import type { KnownFiles } from './known-files.ts';
import {
  type StoredVersion,
  storeVersion,
  type StoringDeps,
  type StoringOptions,
} from './store-version.ts';
import type { OwnStore } from './own-store.ts';

/** Stores an upload over what a project holds; again only where that is no longer what it was. */
export type StoreOnce = (upload: PreparedUpload, known: KnownFiles) => Promise<StoredVersion>;

/** Stores one upload for a change that may be asked for again over newer state. */
export function storingOnce(
  content: StoringDeps['content'],
  target: OwnStore,
  options: Omit<StoringOptions, 'known'> = {},
): StoreOnce {
  let stored: StoredVersion | undefined;
  return async (upload, known) => {
    if (stored !== undefined && isSite(stored) === isSite(upload) && stillHeld(stored, known)) {
      return stored;
    }
    // What was stored before may be found elsewhere now, and would belong to no version.
    if (stored !== undefined) {
      await content.deletePrefix(storePrefix(target.projectId, target.store));
    }
    stored = await storeVersion(content, target, upload, { ...options, known });
    return stored;
  };
}

/** Storage answers for a site's large pages otherwise than for such files of a bundle. */
function isSite({ home }: Pick<StoredVersion, 'home'>): boolean {
  return home !== null;
}

/** Whether every file that was not stored again still stands where it was found. */
function stillHeld({ store, files }: StoredVersion, known: KnownFiles): boolean {
  for (const [path, entry] of files) {
    if (entry.kept !== undefined && !known.holds(placeIn(store, path, entry))) return false;
  }
  return true;
}

import { unlinkSync } from 'node:fs';
import { type Draft, withDraft } from '../objects/object-files.ts';
import type { NewObject, ObjectRecord } from '../objects/object-metadata.ts';
import {
  type DeleteMarker,
  newVersionId,
  NULL_VERSION,
  sequenceOf,
  type StoredVersion,
} from './stored-version.ts';
import { readVersions, versionFile } from './version-files.ts';
import { type VersionIndex, versionIndex } from './version-index.ts';

/** The versions of one bucket, on disk and in memory. */
export interface VersionStore
  extends Pick<VersionIndex, 'current' | 'versionsOf' | 'liveKeys' | 'allKeys'> {
  /** Publishes a sealed draft in one step; with versions, beside the earlier ones. */
  publish(draft: Draft, object: NewObject, isVersioned: boolean): ObjectRecord;
  addMarker(key: string, now: Date): Promise<DeleteMarker>;
  /** Deletes a version for ever. */
  remove(version: StoredVersion): void;
}

export function openVersions(objectsDir: string, temporaryDir: string): VersionStore {
  const stored = readVersions(objectsDir);
  const index = versionIndex(stored);
  let sequence = stored.reduce((top, { versionId }) => Math.max(top, sequenceOf(versionId)), 0);

  /** Called after the file was written, so that ids sort by the order of publishing. */
  function nextVersionId(): string {
    sequence += 1;
    return newVersionId(sequence);
  }
  function publish<T extends StoredVersion>(draft: Draft, version: T): T {
    draft.publish(versionFile(objectsDir, version));
    index.add(version);
    return version;
  }

  return {
    current: (key) => index.current(key),
    versionsOf: (key) => index.versionsOf(key),
    liveKeys: index.liveKeys,
    allKeys: index.allKeys,
    publish: (draft, object, isVersioned) =>
      publish(draft, { ...object, versionId: isVersioned ? nextVersionId() : NULL_VERSION }),
    addMarker(key, now) {
      const marker = { key, isDeleteMarker: true, lastModified: now.toISOString() } as const;
      return withDraft(temporaryDir, async (draft) => {
        await draft.seal(marker);
        return publish(draft, { ...marker, versionId: nextVersionId() });
      });
    },
    remove(version) {
      unlinkSync(versionFile(objectsDir, version));
      index.drop(version);
    },
  };
}

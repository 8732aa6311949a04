import { readdirSync, unlinkSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import * as z from 'zod';
import { type Draft, readRecord, withDraft } from '../objects/object-files.ts';
import type { NewObject, ObjectRecord } from '../objects/object-metadata.ts';
import {
  type DeleteMarker,
  isDeleteMarker,
  newVersionId,
  NULL_VERSION,
  sequenceOf,
  StoredVersion,
} from './stored-version.ts';
import { sortedKeys } from '../objects/list-page.ts';

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

/** What is known of a bucket's versions, in memory. */
type VersionIndex = ReturnType<typeof versionIndex>;

function versionIndex(initial: readonly StoredVersion[]) {
  const byKey = new Map<string, StoredVersion[]>();
  for (const version of initial) {
    byKey.set(version.key, sorted([...(byKey.get(version.key) ?? []), version]));
  }
  const current = (key: string) => {
    const [newest] = byKey.get(key) ?? [];
    return newest === undefined || isDeleteMarker(newest) ? undefined : newest;
  };
  const allKeys = sortedKeys(byKey.keys());
  const liveKeys = sortedKeys([...byKey.keys()].filter((key) => current(key) !== undefined));

  function store(key: string, versions: StoredVersion[]): void {
    if (versions.length === 0) {
      byKey.delete(key);
      allKeys.remove(key);
    } else {
      byKey.set(key, versions);
      allKeys.add(key);
    }
    if (current(key) === undefined) liveKeys.remove(key);
    else liveKeys.add(key);
  }

  const others = ({ key, versionId }: StoredVersion) =>
    (byKey.get(key) ?? []).filter((version) => version.versionId !== versionId);
  return {
    /** The versions of a key, newest first. */
    versionsOf: (key: string) => byKey.get(key) ?? [],
    /** The object that a read without a version gets: none after a delete marker. */
    current,
    /** Replaces a version with the same id. */
    add: (version: StoredVersion) => store(version.key, sorted([version, ...others(version)])),
    drop: (version: StoredVersion) => store(version.key, others(version)),
    /** Keys with a current object. */
    liveKeys,
    allKeys,
  };
}

function sorted(versions: StoredVersion[]): StoredVersion[] {
  return versions.sort((a, b) => sequenceOf(b.versionId) - sequenceOf(a.versionId));
}

/**
 * The file of a version. Its name has the version's id, which is chosen at the moment of publishing,
 * after the file was written. A version without an id has the name of its key only, so that the next
 * such version replaces it.
 */
export function versionFile(
  objectsDir: string,
  { key, versionId }: Pick<StoredVersion, 'key' | 'versionId'>,
): string {
  const name = createHash('sha256').update(key).digest('hex');
  return join(objectsDir, versionId === NULL_VERSION ? name : `${name}.${versionId}`);
}

function readVersions(objectsDir: string): StoredVersion[] {
  return readdirSync(objectsDir).map((name) => {
    const [, versionId = NULL_VERSION] = name.split('.');
    const stored = readRecord(join(objectsDir, name), z.record(z.string(), z.unknown()));
    return StoredVersion.parse({ ...stored, versionId });
  });
}

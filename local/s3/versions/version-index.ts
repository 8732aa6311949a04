import { type SortedKeys, sortedKeys } from '../objects/list-page.ts';
import type { ObjectRecord } from '../objects/object-metadata.ts';
import { isDeleteMarker, sequenceOf, type StoredVersion } from './stored-version.ts';

/** What is known of a bucket's versions, in memory. */
export interface VersionIndex {
  /** The versions of a key, newest first. */
  versionsOf(key: string): readonly StoredVersion[];
  /** The object that a read without a version gets: none after a delete marker. */
  current(key: string): ObjectRecord | undefined;
  /** Replaces a version with the same id. */
  add(version: StoredVersion): void;
  drop(version: StoredVersion): void;
  /** Keys with a current object. */
  readonly liveKeys: SortedKeys;
  /** Keys with any version. */
  readonly allKeys: SortedKeys;
}

/** Builds the index from versions in any order. */
export function versionIndex(initial: readonly StoredVersion[]): VersionIndex {
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
    versionsOf: (key) => byKey.get(key) ?? [],
    current,
    add: (version) => store(version.key, sorted([version, ...others(version)])),
    drop: (version) => store(version.key, others(version)),
    liveKeys,
    allKeys,
  };
}

function sorted(versions: StoredVersion[]): StoredVersion[] {
  return versions.sort((a, b) => sequenceOf(b.versionId) - sequenceOf(a.versionId));
}

import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { BucketConfig } from './bucket-config.ts';
import { assertWritable, type ByteRange } from './objects/conditions.ts';
import { type ListPage, listPage, type ListQuery } from './objects/list-page.ts';
import { type Draft, readBody, readRecord, withDraft } from './objects/object-files.ts';
import type { NewObject, ObjectRecord } from './objects/object-metadata.ts';
import { S3Error } from './protocol/s3-error.ts';
import { openUploads, type UploadStore } from './multipart/upload-store.ts';
import type { DeleteMarker, StoredVersion } from './versions/stored-version.ts';
import { openVersions, versionFile } from './versions/version-store.ts';

/** One bucket: versions of objects on disk, their records indexed in memory. */
export interface Bucket {
  readonly name: string;
  readonly config: BucketConfig;
  readonly uploads: UploadStore;
  configure(config: BucketConfig): Promise<void>;
  /** Calls `use` with a new draft and removes the draft unless it was published. */
  withDraft<T>(use: (draft: Draft) => Promise<T>): Promise<T>;
  find(key: string): ObjectRecord | undefined;
  /** The versions of a key, newest first. */
  versionsOf(key: string): readonly StoredVersion[];
  /** The bytes of the version that `find` returned in the same tick. */
  read(record: ObjectRecord, range?: ByteRange): Readable;
  /** Publishes a draft as an object; the condition, an `If-Match`, is checked in the same step. */
  put(draft: Draft, object: NewObject, ifMatch?: string): Promise<ObjectRecord>;
  /** Deletes an object. With versions, adds a delete marker and returns it, also for an unknown key. */
  remove(key: string, now: Date): Promise<DeleteMarker | undefined>;
  /** Deletes a version for ever. */
  removeVersion(version: StoredVersion): void;
  list(query: ListQuery): ListPage;
  /** Keys with a current object, in order. */
  keys(): Generator<string>;
  /** Keys with any version, in order. */
  allKeys(start: string): Generator<string>;
}

/** Opens the bucket in a directory, or creates it. Leftover drafts are deleted. */
export function openBucket(name: string, dir: string): Bucket {
  const temporaryDir = join(dir, 'tmp');
  const objectsDir = join(dir, 'objects');
  const configPath = join(dir, 'config');
  rmSync(temporaryDir, { recursive: true, force: true });
  for (const path of [temporaryDir, objectsDir]) mkdirSync(path, { recursive: true });
  const versions = openVersions(objectsDir, temporaryDir);
  let config = readdirSync(dir).includes('config') ? readRecord(configPath, BucketConfig) : {};

  return {
    name,
    get config() {
      return config;
    },
    uploads: openUploads(join(dir, 'uploads'), temporaryDir),
    async configure(next) {
      assertKeepsVersions(config, next);
      await withDraft(temporaryDir, async (draft) => {
        await draft.seal(next);
        draft.publish(configPath);
      });
      config = next;
    },
    withDraft: (use) => withDraft(temporaryDir, use),
    find: (key) => versions.current(key),
    versionsOf: (key) => versions.versionsOf(key),
    read: (record, range = { start: 0, end: record.size - 1 }) =>
      readBody(versionFile(objectsDir, record), range.start, range.end),
    async put(draft, object, ifMatch) {
      await draft.seal(object);
      // No await from here on: check, rename and index must be atomic.
      assertWritable(versions.current(object.key), ifMatch);
      return versions.publish(draft, object, isVersioned(config));
    },
    async remove(key, now) {
      if (isVersioned(config)) return versions.addMarker(key, now);
      for (const version of versions.versionsOf(key)) versions.remove(version);
      return undefined;
    },
    removeVersion: (version) => versions.remove(version),
    list: (query) => listPage(versions.liveKeys, query),
    keys: () => versions.liveKeys.from(''),
    allKeys: (start) => versions.allKeys.from(start),
  };
}

function isVersioned({ versioning }: BucketConfig): boolean {
  return versioning === 'Enabled';
}

/** S3 cannot take versions away again, only suspend them, which no template here does. */
function assertKeepsVersions(before: BucketConfig, after: BucketConfig): void {
  if (isVersioned(before) && !isVersioned(after)) {
    throw new Error('A bucket that has versions keeps them: versioning cannot be removed again.');
  }
}

/** Refuses invalid names as S3 does, which also makes every name safe as a directory. */
export function assertBucketName(name: string): void {
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(name) || name.includes('..')) {
    throw new S3Error('InvalidBucketName');
  }
}

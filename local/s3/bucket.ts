import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { BucketConfig } from './bucket-config.ts';
import { assertWritable, type ByteRange, type WriteCondition } from './objects/conditions.ts';
import { type ListPage, type ListQuery, listPage } from './objects/list-page.ts';
import { type Draft, readBody, readRecord, withDraft } from './objects/object-files.ts';
import { ObjectRecord } from './objects/object-metadata.ts';
import { S3Error } from './protocol/s3-error.ts';
import { sortedKeys } from './objects/sorted-keys.ts';
import { openUploads, type UploadStore } from './multipart/upload-store.ts';

/** One bucket: objects on disk, their records indexed in memory. */
export interface Bucket {
  readonly name: string;
  readonly config: BucketConfig;
  readonly uploads: UploadStore;
  configure(config: BucketConfig): Promise<void>;
  /** Runs a use of a new draft and removes what it did not publish. */
  withDraft<T>(use: (draft: Draft) => Promise<T>): Promise<T>;
  find(key: string): ObjectRecord | undefined;
  /** Bytes of the version that `find` gives in the same tick. */
  read(record: ObjectRecord, range?: ByteRange): Readable;
  /** Publishes a draft as an object, unless the condition fails at that very moment. */
  put(draft: Draft, record: ObjectRecord, condition: WriteCondition): Promise<void>;
  remove(key: string): void;
  list(query: ListQuery): ListPage;
  records(): IterableIterator<ObjectRecord>;
}

/** Opens the bucket kept in a directory, or makes an empty one. Drafts that were left are removed. */
export function openBucket(name: string, dir: string): Bucket {
  const temporaryDir = join(dir, 'tmp');
  const objectsDir = join(dir, 'objects');
  const configPath = join(dir, 'config');
  rmSync(temporaryDir, { recursive: true, force: true });
  for (const path of [temporaryDir, objectsDir]) mkdirSync(path, { recursive: true });
  const index = loadIndex(objectsDir);
  const keys = sortedKeys(index.keys());
  const fileOf = (key: string) => join(objectsDir, createHash('sha256').update(key).digest('hex'));
  let config = readdirSync(dir).includes('config') ? readRecord(configPath, BucketConfig) : {};

  return {
    name,
    get config() {
      return config;
    },
    uploads: openUploads(join(dir, 'uploads'), temporaryDir),
    async configure(next) {
      await withDraft(temporaryDir, async (draft) => {
        await draft.seal(next);
        draft.publish(configPath);
      });
      config = next;
    },
    withDraft: (use) => withDraft(temporaryDir, use),
    find: (key) => index.get(key),
    read: (record, range = { start: 0, end: record.size - 1 }) =>
      readBody(fileOf(record.key), range.start, range.end),
    async put(draft, record, condition) {
      await draft.seal(record);
      // No await from here on: the check, the rename and the index are one step for everybody.
      assertWritable(index.get(record.key), condition);
      draft.publish(fileOf(record.key));
      if (!index.has(record.key)) keys.add(record.key);
      index.set(record.key, record);
    },
    remove(key) {
      if (!index.has(key)) return;
      unlinkSync(fileOf(key));
      index.delete(key);
      keys.remove(key);
    },
    list: (query) => listPage(keys, query),
    records: () => index.values(),
  };
}

function loadIndex(dir: string): Map<string, ObjectRecord> {
  const records = readdirSync(dir).map((name) => readRecord(join(dir, name), ObjectRecord));
  return new Map(records.map((record) => [record.key, record]));
}

/** Refuses names that S3 would refuse, which also makes every name safe as a directory. */
export function assertBucketName(name: string): void {
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(name) || name.includes('..')) {
    throw new S3Error('InvalidBucketName');
  }
}

import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { BucketConfig, type LifecycleRule } from './bucket-config.ts';
import { assertWritable, type ByteRange, type WriteCondition } from './objects/conditions.ts';
import { type ListPage, listPage, type ListQuery, sortedKeys } from './objects/list-page.ts';
import { type Draft, readBody, readRecord, withDraft } from './objects/object-files.ts';
import { ObjectRecord } from './objects/object-metadata.ts';
import { S3Error } from './protocol/s3-error.ts';
import { openUploads, type UploadStore } from './multipart/upload-store.ts';

/** One bucket: objects on disk, their records indexed in memory. */
export interface Bucket {
  readonly name: string;
  readonly config: BucketConfig;
  readonly uploads: UploadStore;
  configure(config: BucketConfig): Promise<void>;
  /** Calls `use` with a new draft and removes the draft unless it was published. */
  withDraft<T>(use: (draft: Draft) => Promise<T>): Promise<T>;
  find(key: string): ObjectRecord | undefined;
  /** The bytes of the version that `find` returned in the same tick. */
  read(record: ObjectRecord, range?: ByteRange): Readable;
  /** Publishes a draft as an object; the condition is checked in the same step. */
  put(draft: Draft, record: ObjectRecord, condition: WriteCondition): Promise<void>;
  remove(key: string): void;
  list(query: ListQuery): ListPage;
  records(): IterableIterator<ObjectRecord>;
}

/** Opens the bucket in a directory, or creates it. Leftover drafts are deleted. */
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
      // No await from here on: check, rename and index must be atomic.
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

/** Refuses invalid names as S3 does, which also makes every name safe as a directory. */
export function assertBucketName(name: string): void {
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(name) || name.includes('..')) {
    throw new S3Error('InvalidBucketName');
  }
}

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Deletes what the bucket's lifecycle rules expire at `now`.
 *
 * S3 adds the days to the creation and rounds up to the next midnight UTC.
 */
export async function applyLifecycle(bucket: Bucket, now: Date): Promise<void> {
  for (const rule of bucket.config.lifecycle ?? []) {
    const prefix = rule.prefix ?? '';
    expireObjects(bucket, rule, now);
    for (const upload of bucket.uploads.list()) {
      const isOver = isPast(upload.initiatedAt, rule.abortIncompleteUploadDays, now);
      if (isOver && upload.key.startsWith(prefix)) await bucket.uploads.remove(upload);
    }
  }
}

function expireObjects(bucket: Bucket, rule: LifecycleRule, now: Date): void {
  const prefix = rule.prefix ?? '';
  const expired = [...bucket.records()].filter(
    ({ key, lastModified }) =>
      key.startsWith(prefix) && isPast(lastModified, rule.expirationDays, now),
  );
  for (const { key } of expired) bucket.remove(key);
}

function isPast(from: string, days: number | undefined, now: Date): boolean {
  if (days === undefined) return false;
  const end = Math.ceil((Date.parse(from) + days * DAY_MS) / DAY_MS) * DAY_MS;
  return now.getTime() >= end;
}

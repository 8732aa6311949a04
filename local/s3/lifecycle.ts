import type { Bucket } from './bucket.ts';
import type { LifecycleRule } from './bucket-config.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Removes what the bucket's lifecycle rules say is over at `now`.
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

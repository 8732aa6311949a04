import type { Bucket } from './bucket.ts';
import type { LifecycleRule } from './bucket-config.ts';
import { isDeleteMarker, type StoredVersion } from './versions/stored-version.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Deletes what the bucket's lifecycle rules expire at `now`. */
export async function applyLifecycle(bucket: Bucket, now: Date): Promise<void> {
  for (const rule of bucket.config.lifecycle ?? []) {
    const prefix = rule.prefix ?? '';
    for (const key of keysUnder(bucket, prefix)) await expireKey(bucket, key, { rule, now });
    for (const upload of bucket.uploads.list()) {
      const isOver = isPast(upload.initiatedAt, rule.abortIncompleteUploadDays, now);
      if (isOver && upload.key.startsWith(prefix)) await bucket.uploads.remove(upload);
    }
  }
}

/** A copy, because keys leave while the rule is applied. */
function keysUnder(bucket: Bucket, prefix: string): string[] {
  const keys: string[] = [];
  for (const key of bucket.allKeys(prefix)) {
    if (!key.startsWith(prefix)) break;
    keys.push(key);
  }
  return keys;
}

async function expireKey(
  bucket: Bucket,
  key: string,
  { rule, now }: { rule: LifecycleRule; now: Date },
): Promise<void> {
  const [newest, ...earlier] = bucket.versionsOf(key);
  if (newest === undefined) return;
  // A version is noncurrent since its successor was written.
  const successors = [newest, ...earlier];
  earlier.forEach((version, index) => {
    const since = successors[index]?.lastModified ?? '';
    if (isPast(since, rule.noncurrentDays, now)) bucket.removeVersion(version);
  });
  if (isDeleteMarker(newest)) expireMarker(bucket, newest, { rule, now });
  else if (isPast(newest.lastModified, rule.expirationDays, now)) await bucket.remove(key, now);
}

/** A delete marker expires once it is the only version of its key. */
function expireMarker(
  bucket: Bucket,
  marker: StoredVersion,
  { rule, now }: { rule: LifecycleRule; now: Date },
): void {
  if (bucket.versionsOf(marker.key).length > 1) return;
  const isOld = isPast(marker.lastModified, rule.expirationDays, now);
  if (isOld || rule.expiresMarkers === true) bucket.removeVersion(marker);
}

/** S3 adds the days and rounds up to the next midnight UTC. */
function isPast(from: string, days: number | undefined, now: Date): boolean {
  if (days === undefined) return false;
  const end = Math.ceil((Date.parse(from) + days * DAY_MS) / DAY_MS) * DAY_MS;
  return now.getTime() >= end;
}

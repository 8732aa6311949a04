import { join } from 'node:path';
import { ListObjectVersionsCommand } from '@aws-sdk/client-s3';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { applyLifecycle } from '../../s3/s3-server.ts';
import { openBucket } from '../../s3/bucket.ts';
import { bucketConfig } from '../../s3/bucket-config.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import {
  Bucket,
  client,
  DAY_MS,
  deny,
  put,
  refusal,
  remove,
  restart,
  s3,
  text,
} from './server-suite.ts';

const lifecycle = [
  { prefix: 'content/', noncurrentDays: 7, expiresMarkers: true },
  { prefix: 'temp/', expirationDays: 1, noncurrentDays: 1 },
];

beforeEach(() => s3.server.createBucket(Bucket, { versioning: 'Enabled', lifecycle }));

/** How many objects and markers the bucket has under a prefix. */
async function count(Prefix: string): Promise<[number, number]> {
  const listed = await client.send(new ListObjectVersionsCommand({ Bucket, Prefix }));
  return [listed.Versions?.length ?? 0, listed.DeleteMarkers?.length ?? 0];
}

async function afterDays(days: number): Promise<void> {
  s3.clock.advance(days * DAY_MS);
  // Requests are signed by the same clock.
  client.config.systemClockOffset += days * DAY_MS;
  await s3.server.sweep();
}

describe('the lifecycle of versions', () => {
  test('deletes what was deleted seven days before, then its marker, and nothing else', async () => {
    await put('content/live');
    await put('content/deleted');
    await remove('content/deleted');
    await afterDays(6);
    expect(await count('content/')).toEqual([2, 1]);
    await afterDays(2);
    await s3.server.sweep();
    expect(await count('content/')).toEqual([1, 0]);
    expect(await text('content/live')).toBe('hello');
  });

  test('counts from the successor, not from when the version was written', async () => {
    await put('content/old');
    await afterDays(30);
    await put('content/old');
    await afterDays(6);
    expect(await count('content/old')).toEqual([2, 0]);
    await afterDays(2);
    expect(await count('content/old')).toEqual([1, 0]);
  });

  test('an object that expires gets a marker; a day later nothing is left of it', async () => {
    await put('temp/a');
    await afterDays(2);
    expect(await count('temp/')).toEqual([1, 1]);
    await afterDays(2);
    await s3.server.sweep();
    expect(await count('temp/')).toEqual([0, 0]);
  });

  test('a template cannot expire markers and objects in one rule, as in S3', () => {
    const resource = (rule: object) => ({
      stack: 'Data',
      logicalId: 'Bucket',
      type: 'AWS::S3::Bucket',
      properties: { LifecycleConfiguration: { Rules: [{ Status: 'Enabled', ...rule }] } },
    });
    const refused = resource({ ExpirationInDays: 1, ExpiredObjectDeleteMarker: true });
    expect(() => bucketConfig(refused)).toThrow('cannot be combined');
    const suspended = resource({});
    Object.assign(suspended.properties, { VersioningConfiguration: { Status: 'Suspended' } });
    expect(() => bucketConfig(suspended)).toThrow('VersioningConfiguration');
  });
});

describe('permissions', () => {
  test('deleting a version and listing them are permissions of their own', async () => {
    const { VersionId } = await put('content/a');
    const own = ['s3:DeleteObjectVersion', 's3:ListBucketVersions'];
    deny(({ action }) => own.includes(action));
    expect(await refusal(remove('content/a', VersionId))).toBe('AccessDenied');
    expect(await refusal(count('content/'))).toBe('AccessDenied');
    expect(await refusal(remove('content/a'))).toBe('accepted');
  });
});

describe('state', () => {
  test('versions and their order survive a restart, and further ids sort after them', async () => {
    for (const Body of ['one', 'two', 'three']) await put('content/a', { Body });
    await remove('content/b');
    await restart();
    await put('content/a', { Body: 'four' });
    expect(await text('content/a')).toBe('four');
    expect(await count('content/')).toEqual([4, 1]);
  });

  test('an object from before the bucket had versions is its oldest version', async () => {
    const dir = join(temporaryFolder('versions'), 'b');
    const bucket = openBucket('b', dir);
    const write = (etag: string) =>
      bucket.withDraft((draft) =>
        bucket.put(draft, {
          key: 'a',
          size: 0,
          etag,
          lastModified: new Date(0).toISOString(),
          system: {},
          user: {},
        }),
      );
    await write('one');
    await bucket.configure({ versioning: 'Enabled', lifecycle });
    const { versionId } = await write('two');
    for (const opened of [bucket, openBucket('b', dir)]) {
      expect(opened.versionsOf('a').map((version) => version.versionId)).toEqual([
        versionId,
        'null',
      ]);
    }
    await applyLifecycle(bucket, new Date());
    await expect(bucket.configure({})).rejects.toThrow('keeps them');
  });
});

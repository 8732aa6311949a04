import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { CreateMultipartUploadCommand, GetObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { describe, expect, test } from '@jest/globals';
import { clientFor } from './s3-local.ts';
import { s3, client, Bucket, DAY_MS, put, refusal } from './server-suite.ts';

describe('clock', () => {
  test('decides when a signature is too old, and dates objects and responses', async () => {
    const url = await getSignedUrl(client, new GetObjectCommand({ Bucket, Key: 'a' }), {
      expiresIn: 3600,
    });
    await put('a');
    s3.clock.advance(14 * 60_000);
    await put('a');
    expect((await fetch(url)).status).toBe(200);
    s3.clock.advance(2 * 60_000);
    const stranger = clientFor(s3.server.url);
    const late = stranger.send(new GetObjectCommand({ Bucket, Key: 'a' }));
    expect(await refusal(late)).toBe('RequestTimeTooSkewed');
    stranger.destroy();
    s3.clock.advance(45 * 60_000);
    const response = await fetch(url);
    expect(response.status).toBe(403);
    const answered = Date.parse(response.headers.get('date') ?? '');
    expect(Math.abs(answered - s3.clock.now().getTime())).toBeLessThan(5000);
  });

  test('ends objects and unfinished uploads by the lifecycle, at midnight UTC', async () => {
    const lifecycle = [{ prefix: 'temp/', expirationDays: 2, abortIncompleteUploadDays: 1 }];
    await s3.server.createBucket(Bucket, { lifecycle });
    await put('temp/a');
    await put('kept');
    await client.send(new CreateMultipartUploadCommand({ Bucket, Key: 'temp/b' }));
    const uploads = () => readdir(join(s3.dataDir, Bucket, 'uploads'));
    const untilMidnight = DAY_MS - (Date.now() % DAY_MS);
    s3.clock.advance(DAY_MS + untilMidnight - 60_000);
    await s3.server.sweep();
    expect(await uploads()).toHaveLength(1);
    s3.clock.advance(120_000);
    await s3.server.sweep();
    expect(await uploads()).toHaveLength(0);
    const exists = async (key: string) =>
      (await s3.server.read({ bucket: Bucket, key, method: 'HEAD', headers: {} })).status === 200;
    s3.clock.advance(DAY_MS - 180_000);
    await s3.server.sweep();
    expect(await exists('temp/a')).toBe(true);
    s3.clock.advance(120_000);
    await s3.server.sweep();
    expect([await exists('temp/a'), await exists('kept')]).toEqual([false, true]);
  });
});

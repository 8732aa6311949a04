import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { describe, expect, test } from '@jest/globals';
import { clientFor } from './s3-local.ts';
import { s3, client, Bucket, put, remove, text, keys, restart, start } from './server-suite.ts';

describe('state', () => {
  test('is the same after a restart', async () => {
    const input = { ContentType: 'text/css', Metadata: { a: 'b' } };
    const before = await put('dir/ä 😀', { Body: 'kept', ...input });
    await put('deleted');
    await remove('deleted');
    const upload = await client.send(new CreateMultipartUploadCommand({ Bucket, Key: 'big' }));
    const target = { Bucket, Key: 'big', UploadId: upload.UploadId };
    const part = {
      PartNumber: 1,
      ...(await client.send(new UploadPartCommand({ ...target, PartNumber: 1, Body: 'part' }))),
    };
    const cors = [{ allowedOrigins: ['*'], allowedMethods: ['GET' as const] }];
    await s3.server.createBucket(Bucket, { cors });

    await restart();

    expect(await keys()).toEqual(['dir/ä 😀']);
    expect(await text('dir/ä 😀')).toBe('kept');
    const head = await client.send(
      new HeadObjectCommand({ Bucket, Key: 'dir/ä 😀', ChecksumMode: 'ENABLED' }),
    );
    expect(head).toMatchObject({
      ETag: before.ETag,
      ChecksumCRC32: before.ChecksumCRC32,
      ContentType: 'text/css',
      Metadata: { a: 'b' },
    });
    await client.send(
      new CompleteMultipartUploadCommand({ ...target, MultipartUpload: { Parts: [part] } }),
    );
    expect(await text('big')).toBe('part');
    const response = await fetch(`${s3.server.url}/${Bucket}/x`, {
      headers: { origin: 'https://a.example' },
    });
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
  });

  test('contains nothing of unfinished writes', async () => {
    const upload = await client.send(new CreateMultipartUploadCommand({ Bucket, Key: 'aborted' }));
    await put('kept');
    const dir = join(s3.dataDir, Bucket);
    await writeFile(join(dir, 'tmp', 'leftover'), 'half a body');
    await rm(join(dir, 'uploads', upload.UploadId ?? '', 'upload'));
    await restart();
    expect(await readdir(join(dir, 'tmp'))).toEqual([]);
    expect(await readdir(join(dir, 'uploads'))).toEqual([]);
    expect(await keys()).toEqual(['kept']);
  });

  test('keeps every acknowledged write after kill -9, and no partial one', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'slipway-s3-killed-'));
    const fixture = fileURLToPath(new URL('./s3-process.ts', import.meta.url));
    const child = spawn(process.execPath, ['--import', 'tsx', fixture, dataDir], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const writer = clientFor(line.toString().trim());
    const acknowledged = new Map<string, number>();
    const write = async (Key: string) => {
      for (let version = 1; ; version++) {
        const Body = `${version}\n`.repeat(20_000);
        await writer.send(new PutObjectCommand({ Bucket, Key, Body }));
        acknowledged.set(Key, version);
      }
    };
    const writers = ['a', 'b', 'c', 'd'].map((key) => write(key).catch(() => undefined));
    while (Math.min(...['a', 'b', 'c', 'd'].map((key) => acknowledged.get(key) ?? 0)) < 5) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    child.kill('SIGKILL');
    await Promise.all([once(child, 'exit'), ...writers]);
    writer.destroy();

    await s3.remove();
    await start(dataDir);
    expect(await keys()).toEqual(['a', 'b', 'c', 'd']);
    for (const [key, version] of acknowledged) {
      const lines = new Set((await text(key))?.trimEnd().split('\n'));
      expect(lines.size).toBe(1);
      expect(Number([...lines][0])).toBeGreaterThanOrEqual(version);
    }
    expect(await readdir(join(dataDir, Bucket, 'tmp'))).toEqual([]);
  }, 600_000);

  test('refuses to start on a damaged object file instead of losing it silently', async () => {
    await put('object');
    await s3.stop();
    const dir = join(s3.dataDir, Bucket, 'objects');
    await writeFile(join(dir, (await readdir(dir))[0] ?? ''), 'damaged');
    await expect(start(s3.dataDir)).rejects.toThrow('damaged');
  });
});

import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import {
  CopyObjectCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectAclCommand,
  GetObjectCommand,
  GetBucketLocationCommand,
  HeadBucketCommand,
  ListBucketsCommand,
  ListObjectsCommand,
  ListObjectsV2Command,
  ListObjectVersionsCommand,
  PutObjectCommand,
  PutObjectTaggingCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import { describe, expect, jest, test } from '@jest/globals';
import { s3, client, Bucket, put, text } from './server-suite.ts';

describe('unsupported requests', () => {
  const target = { Bucket, Key: 'key' };
  test.each([
    ['ListBuckets', new ListBucketsCommand({})],
    ['CreateBucket', new CreateBucketCommand({ Bucket: 'another' })],
    ['the old listing', new ListObjectsCommand({ Bucket })],
    ['GetObjectAcl', new GetObjectAclCommand(target)],
    ['PutObjectTagging', new PutObjectTaggingCommand({ ...target, Tagging: { TagSet: [] } })],
    ['a delimiter between versions', new ListObjectVersionsCommand({ Bucket, Delimiter: '/' })],
    ['a part of an object', new GetObjectCommand({ ...target, PartNumber: 1 })],
    ['an ACL', new PutObjectCommand({ ...target, ACL: 'public-read' })],
    ['a storage class', new PutObjectCommand({ ...target, StorageClass: 'STANDARD' })],
    ['KMS', new PutObjectCommand({ ...target, ServerSideEncryption: 'aws:kms' })],
    ['HeadBucket', new HeadBucketCommand({ Bucket })],
    ['GetBucketLocation', new GetBucketLocationCommand({ Bucket })],
    ['DeleteObject', new DeleteObjectCommand(target)],
    ['a delimiter', new ListObjectsV2Command({ Bucket, Delimiter: '/' })],
    ['a version', new GetObjectCommand({ ...target, VersionId: 'null' })],
    ['another content type', new GetObjectCommand({ ...target, ResponseContentType: 'a/b' })],
    ['tags', new PutObjectCommand({ ...target, Tagging: 'a=b' })],
    ['a creation only', new PutObjectCommand({ ...target, IfNoneMatch: '*' })],
    ['Content-MD5', new PutObjectCommand({ ...target, ContentMD5: 'x' })],
    ['SHA-256', new PutObjectCommand({ ...target, Body: 'x', ChecksumAlgorithm: 'SHA256' })],
    ['a stream', new PutObjectCommand({ ...target, Body: Readable.from(['x']), ContentLength: 1 })],
    [
      'a copy of another bucket',
      new CopyObjectCommand({ ...target, CopySource: 'other/key?versionId=null' }),
    ],
    [
      'an upload of CRC32',
      new CreateMultipartUploadCommand({ ...target, ChecksumAlgorithm: 'CRC32' }),
    ],
    [
      'a copied part',
      new UploadPartCopyCommand({
        ...target,
        UploadId: 'u',
        PartNumber: 1,
        CopySource: 'bucket/key',
      }),
    ],
  ])('answers 501 for %s', async (_, command) => {
    await put('key');
    const error = await client.send(command as GetObjectCommand).catch((e: unknown) => e);
    // The SDK knows no error of an answer without a body.
    const name = command instanceof HeadBucketCommand ? expect.any(String) : 'NotImplemented';
    expect(error).toMatchObject({ name, $metadata: { httpStatusCode: 501 } });
  });

  test('refuses bucket names that could be paths', async () => {
    for (const name of ['..', '../x', 'a/b', 'A', 'ab', 'a..b']) {
      await expect(s3.server.createBucket(name)).rejects.toThrow('bucket');
    }
  });
});

describe('internal errors', () => {
  test('are logged and answered with 500, and the server continues', async () => {
    const log = jest.spyOn(console, 'error').mockReturnValue(undefined);
    const dir = join(s3.dataDir, Bucket, 'tmp');
    await rm(dir, { recursive: true });
    const error = await put('a').catch((e: unknown) => e);
    expect(error).toMatchObject({ name: 'InternalError', $metadata: { httpStatusCode: 500 } });
    expect(log).toHaveBeenCalledTimes(1);
    log.mockRestore();
    await mkdir(dir);
    await put('a');
    expect(await text('a')).toBe('hello');
  });
});

describe('trusted reads', () => {
  const read = (
    key: string,
    headers: Record<string, string> = {},
    method: 'GET' | 'HEAD' = 'GET',
  ) => s3.server.read({ bucket: Bucket, key, method, headers });

  async function bodyOf(response: Awaited<ReturnType<typeof read>>): Promise<string> {
    const pieces: Buffer[] = [];
    if (Buffer.isBuffer(response.body)) return response.body.toString();
    for await (const piece of response.body) pieces.push(piece as Buffer);
    return Buffer.concat(pieces).toString();
  }

  test('return the object, a range of it, or 304', async () => {
    const { ETag = '' } = await put('a', { Body: '0123456789', ContentType: 'text/css' });
    const whole = await read('a');
    expect(whole).toMatchObject({
      status: 200,
      headers: { 'content-type': 'text/css', 'content-length': '10', etag: ETag },
    });
    expect(await bodyOf(whole)).toBe('0123456789');
    const part = await read('a', { range: 'bytes=2-3' });
    expect(part).toMatchObject({ status: 206, headers: { 'content-range': 'bytes 2-3/10' } });
    expect(await bodyOf(part)).toBe('23');
    expect((await read('a', { 'if-none-match': ETag })).status).toBe(304);
    expect(await bodyOf(await read('a', {}, 'HEAD'))).toBe('');
    const current = await read('a', { range: 'bytes=2-3', 'if-range': ETag });
    expect([current.status, await bodyOf(current)]).toEqual([206, '23']);
    const outdated = await read('a', { range: 'bytes=2-3', 'if-range': '"other"' });
    expect([outdated.status, await bodyOf(outdated)]).toEqual([200, '0123456789']);
  });

  test('answer with error documents', async () => {
    expect(await bodyOf(await read('missing'))).toContain('<Code>NoSuchKey</Code>');
    await put('a', { Body: 'x' });
    expect((await read('a', { range: 'bytes=5-' })).status).toBe(416);
    expect((await read('a', { 'if-match': '"x"' })).status).toBe(412);
    const other = await s3.server.read({ bucket: 'none', key: 'a', method: 'GET', headers: {} });
    expect(other.status).toBe(404);
  });
});
